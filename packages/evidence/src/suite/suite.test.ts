import { parse } from 'yaml'
import { expect, test } from 'vitest'
import { findMission, normaliseSuite, parseSuite, suiteKey } from './suite.ts'

const yaml = async () => (text: string) => ({
  value: parse(text) as unknown,
  lineOf: () => 3,
})
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

test('parseSuite refuses an unknown key with file, line and the nearest known key', async () => {
  const wrong =
    '{"suiteId":"s","missions":[{"missionId":"m","expects":{"trace":{"maxToolCalls":1}}}]}'
  await expect(read(wrong, 's.json')).rejects.toThrow(
    's.json:3: unknown key missions.0.expects.trace.maxToolCalls (did you mean maxToolCallsTotal?)',
  )
  await expect(read('suiteId: s\nmission: []\n', 's.yaml')).rejects.toThrow(
    'unknown key mission (did you mean missions?)',
  )
  await expect(read('{"suiteId":"s","suiteId":"s","mission":[]}', 's.json')).rejects.toThrow(
    's.json:1: the key suiteId is repeated',
  )
})

test('parseSuite accepts keys that start with x-, and normaliseSuite preserves unknown keys', async () => {
  const suite = await read('{"suiteId":"s","x-own":1,"missions":[{"missionId":"m"}]}', 's.json')
  expect(suite).toMatchObject({ 'x-own': 1 })
  const stored = normaliseSuite({ suiteId: 's', missions: [{ missionId: 'm', y: 2 }] }, 's')
  expect(findMission(stored, 'm')).toMatchObject({ y: 2 })
  expect(findMission(stored, 'other')).toBeUndefined()
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

test.each([
  [{ network: 'funnel-only', isolation: 'namespace' }, 'needs funnels: [{upstream, env}]'],
  [
    { network: 'none', isolation: 'namespace', funnels: [{ upstream: 'http://a', env: 'A' }] },
    'funnels cannot be reached with network: none; use funnel-only',
  ],
  [{ funnels: [{ upstream: 'tcp://a:1', env: 'A' }] }, 'the address of a service for http'],
  [{ funnels: [{ upstream: 'http://a', env: 'HOME' }] }, 'HOME is a variable of the attempt'],
  [{ funnels: [{ upstream: 'http://a', env: 'A B' }] }, 'funnels.0.env'],
])('a suite refuses funnels that cannot work: %o', async (exam, message) => {
  const text = JSON.stringify({ suiteId: 's', missions: [{ missionId: 'm' }], ...exam })
  await expect(read(text, 's.json')).rejects.toThrow(message)
})

test('a suite accepts funnels for MCP on other transports', async () => {
  const funnels = [{ upstream: 'tcp://a:1', env: 'A', protocol: 'mcp' }]
  const text = JSON.stringify({ suiteId: 's', missions: [{ missionId: 'm' }], funnels })
  await expect(read(text, 's.json')).resolves.toMatchObject({ funnels })
})

test('normaliseSuite names the possible values of a setting', () => {
  const workspace = { path: 'ws', retain: 'sometimes' }
  const value = { suiteId: 's', missions: [{ missionId: 'm' }], workspace }
  const message = 's.yaml: workspace.retain must be one of always, on_failure, never'
  expect(() => normaliseSuite(value, 's.yaml')).toThrow(message)
})

test.each([
  [{ missions: 'x' }, 'missions must be a list of at least 1 objects or an object (got "x")'],
  [{ version: 2 }, 'version must be 1 (got 2)'],
  [{ defaults: { timeoutMs: -5 } }, 'defaults.timeoutMs must be a whole number above 0 (got -5)'],
  [{ defaults: { blind: 'yes' } }, 'defaults.blind must be true or false (got "yes")'],
  [{ isolation: 'jail' }, 'isolation must be one of "none", "namespace", "container" (got "jail")'],
  [
    { judge: { provider: 'p', model: 'm', rubric: 'r', votes: 99 } },
    'judge.votes must be a whole number from 1 to 25 (got 99)',
  ],
  [{ judge: { provider: 'p', model: 'm' } }, 'judge.rubric is missing; it must be text'],
  [{ score: { fileHash: { path: 'a', sha256: 'x' } } }, 'score.fileHash'],
  [{ score: { contains: [] } }, 'score.contains must be text that is not empty or a list of'],
  [{ score: { jsonPath: { path: 'a', equal: 1 } } }, 'unknown key score.jsonPath.equal'],
  [{ workspace: 'folder' }, 'workspace must be an object (got "folder")'],
])(
  'parseSuite names the line, the key, the value and what is allowed: %o',
  async (part, message) => {
    const text = JSON.stringify({ suiteId: 's', missions: [{ missionId: 'm' }], ...part })
    await expect(read(text, 's.json')).rejects.toThrow(`s.json:3: ${message}`)
  },
)

test.each([
  { jsonPath: '$[' },
  { jsonPath: { 'a b': 1 } },
  { tolerance: { value: 1, path: '$..' } },
])('parseSuite refuses a scorer with a path that selects nothing: %j', async (score) => {
  const text = JSON.stringify({ suiteId: 's', missions: [{ missionId: 'm' }], score })
  await expect(read(text, 's.json')).rejects.toThrow('is not a JSON path such as $.a[0]')
})
