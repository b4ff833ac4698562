import { unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  event,
  Lab,
  runId,
  fileText,
  writeTrace,
  type Event,
  type LabAttempt,
} from '../../test/lab.ts'
import { Patient } from '../../test/validating.ts'

let lab: Lab
let attempt: LabAttempt
let patient: Patient

beforeEach(() => {
  lab = new Lab()
  attempt = lab.complete()
  patient = new Patient(attempt)
})
afterEach(() => lab.remove())

test('validate accepts a complete attempt and its run', () => {
  expect(patient.check(true)).toEqual({
    ok: true,
    strict: true,
    target: 'attempt',
    path: 'given',
    errors: [],
    warnings: [],
  })
  expect(patient.check(true, attempt.runFolder)).toMatchObject({
    ok: true,
    target: 'run',
    warnings: [],
  })
})

test.each(['/nowhere', '/tmp', '/etc/passwd'])(
  'validate reports that %s is neither an attempt nor a run',
  (place) => {
    expect(patient.check(false, place)).toMatchObject({
      ok: false,
      target: 'unknown',
      errors: [{ code: 'ZCL_E_USAGE', path: '.' }],
    })
  },
)

test('validate reports a missing attempt.json or run.json as an error', () => {
  unlinkSync(attempt.file('attempt.json'))
  expect(patient.check(false).errors).toContainEqual(
    expect.objectContaining({ code: 'ZCL_E_MISSING_ARTIFACT', path: 'attempt.json' }),
  )
  unlinkSync(path.join(attempt.runFolder, 'run.json'))
  const { errors } = patient.check(false, attempt.runFolder)
  expect(errors.map(({ path: place }) => place)).toEqual(
    expect.arrayContaining(['run.json', 'attempts/001-hello-r1/attempt.json']),
  )
})

test('validate reports a missing trace or feedback, as a warning unless strict', () => {
  unlinkSync(attempt.file('feedback.json'))
  unlinkSync(attempt.file('tool.calls.jsonl'))
  expect(patient.both()).toEqual([
    ['ZCL_E_MISSING_ARTIFACT', 'ZCL_E_MISSING_ARTIFACT'],
    ['ZCL_W_MISSING_ARTIFACT', 'ZCL_W_MISSING_ARTIFACT'],
  ])
})

test.each([undefined, '', '\n'])(
  'validate reports an outcome without actions as a bypass (trace %j)',
  (content) => {
    if (content === undefined) unlinkSync(attempt.file('tool.calls.jsonl'))
    else attempt.write('tool.calls.jsonl', content)
    const [strict, lenient] = patient.both()
    expect(strict).toContain('ZCL_E_FUNNEL_BYPASS')
    expect(lenient).toContain('ZCL_W_FUNNEL_BYPASS_SUSPECTED')
    expect(patient.check(false).ok).toBe(true)
  },
)

test('validate reports an empty trace without outcome as missing evidence', () => {
  attempt.write('tool.calls.jsonl', '')
  unlinkSync(attempt.file('feedback.json'))
  const [strict, lenient] = patient.both()
  expect(strict).toContain('ZCL_E_MISSING_EVIDENCE')
  expect(lenient).toContain('ZCL_W_MISSING_EVIDENCE')
})

test.each([
  'attempt.json',
  'feedback.json',
  'attempt.report.json',
  'other.json',
  'runner.ref.json',
])('validate reports %s as invalid JSON in both modes if it is not a JSON object', (name) => {
  for (const content of ['{', '[]', '"x"', 'null', '']) {
    attempt.write(name, content)
    for (const found of patient.both()) expect(found).toContain('ZCL_E_INVALID_JSON')
  }
})

test.each(['tool.calls.jsonl', 'notes.jsonl', 'captures.jsonl', 'other.jsonl'])(
  'validate reports a line of %s as invalid in both modes if it is not a JSON object',
  (name) => {
    const before = name === 'tool.calls.jsonl' ? attempt.read(name) : ''
    for (const line of ['{"torn', '[1]', '5', 'null', '\u0000']) {
      attempt.write(name, `${before}${line}\n`)
      for (const found of patient.both()) expect(found).toContain('ZCL_E_INVALID_JSONL')
    }
  },
)

