import { createHash } from 'node:crypto'
import { appendFileSync, readFileSync, unlinkSync } from 'node:fs'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Lab, type LabAttempt } from '../../test/lab.ts'
import { Patient } from '../../test/validating.ts'

let lab: Lab
let attempt: LabAttempt
let patient: Patient

const hash = (name: string) =>
  createHash('sha256')
    .update(readFileSync(attempt.file(name)))
    .digest('hex')

/** What the harness writes when the attempt ends. */
function record(over: object = {}): void {
  const none = { events: 2, added: 0, removed: 0, feedbackForged: false, changed: [] }
  const hashes = { traceSha256: hash('tool.calls.jsonl'), feedbackSha256: hash('feedback.json') }
  attempt.write('harness.record.json', { schemaVersion: 1, ...none, ...hashes, ...over })
}

beforeEach(() => {
  lab = new Lab()
  attempt = lab.complete()
  patient = new Patient(attempt)
})
afterEach(() => lab.remove())

const forged = (name: string) => ({
  code: 'ZCL_E_FORGED_EVIDENCE',
  path: name,
  message:
    name === 'harness.record.json'
      ? 'the evidence of the attempt differed from what its funnels reported'
      : 'it is not what the harness recorded',
})

test('validate accepts evidence that is as the harness recorded it', () => {
  record()
  expect(patient.check(true).errors).toEqual([])
})

test('validate reports a trace or an outcome that changed after the attempt', () => {
  record()
  appendFileSync(attempt.file('tool.calls.jsonl'), '\n')
  appendFileSync(attempt.file('feedback.json'), '\n')
  const { errors } = patient.check(false)
  expect(errors).toEqual([forged('tool.calls.jsonl'), forged('feedback.json')])
})

test('validate reports an outcome that was deleted, and one that the harness never saw', () => {
  record()
  unlinkSync(attempt.file('feedback.json'))
  expect(patient.check(false).errors).toContainEqual(forged('feedback.json'))
  attempt.write('feedback.json', {})
  record({ traceSha256: null })
  expect(patient.check(false).errors).toContainEqual(forged('tool.calls.jsonl'))
})

test('validate reports evidence that was forged during the attempt, unless the run trusts it', () => {
  for (const over of [{ added: 1 }, { removed: 2 }, { feedbackForged: true }, { changed: ['x'] }]) {
    record(over)
    expect(patient.check(false).errors).toEqual([forged('harness.record.json')])
    record({ ...over, trusted: true })
    expect(patient.check(true).errors).toEqual([])
  }
})

test.each([
  { added: 0, removed: 0, changed: [] },
  { added: '1', removed: '1', feedbackForged: 'true', changed: 'x' },
  { traceSha256: 1, feedbackSha256: undefined },
])('validate accepts a record of the harness with %j', (over) => {
  record(over)
  expect(patient.check(true).errors).toEqual([])
})

test('validate trusts evidence only if the record says so', () => {
  record({ added: 1, trusted: 'true' })
  expect(patient.check(true).errors).toEqual([forged('harness.record.json')])
})

test('validate accepts an attempt that had no trace when the harness recorded it', () => {
  unlinkSync(attempt.file('tool.calls.jsonl'))
  attempt.write('harness.record.json', { traceSha256: null, feedbackSha256: hash('feedback.json') })
  expect(patient.check(false).errors).toEqual([])
})
