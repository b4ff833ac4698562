import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { event, feedback, Lab, runId, writeChained, writeTrace } from '../../test/lab.ts'
import type { Event, LabAttempt } from '../../test/lab.ts'
import { Patient } from '../../test/validating.ts'
import { reportAttempt, reportRun } from '../report/report.ts'

let lab: Lab
let attempt: LabAttempt
let patient: Patient

beforeEach(() => {
  lab = new Lab()
  attempt = lab.complete()
  patient = new Patient(attempt)
})
afterEach(() => lab.remove())

const long = (bytes: number) => 'x'.repeat(bytes)

test.each(['attempt.json', 'tool.calls.jsonl', 'feedback.json', 'notes.jsonl', 'prompt.txt'])(
  'validate reports %s if it is a symlink out of the run',
  (name) => {
    rmSync(attempt.file(name), { force: true })
    const outside = path.join(lab.root, 'outside')
    writeFileSync(outside, '{"secret":1}\n')
    symlinkSync(outside, attempt.file(name))
    for (const found of patient.both()) expect(found).toContain('ZCL_E_CONTAINMENT')
  },
)

test('validate follows a symlink that stays in the run', () => {
  renameSync(attempt.file('feedback.json'), path.join(attempt.runFolder, 'kept'))
  symlinkSync('../../kept', attempt.file('feedback.json'))
  expect(patient.check(true).ok).toBe(true)
})

test('validate reports an attempt folder that is a symlink out of the run', () => {
  const outside = path.join(lab.root, 'elsewhere', '002-hello-r1')
  cpSync(attempt.folder, outside, { recursive: true })
  const link = path.join(attempt.runFolder, 'attempts', '002-hello-r1')
  symlinkSync(outside, link)
  for (const strict of [true, false]) {
    expect(patient.check(strict, attempt.runFolder).errors).toContainEqual(
      expect.objectContaining({ code: 'ZCL_E_CONTAINMENT', path: 'attempts/002-hello-r1' }),
    )
    expect(patient.codes(strict, link)).toContain('ZCL_E_CONTAINMENT')
  }
})

test('validate does not enter an attempts folder that is a symlink out of the run', () => {
  const outside = path.join(lab.root, 'attempts-elsewhere')
  renameSync(path.join(attempt.runFolder, 'attempts'), outside)
  symlinkSync(outside, path.join(attempt.runFolder, 'attempts'))
  expect(patient.check(false, attempt.runFolder).errors).toMatchObject([
    { code: 'ZCL_E_CONTAINMENT', path: 'attempts' },
  ])
})

test('validate reports pointers that leave their folder', () => {
  patient.changeFile('attempt.json', { scratchDir: '../../x', attemptEnvSh: 'a/b' })
  for (const strict of [true, false]) {
    expect(patient.codes(strict)).toEqual(['ZCL_E_CONTAINMENT', 'ZCL_E_CONTAINMENT'])
  }
})

test('validate reports a pipe or a folder instead of an artifact, without blocking', () => {
  unlinkSync(attempt.file('feedback.json'))
  mkdirSync(attempt.file('feedback.json'))
  expect(patient.codes(false)).toContain('ZCL_E_CONTRACT')
  for (const name of ['feedback.json', 'prompt.txt', 'tool.calls.jsonl']) {
    rmSync(attempt.file(name), { recursive: true, force: true })
    execFileSync('mkfifo', [attempt.file(name)])
    expect(patient.check(false).errors).toContainEqual(
      expect.objectContaining({ code: 'ZCL_E_CONTRACT', path: name }),
    )
  }
})

test.each([
  `ghp_${'a1B2'.repeat(9)}`,
  `sk-proj-${'a1B2'.repeat(8)}`,
  'AKIAABCDEFGHIJKLMNOP',
  `glpat-${'a1B2'.repeat(5)}`,
])('validate reports a stored secret in previews, keys, escapes and prompts (%s)', (secret) => {
  patient.changeEvent({ io: { outBytes: 9, outPreview: `x ${secret} y` } })
  expect(patient.both()).toEqual([['ZCL_E_UNSAFE_EVIDENCE'], ['ZCL_W_UNSAFE_EVIDENCE']])
  patient.changeEvent({ [secret]: 1 })
  const { errors } = patient.check(true)
  expect(errors.map(({ code }) => code)).toEqual(['ZCL_E_UNSAFE_EVIDENCE'])
  expect(JSON.stringify(errors)).not.toContain(secret)
  patient.changeEvent({})
  const escaped = `\\u00${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`
  attempt.write('feedback.json', attempt.read('feedback.json').replace('"x"', `"${escaped}"`))
  expect(patient.codes(true)).toEqual(['ZCL_E_UNSAFE_EVIDENCE'])
  attempt.write('feedback.json', feedback(attempt))
  attempt.write('prompt.txt', `use ${secret}`)
  expect(patient.codes(true)).toEqual(['ZCL_E_UNSAFE_EVIDENCE'])
})