test.each(['{"v":1,"ts":"2026-01-01T00:00:00Z","runId":"20260101-000000Z-000000","su', '\0\0\0\0'])(
  'validate warns about the tail %j that a crash left in the trace, and accepts the attempt',
  (tail) => {
    attempt.write('tool.calls.jsonl', attempt.read('tool.calls.jsonl') + tail)
    for (const found of patient.both()) expect(found).toEqual(['ZCL_W_CONTRACT'])
  },
)

test('validate reports a line that is not UTF-8', () => {
  const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n')])
  writeFileSync(attempt.file('notes.jsonl'), bytes)
  for (const found of patient.both()) expect(found).toContain('ZCL_E_INVALID_JSONL')
})

test('validate reports a blank line only if strict', () => {
  attempt.write('tool.calls.jsonl', attempt.read('tool.calls.jsonl').replace('\n', '\n\n'))
  expect(patient.both()).toEqual([['ZCL_E_INVALID_JSONL'], []])
})

test('validate reports unknown versions in both modes', () => {
  patient.changeFile('attempt.json', { schemaVersion: 2 })
  patient.changeFile('feedback.json', { schemaVersion: '1' })
  patient.changeEvent({ v: 7 })
  writeFileSync(
    path.join(attempt.runFolder, 'run.json'),
    fileText({
      schemaVersion: 1,
      artifactLayoutVersion: 2,
      runId,
      suiteId: 'smoke',
      createdAt: 'x',
    }),
  )
  for (const strict of [true, false]) {
    const { errors } = patient.check(strict, attempt.runFolder)
    const places = errors.filter(({ code }) => code === 'ZCL_E_SCHEMA_UNSUPPORTED')
    expect(places.map(({ path: place }) => path.basename(place)).sort()).toEqual([
      'attempt.json',
      'feedback.json',
      'run.json',
      'tool.calls.jsonl',
    ])
  }
})

test('validate accepts a run.json without a layout version', () => {
  const run = { schemaVersion: 1, runId, suiteId: 'smoke', createdAt: '2026-02-15T18:00:12Z' }
  writeFileSync(path.join(attempt.runFolder, 'run.json'), fileText(run))
  expect(patient.check(true, attempt.runFolder).ok).toBe(true)
})

test.each(['runId', 'missionId', 'attemptId'])(
  'validate reports a different %s in any artifact',
  (key) => {
    const other = { [key]: key === 'runId' ? '20260215-180012Z-ffffff' : '009-other-r1' }
    const id = key === 'missionId' ? { missionId: 'other' } : other
    patient.changeEvent(id)
    attempt.write(
      'notes.jsonl',
      `${JSON.stringify({ v: 1, ts: '2026-02-15T18:00:12Z', ...attempt.ids, kind: 'agent', message: 'x', ...id })}\n`,
    )
    patient.changeFile('feedback.json', id)
    for (const strict of [true, false]) {
      const found = patient.check(strict).errors.filter(({ code }) => code === 'ZCL_E_ID_MISMATCH')
      expect(found.map(({ path: place }) => place).sort()).toEqual([
        'feedback.json',
        'notes.jsonl',
        'tool.calls.jsonl',
      ])
    }
  },
)

test('validate reports ids that differ from the folder names', () => {
  patient.changeFile('attempt.json', {
    attemptId: '002-hello-r1',
    runId: '20260215-180012Z-ffffff',
  })
  const found = patient
    .check(false, attempt.runFolder)
    .errors.filter(({ path: place }) => path.basename(place) === 'attempt.json')
  expect(found.map(({ code }) => code)).toEqual(['ZCL_E_ID_MISMATCH', 'ZCL_E_ID_MISMATCH'])
  changeRun({ runId: '20260215-180012Z-eeeeee' })
  expect(patient.codes(false, attempt.runFolder)).toContain('ZCL_E_ID_MISMATCH')
})

