import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { findMission, normaliseSuite, parseSuite, suiteKey } from './suite.ts'

const yaml = async () => (text: string) => parse(text) as unknown
const read = (text: string, name: string) => parseSuite(text, name, yaml)

test('parseSuite returns the same suite for YAML and JSON with keys in any order', async () => {
  const one = await read(
    'suiteId: My_Suite\nmissions:\n  - {missionId: A b, tags: [x]}\n',
    's.yaml',
  )
  const text = '{"missions":[{"tags":["x"],"missionId":"a-b"}],"version":1,"suiteId":"my-suite"}'
  const two = await read(text, 's.json')
  expect(suiteKey(one)).toBe(suiteKey(two))
  expect(JSON.stringify(one)).toBe(
    '{"missions":[{"missionId":"a-b","tags":["x"]}],"suiteId":"my-suite","version":1}',
  )
})

test('parseSuite preserves unknown keys', async () => {
  const suite = await read(
    '{"suiteId":"s","x-own":1,"missions":[{"missionId":"m","y":2}]}',
    's.json',
  )
  expect(suite).toMatchObject({ 'x-own': 1, missions: [{ y: 2 }] })
  expect(findMission(suite, 'm')).toMatchObject({ y: 2 })
  expect(findMission(suite, 'other')).toBeUndefined()
})

test.each([
  ['not JSON', '{oops', 's.json', 'ZCL_E_INVALID_JSON'],
  ['not YAML', 'a: [', 's.yml', 'ZCL_E_INVALID_JSON'],
  ['no object', '[]', 's.json', 'ZCL_E_CONTRACT'],
  ['no missions', '{"suiteId":"s","missions":[]}', 's.json', 'ZCL_E_CONTRACT'],
  ['no id', '{"suiteId":"!!","missions":[{"missionId":"m"}]}', 's.json', 'ZCL_E_CONTRACT'],
  [
    'a mission twice',
    '{"suiteId":"s","missions":[{"missionId":"A"},{"missionId":"a"}]}',
    's.json',
    'ZCL_E_CONTRACT',
  ],
  [
    'another version',
    '{"version":2,"suiteId":"s","missions":[{"missionId":"m"}]}',
    's.json',
    'ZCL_E_SCHEMA_UNSUPPORTED',
  ],
  [
    'pointers into text',
    '{"suiteId":"s","missions":[{"missionId":"m","expects":{"result":{"type":"string","requiredJsonPointers":["/a"]}}}]}',
    's.json',
    'ZCL_E_CONTRACT',
  ],
  [
    'a bad pointer',
    '{"suiteId":"s","missions":[{"missionId":"m","expects":{"result":{"type":"json","requiredJsonPointers":["a"]}}}]}',
    's.json',
    'ZCL_E_CONTRACT',
  ],
])('parseSuite refuses a suite with %s and names the file', async (_, text, name, code) => {
  await expect(read(text, name)).rejects.toMatchObject({
    code,
    message: expect.stringContaining(name) as string,
  })
})

test('parseSuite refuses a YAML bomb', async () => {
  const lines = ['a: &a [x,x,x,x,x,x,x,x,x]']
  for (const [from, to] of ['ab', 'bc', 'cd', 'de', 'ef', 'fg'].map((pair) => [...pair])) {
    lines.push(`${to}: &${to} [${Array(9).fill(`*${from}`).join(',')}]`)
  }
  await expect(read(lines.join('\n'), 's.yaml')).rejects.toMatchObject({ exitCode: 2 })
})

test('normaliseSuite is idempotent', () => {
  const suite = normaliseSuite({ suiteId: 'S', missions: [{ missionId: 'M' }] }, 'x')
  expect(suiteKey(normaliseSuite(suite, 'x'))).toBe(suiteKey(suite))
})