test('validate accepts git hashes, UUIDs and redaction marks', () => {
  const text = `${'0123456789abcdef'.repeat(2)}01234567 123e4567-e89b-42d3-a456-426614174000 sk-learn [REDACTED:GITHUB_TOKEN]`
  patient.changeEvent({ io: { outBytes: 9, outPreview: text } })
  expect(patient.check(true).ok).toBe(true)
})

function captureLine(over: Event = {}, stdout = 'x'): string {
  const capture = {
    v: 1,
    ts: '2026-02-15T18:00:12Z',
    ...attempt.ids,
    tool: 'cli',
    op: 'exec',
    input: { argv: ['x'] },
    stdoutPath: 'captures/cli/1.stdout.log',
    stderrPath: 'captures/cli/1.stderr.log',
    stdoutBytes: 1,
    stderrBytes: 0,
    stdoutSha256: createHash('sha256').update(stdout).digest('hex'),
    stderrSha256: createHash('sha256').update('').digest('hex'),
    stdoutTruncated: false,
    stderrTruncated: false,
    redacted: true,
    redactionsApplied: [],
    maxBytes: 10,
    ...over,
  }
  return `${JSON.stringify(capture)}\n`
}

test('validate reports captures that are missing, outside the run or over their cap', () => {
  mkdirSync(attempt.file('captures/cli'), { recursive: true })
  attempt.write('captures/cli/1.stdout.log', 'x')
  attempt.write('captures/cli/1.stderr.log', '')
  attempt.write('captures.jsonl', captureLine())
  expect(patient.check(true)).toMatchObject({ ok: true })
  attempt.write('captures/cli/1.stdout.log', long(11))
  expect(patient.codes(false)).toContain('ZCL_E_BOUNDS')
  unlinkSync(attempt.file('captures/cli/1.stdout.log'))
  expect(patient.both()).toEqual([['ZCL_E_MISSING_ARTIFACT'], ['ZCL_W_MISSING_ARTIFACT']])
  attempt.write('captures.jsonl', captureLine({ stdoutPath: '../../../../x' }))
  expect(patient.codes(false)).toContain('ZCL_E_CONTAINMENT')
})

test.each([
  ['a link out of the run', 'captures/link.log'],
  ['reached over a link out of the run', 'captures/folder/outside'],
])('validate reports an event whose capture is %s', (_what, pointer) => {
  mkdirSync(attempt.file('captures'))
  const outside = path.join(lab.root, 'elsewhere')
  mkdirSync(outside)
  writeFileSync(path.join(outside, 'outside'), 'x')
  symlinkSync(path.join(outside, 'outside'), attempt.file('captures/link.log'))
  symlinkSync(outside, attempt.file('captures/folder'))
  attempt.write('captures/inside.log', 'x')
  const capturedAt = (stdoutPath: string) =>
    writeTrace(attempt, [event(attempt, { enrichment: { capture: { stdoutPath } } })])
  capturedAt('captures/inside.log')
  expect(patient.codes(true)).toEqual([])
  capturedAt(pointer)
  for (const codes of patient.both()) expect(codes).toContain('ZCL_E_CONTAINMENT')
})

test('validate reports a raw capture as a warning, and as an error in ci mode', () => {
  mkdirSync(attempt.file('captures/cli'), { recursive: true })
  attempt.write('captures/cli/1.stdout.log', 'ghp_a')
  attempt.write('captures/cli/1.stderr.log', '')
  attempt.write('captures.jsonl', captureLine({ redacted: false }, 'ghp_a'))
  expect(patient.both()).toEqual([['ZCL_W_UNSAFE_EVIDENCE'], ['ZCL_W_UNSAFE_EVIDENCE']])
  patient.changeFile('attempt.json', { mode: 'ci' })
  expect(patient.codes(false)).toEqual(['ZCL_E_UNSAFE_EVIDENCE'])
})

test('validate is strict for attempts in ci mode', () => {
  patient.changeFile('attempt.json', { mode: 'ci' })
  unlinkSync(attempt.file('feedback.json'))
  expect(patient.check(false)).toMatchObject({ ok: false, strict: true })
  expect(patient.check(false, attempt.runFolder).ok).toBe(false)
})

const options = { strictness: 'lenient', computedAt: '2026-02-16T00:00:00.000Z' } as const

