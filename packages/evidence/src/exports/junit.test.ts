import { afterEach, beforeEach, expect, test } from 'vitest'
import { createRedactor } from '@zee/core/redact'
import { event, feedback, Lab, writeTrace, type LabAttempt } from '../../test/lab.ts'
import { junitText } from './junit.ts'
import { openExport } from './source.ts'

let lab: Lab
beforeEach(() => (lab = new Lab()))
afterEach(() => lab.remove())

test('a JUnit export leaves out tags and a result that are no text', async () => {
  const attempt = lab.complete()
  const strange = { toString: 1, valueOf: 2 }
  const damaged = { ok: false, result: strange, decisionTags: ['blocked', strange, null] }
  attempt.write('feedback.json', { ...feedback(attempt), ...damaged })
  const xml = await exported(attempt)
  expect(xml).toContain('<failure type="blocked" message="blocked">null</failure>')
})

test('a JUnit export counts the actions of the agent and the wall time of the report', async () => {
  const attempt = lab.attempt({ startedAt: '2026-02-15T18:00:00.000Z' })
  writeTrace(attempt, [
    event(attempt, { tool: 'mcp', op: 'spawn' }),
    event(attempt, { id: 'part', parentId: 'whole', result: { ok: false, code: 'X' } }),
    event(attempt, { ignored: true }),
    event(attempt, { id: 'whole', result: { ok: true, durationMs: 60_000 } }),
  ])
  attempt.write('feedback.json', feedback(attempt))
  const xml = await exported(attempt)
  expect(xml).toContain('<system-out>1 calls, 0 failed</system-out>')
  expect(xml).toContain('time="61.000"')
  expect(xml).toContain('failures="0" errors="0" skipped="0"')
})

test('a JUnit export judges expectations and typed infra failures as the report does', async () => {
  const attempt = lab.complete()
  const expects = { trace: { maxToolCallsTotal: 1 } }
  attempt.write('../../suite.json', {
    suiteId: 'smoke',
    missions: [{ missionId: 'hello', expects }],
  })
  expect(await exported(attempt)).toContain(
    '<failure type="blocked" message="the expectations of the mission are not met">',
  )
  const { result: _, ...rest } = feedback(attempt, { ok: false })
  const resultJson = { kind: 'infra_failure', code: 'ZCL_E_SPAWN', message: 'no runner' }
  attempt.write('feedback.json', { ...rest, resultJson })
  expect(await exported(attempt)).toContain('<error type="ZCL_E_SPAWN" message="no runner"/>')
})

async function exported({ runFolder, ids }: LabAttempt): Promise<string> {
  const run = { kind: 'run', folder: runFolder, name: ids.runId } as const
  let xml = ''
  for await (const part of junitText(await openExport(run, createRedactor({}), 'refuse')))
    xml += part
  return xml
}