function changeRun(over: Event): void {
  const file = path.join(attempt.runFolder, 'run.json')
  const run = { schemaVersion: 1, runId, suiteId: 'smoke', createdAt: '2026-02-15T18:00:12Z' }
  writeFileSync(file, fileText({ ...run, ...over }))
}

test.each([{ suiteId: 'other' }, { agentId: 'other' }])(
  'validate reports another suite or agent of an event as an error only if strict (%j)',
  (over) => {
    patient.changeEvent(over)
    expect(patient.both()).toEqual([['ZCL_E_ID_MISMATCH'], ['ZCL_W_ID_MISMATCH']])
  },
)

test('validate accepts events that name the agent of attempt.json', () => {
  patient.changeFile('attempt.json', { agentId: 'a' })
  patient.changeEvent({ agentId: 'a' })
  expect(patient.check(true).ok).toBe(true)
})

test.each([
  ['tool', undefined],
  ['op', 5],
  ['result', 'x'],
  ['io', undefined],
  ['ts', undefined],
  ['missionId', undefined],
  ['runId', 5],
  ['suiteId', 5],
  ['attemptId', undefined],
  ['agentId', 5],
  ['v', undefined],
])(
  'validate reports a missing or mistyped envelope field %s as an error in both modes',
  (key, value) => {
    if (value === undefined) patient.changeEvent({}, [key])
    else {
      writeTrace(attempt, [{ ...event(attempt), [key]: value }])
    }
    for (const found of patient.both()) expect(found).toContain('ZCL_E_CONTRACT')
  },
)

test.each([
  ['durationMs', { result: { ok: true, durationMs: -1 } }],
  ['durationMs', { result: { ok: true, durationMs: 1.5 } }],
  ['outBytes', { io: { outBytes: 'x' } }],
])('validate reports an invalid %s as an error in both modes (case %#)', (_, over) => {
  patient.changeEvent(over)
  for (const found of patient.both()) expect(found).toEqual(['ZCL_E_CONTRACT'])
})

test.each([
  ['argv is empty', { input: { argv: [] } }],
  ['argv is missing', { input: {} }],
  ['argv is not a list of strings', { input: { argv: [1] } }],
  ['mcp without a method', { tool: 'mcp', op: 'tools/call', input: { id: 1 } }],
  ['http without a method', { tool: 'http', op: 'request', input: { url: 'http://x' } }],
  ['http without a url', { tool: 'http', op: 'request', input: { method: 'GET' } }],
  ['redactions of the wrong type', { redactionsApplied: 'x' }],
  ['a chain that is not a hash', { chain: 'x' }],
  ['warnings of the wrong type', { warnings: [{ code: 1 }] }],
])('validate reports as an error if strict, else as a warning: %s', (_, over) => {
  patient.changeEvent(over)
  const [strict, lenient] = patient.both()
  expect(strict).toContain('ZCL_E_CONTRACT')
  expect(lenient).not.toContain('ZCL_E_CONTRACT')
  expect(lenient).toContain('ZCL_W_CONTRACT')
})

test.each(['spawn', 'stderr', 'timeout', 'idle-timeout', 'limit'])(
  'validate accepts an mcp event %s without a method',
  (op) => {
    patient.changeEvent({ tool: 'mcp', op, input: { argv: ['x'] } })
    expect(patient.check(true).ok).toBe(true)
  },
)

test.each([
  [{ mode: 'prod' }, 'ZCL_E_CONTRACT'],
  [{ startedAt: 5 }, 'ZCL_W_CONTRACT'],
  [{ timeoutMs: 0 }, 'ZCL_W_CONTRACT'],
  [{ timeoutStart: 'later' }, 'ZCL_W_CONTRACT'],
])('validate reports an attempt.json with %j', (over, lenient) => {
  patient.changeFile('attempt.json', over)
  expect(patient.codes(true)).toContain('ZCL_E_CONTRACT')
  expect(patient.codes(false)).toContain(lenient)
})

