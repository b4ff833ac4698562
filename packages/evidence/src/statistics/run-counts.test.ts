// Lists, reports and statistics count the attempts of a run alike.
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { event, feedback, fileText, Lab, writeTrace, type LabAttempt } from '../../test/lab.ts'
import { readRun } from '../report/report.ts'
import { attemptsOf } from '../runs/runs.ts'
import { countOutcomes, countRun, readRunFacts } from './statistics.ts'

let lab: Lab
beforeEach(() => (lab = new Lab()))
afterEach(() => lab.remove())

const lenient = { strictness: 'lenient', computedAt: '2026-02-16T00:00:00.000Z' } as const

/** The counts of `zcl runs`, `zcl report` and `zcl stats`. */
async function countsOf({ runFolder }: LabAttempt) {
  const { passed, failed, infra, missingFeedback } = countRun({
    path: runFolder,
    within: runFolder,
  })
  const { task } = (await readRun(runFolder, lenient)).report.aggregate
  const stats = countOutcomes(readRunFacts(runFolder).attempts)
  expect(task).toEqual({ passed, failed, unknown: infra + missingFeedback })
  expect(stats).toMatchObject({ passed, failed, infra, missing: missingFeedback })
  return { passed, failed, infra, missing: missingFeedback }
}

function suiteWith(attempt: LabAttempt, expects: object): void {
  const suite = { suiteId: 'smoke', missions: [{ missionId: 'hello', expects }] }
  writeFileSync(path.join(attempt.runFolder, 'suite.json'), fileText(suite))
}

const isUnproven = ({ runFolder }: LabAttempt) =>
  [...attemptsOf({ path: runFolder, within: runFolder })].map(({ unproven }) => unproven === true)

test('an attempt that misses the expectations of its suite failed in every count', async () => {
  const attempt = lab.complete()
  suiteWith(attempt, { trace: { maxToolCallsTotal: 1 } })
  expect(await countsOf(attempt)).toEqual({ passed: 0, failed: 1, infra: 0, missing: 0 })
})

test('a typed infra failure is infra in every count', async () => {
  const attempt = lab.complete()
  const { result: _, ...rest } = feedback(attempt, { ok: false })
  const resultJson = { kind: 'infra_failure', code: 'ZCL_E_SPAWN', message: 'x' }
  attempt.write('feedback.json', { ...rest, resultJson })
  expect(await countsOf(attempt)).toEqual({ passed: 0, failed: 0, infra: 1, missing: 0 })
})

test('a failure of the lab counts as failed where the agent left no outcome', async () => {
  const attempt = lab.attempt()
  writeTrace(attempt, [event(attempt)])
  attempt.write('attempt.outcome.json', { schemaVersion: 1, slot: 1, outcome: 'failed' })
  expect(await countsOf(attempt)).toEqual({ passed: 0, failed: 1, infra: 0, missing: 0 })
})

test('a part of an open call is no action of its own in every count', async () => {
  const attempt = lab.attempt()
  const begin = { v: 1, ts: '2026-02-15T18:00:01.000Z', ...attempt.ids, id: 'open' }
  attempt.write('tool.begins.jsonl', `${JSON.stringify({ ...begin, tool: 'cli', op: 'exec' })}\n`)
  writeTrace(attempt, [event(attempt, { id: 'part', parentId: 'open' })])
  attempt.write('feedback.json', feedback(attempt))
  expect(await countsOf(attempt)).toEqual({ passed: 0, failed: 1, infra: 0, missing: 0 })
  expect(isUnproven(attempt)).toEqual([true])
})

test.each([
  ['whose parent follows it', [{ id: 'part', parentId: 'whole' }, { id: 'whole' }]],
  ['whose parent is made up', [{ id: 'part', parentId: 'absent' }]],
  ['that names itself as its parent', [{ id: 'part', parentId: 'part' }]],
])('a trace with a call %s proves a claim in every count', async (_what, events) => {
  const attempt = lab.attempt()
  writeTrace(
    attempt,
    events.map((each) => event(attempt, each)),
  )
  attempt.write('feedback.json', feedback(attempt))
  expect(await countsOf(attempt)).toEqual({ passed: 1, failed: 0, infra: 0, missing: 0 })
  expect(isUnproven(attempt)).toEqual([false])
})