async function seal(): Promise<string[]> {
  const lines = writeChained(
    attempt,
    [1, 2, 3, 4].map((second) => event(attempt, { ts: `2026-02-15T18:00:0${second}.000Z` })),
  )
  const { folder, runFolder } = attempt
  await reportAttempt({ folder, runFolder, name: attempt.ids.attemptId }, options)
  expect(patient.check(true)).toMatchObject({ ok: true, warnings: [] })
  return lines
}

test('validate locates an edit after the report, in both modes', async () => {
  const lines = await seal()
  lines[1] = (lines[1] ?? '').replace('"durationMs":1', '"durationMs":2')
  attempt.write('tool.calls.jsonl', `${lines.join('\n')}\n`)
  for (const strict of [true, false]) {
    const [first] = patient.check(strict).errors
    expect(first).toMatchObject({ code: 'ZCL_E_CHAIN_BROKEN', path: 'tool.calls.jsonl' })
    expect(first?.message).toMatch(/^line 2 /)
  }
})

test('validate reports removed lines, also if the complete trace is removed', async () => {
  const lines = await seal()
  attempt.write('tool.calls.jsonl', `${lines.slice(0, 3).join('\n')}\n`)
  expect(patient.check(false).errors[0]).toMatchObject({ message: 'line 4 was removed' })
  unlinkSync(attempt.file('tool.calls.jsonl'))
  expect(patient.codes(false)).toContain('ZCL_E_CHAIN_BROKEN')
})

test('validate warns that lines were appended after the report', async () => {
  await seal()
  const more = `${JSON.stringify(event(attempt))}\n`
  attempt.write('tool.calls.jsonl', attempt.read('tool.calls.jsonl') + more)
  const result = patient.check(true)
  expect(result.errors).toEqual([])
  expect(result.warnings.map(({ code }) => code).sort()).toEqual([
    'ZCL_W_CONTRACT',
    'ZCL_W_REPORT_STALE',
  ])
})

test('validate warns about an edit that no report covers', () => {
  const lines = writeChained(attempt, [event(attempt), event(attempt)])
  attempt.write('tool.calls.jsonl', `${lines.join('\n').replace('"echo"', '"echa"')}\n`)
  expect(patient.check(true)).toMatchObject({ ok: true, warnings: [{ code: 'ZCL_W_CONTRACT' }] })
})

test('validate accepts unknown fields', () => {
  patient.changeEvent({ extra: { deep: [1] }, result: { more: 1 }, io: { more: 2 } })
  patient.changeFile('feedback.json', { extra: 1 })
  patient.changeFile('attempt.json', { extra: 1 })
  expect(patient.check(true)).toMatchObject({ ok: true, warnings: [] })
})

test('validate warns about a file among the attempts', () => {
  writeFileSync(path.join(attempt.runFolder, 'attempts', 'notes.txt'), 'x')
  expect(patient.check(true, attempt.runFolder)).toMatchObject({
    ok: true,
    warnings: [{ path: 'attempts/notes.txt' }],
  })
})

test('validate reports all damage, not only the first', () => {
  writeTrace(attempt, [event(attempt, { v: 2 }), event(attempt, { runId: 'x' })])
  attempt.write('notes.jsonl', 'x\n')
  patient.changeFile('feedback.json', { ok: 'yes' })
  const other = lab.complete({}, '002-hello-r1')
  other.write('feedback.json', '{')
  const found = patient
    .check(true, attempt.runFolder)
    .errors.map(({ code, path: place }) => [code, place.replace('attempts/', '')])
  expect(found).toEqual([
    ['ZCL_E_SCHEMA_UNSUPPORTED', '001-hello-r1/tool.calls.jsonl'],
    ['ZCL_E_ID_MISMATCH', '001-hello-r1/tool.calls.jsonl'],
    ['ZCL_E_CONTRACT', '001-hello-r1/feedback.json'],
    ['ZCL_E_INVALID_JSONL', '001-hello-r1/notes.jsonl'],
    ['ZCL_E_INVALID_JSON', '002-hello-r1/feedback.json'],
  ])
})

test('validate accepts a moved run with its reports', async () => {
  await seal()
  await reportRun(attempt.runFolder, options)
  const moved = path.join(lab.root, 'moved', runId)
  mkdirSync(path.dirname(moved))
  renameSync(attempt.runFolder, moved)
  expect(patient.check(true, moved)).toMatchObject({ ok: true, errors: [], warnings: [] })
  const alone = path.join(lab.root, 'alone', attempt.ids.attemptId)
  cpSync(path.join(moved, 'attempts', attempt.ids.attemptId), alone, { recursive: true })
  expect(patient.check(true, alone)).toMatchObject({ ok: true, errors: [] })
})

test('validate lists at most 1,000 findings of one file and notes that there are more', () => {
  attempt.write('notes.jsonl', 'x\n'.repeat(5000))
  expect(patient.check(false).errors).toHaveLength(1001)
})
