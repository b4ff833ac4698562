import { afterAll, expect, test } from 'vitest'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { readSuiteFile } from './input.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'zcl-input-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function read(text: string, name = 'suite.yaml') {
  writeFileSync(path.join(folder, name), text)
  return readSuiteFile(name, folder)
}

const head = 'suiteId: s\nx-shared: &shared\n  ok: true\n'

test('a suite may use one anchor in every mission', async () => {
  const missions = Array.from({ length: 300 }, (_, n) => `  - {missionId: m${n}, expects: *shared}`)
  const suite = await read(`${head}missions:\n${missions.join('\n')}\n`)
  expect(suite.missions).toHaveLength(300)
  expect(suite.missions.at(-1)?.expects).toEqual({ ok: true })
})

test('a suite whose anchors multiply is refused', async () => {
  const lists = Array.from({ length: 9 }, (_, n) => {
    const items = Array(10).fill(n === 0 ? 'x' : `*l${n - 1}`)
    return `x-${n}: &l${n} [${items.join(', ')}]`
  })
  const text = `suiteId: s\n${lists.join('\n')}\nmissions: [{missionId: m, tags: *l8}]\n`
  await expect(read(text)).rejects.toThrow(/^suite.yaml is not YAML: Excessive alias count/)
})

test.each([
  [
    'a misspelled key below an alias',
    `${head}  trace: {maxToolCalls: 1}\nmissions:\n  - missionId: m\n    expects: *shared\n`,
    'suite.yaml:4: unknown key missions.0.expects.trace.maxToolCalls (did you mean maxToolCallsTotal?)',
  ],
  [
    'a number as a key',
    'suiteId: s\nmissions:\n  - missionId: m\n    1: x\n',
    'suite.yaml:4: unknown key missions.0.1 ',
  ],
  [
    'a pattern that is no regular expression',
    'suiteId: s\nmissions:\n  - missionId: m\n    expects: {result: {type: string, pattern: "("}}\n',
    'suite.yaml:4: missions.0.expects.result.pattern is not a regular expression (got "(")',
  ],
  ['two documents', 'suiteId: s\n---\n', 'suite.yaml is not YAML: it holds more than one document'],
])('a suite with %s is refused', async (_what, text, message) => {
  await expect(read(text)).rejects.toThrow(message)
})

test('a JSON suite with a repeated key is refused with its line', async () => {
  const text =
    '{"suiteId":"s","missions":[{"missionId":"m",\n"expects":{"ok":true},\n"expects":{}}]}'
  const refused = expect(read(text, 'suite.json')).rejects
  await refused.toThrow('suite.json:3: the key expects is repeated')
})
