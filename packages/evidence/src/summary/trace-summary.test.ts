import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { lineHash } from '@zee/core/chain'
import { event, Lab, writeTrace, type Event, type LabAttempt } from '../../test/lab.ts'
import { summariseTrace } from './summary.ts'

const name = 'tool.calls.jsonl'
let lab: Lab
let attempt: LabAttempt
beforeEach(() => {
  lab = new Lab()
  attempt = lab.attempt()
})
afterEach(() => lab.remove())

function summary(strict = false, level: 'action' | 'all' = 'action') {
  const from = { path: attempt.folder, within: attempt.runFolder }
  const { metrics, friction, usage, ...rest } = summariseTrace(from, name, { strict, level })
  return { ...rest, calls: metrics.total, findings: friction.findings(), usage: usage.total() }
}

const none = {
  present: true,
  lines: 0,
  invalidLines: 0,
  onlyRefusedByDeadline: false,
  root: undefined,
  openCalls: 0,
  calls: 0,
  findings: [],
  usage: undefined,
}
const refused = { result: { ok: false, code: 'ZCL_E_TIMEOUT', durationMs: 0 } }
const begins = (...ids: string[]): void =>
  attempt.write('tool.begins.jsonl', ids.map((id) => `{"v":1,"id":"${id}"}\n`).join(''))

test('summariseTrace has nothing but open calls without a trace', () => {
  begins('a', 'b')
  expect(summary()).toEqual({ ...none, present: false, openCalls: 2 })
})

test('summariseTrace has nothing of an empty trace', () => {
  attempt.write(name, '')
  expect(summary(true)).toEqual(none)
})

test('summariseTrace counts calls that began and have no event', () => {
  begins('a', 'b', 'c')
  writeTrace(attempt, [event(attempt, { id: 'b' })])
  expect(summary()).toMatchObject({ lines: 1, openCalls: 2, calls: 1 })
})

test.each<[Event[], boolean]>([
  [[refused], true],
  [[refused, refused], true],
  [[refused, {}], false],
  [[{}], false],
  [[], false],
  [[{ result: { ok: true, code: 'ZCL_E_TIMEOUT', durationMs: 0 } }], false],
  [[{ result: { ok: false, code: 'X', durationMs: 0 } }], false],
  [[{ result: { ok: false, code: 'ZCL_E_TIMEOUT', durationMs: 1 } }], false],
])('summariseTrace tells whether the deadline refused every call: %j is %s', (events, isIt) => {
  writeTrace(
    attempt,
    events.map((each) => event(attempt, each)),
  )
  expect(summary().onlyRefusedByDeadline).toBe(isIt)
})

test.each<[string, string, object, string | undefined]>([
  ['a blank line', '\n', {}, 'tool.calls.jsonl:1 is blank'],
  [
    'text',
    'x\n',
    { lines: 1, invalidLines: 1 },
    'tool.calls.jsonl:1 is not an event that can be read',
  ],
  [
    'a list',
    '[]\n',
    { lines: 1, invalidLines: 1 },
    'tool.calls.jsonl:1 is not an event that can be read',
  ],
  [
    'an event of another version',
    '{"v":2}\n',
    { lines: 1, invalidLines: 1 },
    'tool.calls.jsonl:1 has a version that is not supported',
  ],
  ['an event without a version', '{"tool":"a"}\n', { lines: 1, calls: 1 }, undefined],
  ['an event of this version', '{"v":1}\n', { lines: 1, calls: 1 }, undefined],
])('summariseTrace reads %s', (_, text, found, message) => {
  attempt.write(name, text)
  const root = 'lines' in found ? lineHash(Buffer.from(text.trimEnd())) : undefined
  expect(summary()).toEqual({ ...none, root, ...found })
  if (message === undefined) expect(summary(true)).toEqual({ ...none, root, ...found })
  else expect(() => summary(true)).toThrow(expect.objectContaining({ message }))
})

test('summariseTrace counts lines that are not UTF-8 or too long', () => {
  const long = Buffer.from(`{"a":"${'x'.repeat(8 * 1024 * 1024)}"}\n{"v":1}\n`)
  writeFileSync(attempt.file(name), Buffer.concat([Buffer.from([0x7b, 0xff, 0x7d, 10]), long]))
  expect(summary()).toMatchObject({ lines: 3, invalidLines: 2, calls: 1 })
  expect(() => summary(true)).toThrow(
    expect.objectContaining({ message: 'tool.calls.jsonl:1 is not an event that can be read' }),
  )
})

test.each([
  ['a folder', () => mkdirSync(attempt.file(name))],
  ['a link out of the run', () => symlinkSync('/etc/passwd', attempt.file(name))],
])('summariseTrace refuses %s', (_, make) => {
  make()
  expect(() => summary()).toThrow(
    expect.objectContaining({ message: 'tool.calls.jsonl is not a regular file of the run' }),
  )
  rmSync(attempt.file(name), { recursive: true })
})

test('summariseTrace counts nested calls apart, unless it counts all', () => {
  const parent = { id: 'p', input: { argv: ['sh'] } }
  const child = { id: 'c', parentId: 'p', result: { ok: false, code: 'X' } }
  writeTrace(attempt, [event(attempt, child), event(attempt, parent), event(attempt, child)])
  expect(summary()).toMatchObject({ calls: 1, findings: [], lines: 3 })
  expect(summary(false, 'all')).toMatchObject({ calls: 3, findings: [{ lines: [1, 3] }] })
})

test.each<[string, Event, number | undefined]>([
  ['http', { totalTokens: 7, inputTokens: 3 }, 7],
  ['cli', { totalTokens: 7 }, undefined],
  ['http', { totalTokens: 'x' }, undefined],
  ['http', { inputTokens: 7 }, undefined],
])('summariseTrace sums the tokens of %s with %j: %s', (tool, usage, tokens) => {
  writeTrace(attempt, [event(attempt, { tool, enrichment: { http: { usage } } })])
  expect(summary().usage?.totalTokens).toBe(tokens)
})

test('summariseTrace sums only whole numbers of tokens', () => {
  const usage = {
    totalTokens: 1,
    inputTokens: 1.5,
    outputTokens: '2',
    cacheWriteTokens: 3,
    model: 5,
  }
  writeTrace(attempt, [event(attempt, { tool: 'http', enrichment: { http: { usage } } })])
  expect(summary().usage).toEqual({
    totalTokens: 1,
    inputTokens: 0,
    outputTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 3,
  })
})

test.each([
  ['unknown option --bad', 1],
  ['UNKNOWN OPTION --bad', 1],
  ['unknown o\u0070tion --bad', 1],
  ['unknown thing --bad', 0],
])('summariseTrace finds the complaint %j about a flag in a line', (errPreview, count) => {
  const failed = { input: { argv: ['tool', '--bad'] }, result: { ok: false }, io: { errPreview } }
  writeTrace(attempt, [event(attempt, failed), event(attempt, { input: { argv: ['tool'] } })])
  expect(summary().findings).toHaveLength(count)
})
