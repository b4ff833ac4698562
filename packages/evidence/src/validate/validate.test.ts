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

test('a complete attempt and its run are valid', () => {
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

test.each(['/nowhere', '/tmp', '/etc/passwd'])('%s is neither attempt nor run', (place) => {
  expect(patient.check(false, place)).toMatchObject({
    ok: false,
    target: 'unknown',
    errors: [{ code: 'ZCL_E_USAGE', path: '.' }],
  })
})

test('a missing attempt.json or run.json is an error in its place', () => {
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

test('missing trace and feedback: errors when strict, else warnings', () => {
  unlinkSync(attempt.file('feedback.json'))
  unlinkSync(attempt.file('tool.calls.jsonl'))
  expect(patient.both()).toEqual([
    ['ZCL_E_MISSING_ARTIFACT', 'ZCL_E_MISSING_ARTIFACT'],
    ['ZCL_W_MISSING_ARTIFACT', 'ZCL_W_MISSING_ARTIFACT'],
  ])
})

test.each([undefined, '', '\n'])('an outcome without any action is a bypass (%j)', (content) => {
  if (content === undefined) unlinkSync(attempt.file('tool.calls.jsonl'))
  else attempt.write('tool.calls.jsonl', content)
  const [strict, lenient] = patient.both()
  expect(strict).toContain('ZCL_E_FUNNEL_BYPASS')
  expect(lenient).toContain('ZCL_W_FUNNEL_BYPASS_SUSPECTED')
  expect(patient.check(false).ok).toBe(true)
})

test('an empty trace without an outcome is missing evidence', () => {
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
])('%s that does not parse, or is no object, is invalid JSON in both modes', (name) => {
  for (const content of ['{', '[]', '"x"', 'null', '']) {
    attempt.write(name, content)
    for (const found of patient.both()) expect(found).toContain('ZCL_E_INVALID_JSON')
  }
})

test.each(['tool.calls.jsonl', 'notes.jsonl', 'captures.jsonl', 'other.jsonl'])(
  'a line of %s that is no object is invalid in both modes',
  (name) => {
    const before = name === 'tool.calls.jsonl' ? attempt.read(name) : ''
    for (const line of ['{"torn', '[1]', '5', 'null', '\u0000']) {
      attempt.write(name, `${before}${line}\n`)
      for (const found of patient.both()) expect(found).toContain('ZCL_E_INVALID_JSONL')
    }
  },
)

test('a line that is not UTF-8 is invalid', () => {
  const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xff]), Buffer.from('"}\n')])
  writeFileSync(attempt.file('notes.jsonl'), bytes)
  for (const found of patient.both()) expect(found).toContain('ZCL_E_INVALID_JSONL')
})

test('a blank line is an error only when strict', () => {
  attempt.write('tool.calls.jsonl', attempt.read('tool.calls.jsonl').replace('\n', '\n\n'))
  expect(patient.both()).toEqual([['ZCL_E_INVALID_JSONL'], []])
})

