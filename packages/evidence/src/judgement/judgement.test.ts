import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Lab } from '../../test/lab.ts'
import type { ReportFile } from '../schema/schema.ts'
import { judgeAttempt, judgeReport } from './judgement.ts'

let lab: Lab
beforeEach(() => {
  lab = new Lab()
})
afterEach(() => lab.remove())

const report = (fields: object) => fields as ReportFile
const infraFailure = { kind: 'infra_failure', code: 'ZCL_E_SPAWN' }
const spawn = { outcome: 'infra', infraCode: 'ZCL_E_SPAWN' }
const timeout = { outcome: 'infra', infraCode: 'ZCL_E_TIMEOUT' }
const unproven = { outcome: 'failed', unproven: true }

describe('judgeReport', () => {
  test.each([
    ['no outcome', {}, { outcome: 'missing' }],
    ['no outcome of a deadline', { timedOutBeforeFirstToolCall: true }, { outcome: 'missing' }],
    ['a pass', { ok: true }, { outcome: 'passed' }],
    ['a failure', { ok: false }, { outcome: 'failed' }],
    [
      'a failure with another result',
      { ok: false, resultJson: { kind: 'x' } },
      { outcome: 'failed' },
    ],
    ['an infrastructure failure', { ok: false, resultJson: infraFailure }, spawn],
    ['a pass of that kind', { ok: true, resultJson: infraFailure }, { outcome: 'passed' }],
    [
      'an infrastructure failure without a text as code',
      { ok: false, resultJson: { kind: 'infra_failure', code: 7 } },
      { outcome: 'infra', infraCode: undefined },
    ],
    ['a deadline before the first call', { ok: false, timedOutBeforeFirstToolCall: true }, timeout],
    [
      'a deadline after the first call',
      { ok: false, timedOutBeforeFirstToolCall: false },
      { outcome: 'failed' },
    ],
    [
      'a pass before the first call',
      { ok: true, timedOutBeforeFirstToolCall: true },
      { outcome: 'passed' },
    ],
    ['an unproven pass', { ok: true, unproven: true }, unproven],
    ['an unproven failure', { ok: false, unproven: true }, unproven],
    ['a proven pass', { ok: true, unproven: false }, { outcome: 'passed' }],
    [
      'a pass that meets the expectations',
      { ok: true, expectations: { evaluated: true, ok: true } },
      { outcome: 'passed' },
    ],
    [
      'a pass that misses the expectations',
      { ok: true, expectations: { evaluated: true, ok: false } },
      { outcome: 'failed' },
    ],
    [
      'a pass whose expectations were not evaluated',
      { ok: true, expectations: { evaluated: false, ok: false } },
      { outcome: 'passed' },
    ],
    [
      'a failure that meets the expectations',
      { ok: false, expectations: { evaluated: true, ok: true } },
      { outcome: 'failed' },
    ],
  ])('judges %s', (_, fields, judgement) => {
    expect(judgeReport(report(fields))).toStrictEqual(judgement)
  })
})

describe('judgeAttempt', () => {
  test.each([
    [undefined, undefined, { outcome: 'missing' }],
    ['passed', undefined, { outcome: 'passed' }],
    ['passed', 'ZCL_E_UNPROVEN', { outcome: 'passed' }],
    ['failed', undefined, { outcome: 'failed' }],
    ['failed', 'ZCL_E_UNPROVEN', unproven],
    ['failed', 'ZCL_E_TIMEOUT', { outcome: 'failed' }],
    ['infra', 'ZCL_E_SPAWN', spawn],
    ['infra', undefined, { outcome: 'infra', infraCode: 'infra' }],
    ['abandoned', undefined, { outcome: 'infra', infraCode: 'abandoned' }],
  ])('judges the outcome %s with the code %s of the lab', (outcome, code, judgement) => {
    const attempt = lab.attempt()
    const judged = { schemaVersion: 1, ...attempt.ids, slot: 1, outcome, code }
    if (outcome !== undefined) {
      attempt.write('attempt.outcome.json', { ...judged, endedAt: '2026-02-15T18:00:31.000Z' })
    }
    const from = { path: attempt.folder, within: attempt.runFolder }
    expect(judgeAttempt(report({}), from)).toStrictEqual(judgement)
  })
})