test('validate reports an outcome with no result or with two', () => {
  patient.changeFile('feedback.json', { resultJson: {} })
  expect(patient.codes(true)).toEqual(['ZCL_E_CONTRACT'])
  patient.changeFile('feedback.json', {}, ['result', 'resultJson'])
  expect(patient.codes(true)).toEqual(['ZCL_E_CONTRACT'])
})

test.each([{ classification: 'vibes' }, { decisionTags: ['great'] }])(
  'validate reports values outside the enumerations of the contract (%j)',
  (over) => {
    patient.changeFile('feedback.json', over)
    expect(patient.both()).toEqual([['ZCL_E_CONTRACT'], ['ZCL_W_CONTRACT']])
  },
)

test('validate reports an invalid time as an error only if strict, also in the envelope', () => {
  patient.changeEvent({ ts: 'yesterday' })
  patient.changeFile('feedback.json', { createdAt: '2026-02-30T00:00:00Z' })
  const [strict, lenient] = patient.both()
  expect(strict).toEqual(['ZCL_E_CONTRACT', 'ZCL_E_CONTRACT'])
  expect(lenient).toEqual(['ZCL_W_CONTRACT', 'ZCL_W_CONTRACT'])
})

const long = (bytes: number) => 'x'.repeat(bytes)

test.each<[string, () => void]>([
  ['preview', () => patient.changeEvent({ io: { outBytes: 9, outPreview: long(16_385) } })],
  ['preview in bytes', () => patient.changeEvent({ io: { errPreview: 'ü'.repeat(8193) } })],
  ['input', () => patient.changeEvent({ input: { argv: [long(65_600)] } })],
  ['enrichment', () => patient.changeEvent({ enrichment: { a: long(65_600) } })],
  ['redaction name', () => patient.changeEvent({ redactionsApplied: [long(65)] })],
  ['redaction names', () => patient.changeEvent({ redactionsApplied: Array(65).fill('a') })],
  ['result', () => patient.changeFile('feedback.json', { result: long(65_537) })],
  [
    'resultJson',
    () => patient.changeFile('feedback.json', { resultJson: [long(65_540)] }, ['result']),
  ],
  ['feedback file', () => patient.changeFile('feedback.json', { extra: long(131_072) })],
  [
    'note message',
    () =>
      attempt.write(
        'notes.jsonl',
        `${JSON.stringify({ v: 1, ts: '2026-02-15T18:00:12Z', ...attempt.ids, kind: 'agent', message: long(16_385) })}\n`,
      ),
  ],
  [
    'note data',
    () =>
      attempt.write(
        'notes.jsonl',
        `${JSON.stringify({ v: 1, ts: '2026-02-15T18:00:12Z', ...attempt.ids, kind: 'agent', data: [long(65_540)] })}\n`,
      ),
  ],
  ['line', () => attempt.write('notes.jsonl', `{"a":"${long(9_000_000)}"}\n`)],
])('validate reports a value over its cap in both modes: %s', (_, exceed) => {
  exceed()
  for (const found of patient.both()) expect(found).toContain('ZCL_E_BOUNDS')
})

test('validate accepts values of exactly their cap', () => {
  patient.changeEvent({ io: { outBytes: 9, outPreview: long(16_384) } })
  patient.changeFile('feedback.json', { result: long(65_536) })
  expect(patient.check(true)).toMatchObject({ ok: true, errors: [] })
})

test('validate reports values that nest 50,000 levels deep', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const line = JSON.stringify(event(attempt)).replace('["echo","x"]', deep)
  attempt.write('tool.calls.jsonl', `${line}\n`)
  attempt.write('other.json', `{"a":${deep}}`)
  for (const found of patient.both()) expect(found).toContain('ZCL_E_BOUNDS')
})