test('unknown versions are not supported in either mode', () => {
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

test('a run.json without a layout version is read as version 1', () => {
  const run = { schemaVersion: 1, runId, suiteId: 'smoke', createdAt: '2026-02-15T18:00:12Z' }
  writeFileSync(path.join(attempt.runFolder, 'run.json'), fileText(run))
  expect(patient.check(true, attempt.runFolder).ok).toBe(true)
})

test.each(['runId', 'missionId', 'attemptId'])(
  'another %s in any artifact is a mismatch',
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

test('ids that differ from the folders are mismatches', () => {
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

test.each([{ suiteId: 'other' }, { agentId: 'somebody' }])(
  'another suite or agent of an event is as strict as the mode (%j)',
  (over) => {
    patient.changeEvent(over)
    expect(patient.both()).toEqual([['ZCL_E_ID_MISMATCH'], ['ZCL_W_ID_MISMATCH']])
  },
)

test('the agent of attempt.json may be named by its events', () => {
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
  ['v', undefined],
])('envelope field %s missing or wrong is an error in both modes', (key, value) => {
  if (value === undefined) patient.changeEvent({}, [key])
  else {
    writeTrace(attempt, [{ ...event(attempt), [key]: value }])
  }
  for (const found of patient.both()) expect(found).toContain('ZCL_E_CONTRACT')
})

test.each([
  ['durationMs', { result: { ok: true, durationMs: -1 } }],
  ['durationMs', { result: { ok: true, durationMs: 1.5 } }],
  ['outBytes', { io: { outBytes: 'x' } }],
])('%s of the wrong kind is an error in both modes (%#)', (_, over) => {
  patient.changeEvent(over)
  for (const found of patient.both()) expect(found).toEqual(['ZCL_E_CONTRACT'])
})

test.each([
  ['argv is empty', { input: { argv: [] } }],
  ['argv is missing', { input: {} }],
  ['argv is no list of strings', { input: { argv: [1] } }],
  ['mcp without a method', { tool: 'mcp', op: 'tools/call', input: { id: 1 } }],
  ['http without a method', { tool: 'http', op: 'request', input: { url: 'http://x' } }],
  ['http without a url', { tool: 'http', op: 'request', input: { method: 'GET' } }],
  ['redactions of the wrong type', { redactionsApplied: 'x' }],
  ['a chain that is no hash', { chain: 'x' }],
  ['warnings of the wrong type', { warnings: [{ code: 1 }] }],
])('%s: an error when strict, else a warning', (_, over) => {
  patient.changeEvent(over)
  const [strict, lenient] = patient.both()
  expect(strict).toContain('ZCL_E_CONTRACT')
  expect(lenient).not.toContain('ZCL_E_CONTRACT')
  expect(lenient).toContain('ZCL_W_CONTRACT')
})

test.each(['spawn', 'stderr', 'timeout', 'idle-timeout', 'limit'])(
  'an mcp event %s needs no method',
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
])('attempt.json with %j', (over, lenient) => {
  patient.changeFile('attempt.json', over)
  expect(patient.codes(true)).toContain('ZCL_E_CONTRACT')
  expect(patient.codes(false)).toContain(lenient)
})

test('an outcome has exactly one kind of result', () => {
  patient.changeFile('feedback.json', { resultJson: {} })
  expect(patient.codes(true)).toEqual(['ZCL_E_CONTRACT'])
  patient.changeFile('feedback.json', {}, ['result', 'resultJson'])
  expect(patient.codes(true)).toEqual(['ZCL_E_CONTRACT'])
})

test.each([{ classification: 'vibes' }, { decisionTags: ['great'] }])(
  'words outside the lists of the contract (%j)',
  (over) => {
    patient.changeFile('feedback.json', over)
    expect(patient.both()).toEqual([['ZCL_E_CONTRACT'], ['ZCL_W_CONTRACT']])
  },
)

test('a time that is not RFC 3339 is as strict as the mode, also in the envelope', () => {
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
])('a cap exceeded is an error in both modes: %s', (_, exceed) => {
  exceed()
  for (const found of patient.both()) expect(found).toContain('ZCL_E_BOUNDS')
})

test('values of exactly their cap are fine', () => {
  patient.changeEvent({ io: { outBytes: 9, outPreview: long(16_384) } })
  patient.changeFile('feedback.json', { result: long(65_536) })
  expect(patient.check(true)).toMatchObject({ ok: true, errors: [] })
})

test('values that nest without end are over their bounds, not a crash', () => {
  const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const line = JSON.stringify(event(attempt)).replace('["echo","x"]', deep)
  attempt.write('tool.calls.jsonl', `${line}\n`)
  attempt.write('other.json', `{"a":${deep}}`)
  for (const found of patient.both()) expect(found).toContain('ZCL_E_BOUNDS')
})
