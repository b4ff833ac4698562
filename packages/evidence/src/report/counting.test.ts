// What counts as a call, how long an attempt took, and when a claim is proven.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { event, feedback, Lab, writeTrace, type LabAttempt } from '../../test/lab.ts'
import { openCallsOf } from '../events/events.ts'
import { supersededTries } from '../runs/runs.ts'
import { validate } from '../validate/validate.ts'
import { makeReport, readRunBackground } from './make-report.ts'
import { readRun } from './report.ts'

let lab: Lab
let attempt: LabAttempt
beforeEach(() => {
  lab = new Lab()
  attempt = lab.attempt({ startedAt: '2026-02-15T18:00:00.000Z' })
})
afterEach(() => lab.remove())

const computedAt = '2026-02-16T00:00:00.000Z'
const settings = { strictness: 'lenient', computedAt } as const

function reportOf(level: 'action' | 'all' = 'action', costOf?: () => number) {
  const { folder, runFolder, ids } = attempt
  const place = { folder, runFolder, name: ids.attemptId }
  return makeReport(place, readRunBackground(runFolder), { ...settings, level, costOf }).report
}

const rpc = (id: number, method: string, params?: object) => ({ id, method, params })

test('an MCP tools/call is one call, and the rest of the session is counted apart', () => {
  writeTrace(attempt, [
    event(attempt, { tool: 'mcp', op: 'spawn', input: { argv: ['server'] } }),
    event(attempt, { tool: 'mcp', op: 'initialize', input: rpc(1, 'initialize') }),
    event(attempt, { tool: 'mcp', op: 'unknown', input: rpc(2, 'ping'), result: { ok: false } }),
    event(attempt, { tool: 'mcp', op: 'tools/call', input: rpc(3, 'tools/call', { name: 'x' }) }),
  ])
  expect(reportOf().metrics).toMatchObject({
    toolCallsTotal: 1,
    failuresTotal: 0,
    protocolEventsTotal: 3,
    protocolEventsByOp: { initialize: 1, spawn: 1, unknown: 1 },
  })
})

test('identical MCP calls with other ids and _meta are tries of one call', () => {
  const call = (id: number) =>
    event(attempt, {
      tool: 'mcp',
      op: 'tools/call',
      input: rpc(id, 'tools/call', { name: 'find', arguments: { q: 1 }, _meta: { token: id } }),
      result: { ok: false, code: 'MCP_TOOL_ERROR' },
    })
  writeTrace(attempt, [call(1), call(2), call(3)])
  const { metrics, findings } = reportOf()
  expect(metrics.retriesTotal).toBe(2)
  expect(findings?.[0]?.message).toBe('the same call failed 3 times: mcp find')
})

test('a nested call counts once at the level action, and a made-up parent hides no call', () => {
  writeTrace(attempt, [
    event(attempt, { id: 'inner', parentId: 'outer' }),
    event(attempt, { id: 'outer' }),
    event(attempt, { id: 'alone', parentId: 'absent' }),
  ])
  expect(reportOf().metrics).toMatchObject({ toolCallsTotal: 2, nestedCallsTotal: 1 })
  expect(reportOf('all').metrics).toMatchObject({ toolCallsTotal: 3, nestedCallsTotal: 0 })
})

test('only a call that started while its parent ran is nested', () => {
  const at = (ms: number) => new Date(Date.UTC(2026, 1, 15, 18, 0, 0, ms)).toISOString()
  const part = (ms: number, id: string) => event(attempt, { ts: at(ms), id, parentId: 'whole' })
  const result = { ok: true, exitCode: 0, durationMs: 50 }
  writeTrace(attempt, [
    part(97, 'before'),
    part(100, 'first'),
    part(180, 'after-a-slow-begin-line'),
    event(attempt, { ts: at(100), id: 'whole', result }),
    part(150, 'left-running'),
    part(153, 'late'),
    event(attempt, { ts: 'none', id: 'undated', parentId: 'whole' }),
  ])
  expect(reportOf().metrics).toMatchObject({ toolCallsTotal: 4, nestedCallsTotal: 3 })
})

test('the level all counts more calls and changes no verdict', () => {
  writeTrace(attempt, [
    event(attempt, { id: 'inner', parentId: 'outer' }),
    event(attempt, { id: 'outer' }),
  ])
  attempt.write('feedback.json', feedback(attempt))
  const expects = { trace: { maxToolCallsTotal: 1 } }
  const suite = { suiteId: 'smoke', missions: [{ missionId: 'hello', expects }] }
  attempt.write('../../suite.json', suite)
  const [action, all] = [reportOf(), reportOf('all')]
  expect(action.expectations).toEqual({ evaluated: true, ok: true, failures: [] })
  expect(all.expectations).toEqual(action.expectations)
  expect(all.metrics.toolCallsTotal).toBe(2)
  const begin = { v: 1, ts: '2026-02-15T18:00:01.000Z', ...attempt.ids, id: 'open' }
  attempt.write('tool.begins.jsonl', `${JSON.stringify({ ...begin, tool: 'cli', op: 'exec' })}\n`)
  writeTrace(attempt, [event(attempt, { id: 'inner', parentId: 'open' })])
  expect(reportOf('all')).toMatchObject({ unproven: true, metrics: { toolCallsTotal: 1 } })
})

test('an ignored call is stored and counted apart', () => {
  writeTrace(attempt, [event(attempt, { ignored: true }), event(attempt)])
  expect(reportOf().metrics).toMatchObject({ toolCallsTotal: 1, ignoredCallsTotal: 1 })
})

test('wall time runs from the start of the attempt to its outcome, or to the end of the last call', () => {
  const late = { ts: '2026-02-15T18:00:02.000Z', result: { ok: true, durationMs: 7000 } }
  writeTrace(attempt, [event(attempt), event(attempt, late)])
  expect(reportOf().metrics.wallTimeMs).toBe(9000)
  attempt.write('feedback.json', feedback(attempt, { createdAt: '2026-02-15T18:00:09.500Z' }))
  expect(reportOf().metrics.wallTimeMs).toBe(9500)
  attempt.write('feedback.json', feedback(attempt, { createdAt: '2026-02-15T18:00:03.000Z' }))
  expect(reportOf().metrics.wallTimeMs).toBe(9000)
})

test('a call that began and has no event is open: the report counts it and validate names it', () => {
  writeTrace(attempt, [event(attempt, { id: 'ended' })])
  attempt.write('feedback.json', feedback(attempt))
  const begin = (id: string) =>
    JSON.stringify({
      v: 1,
      ts: '2026-02-15T18:00:01.000Z',
      ...attempt.ids,
      id,
      tool: 'cli',
      op: 'exec',
      input: { argv: ['killer'] },
    })
  attempt.write('tool.begins.jsonl', `${begin('ended')}\n${begin('open')}\n`)
  expect(reportOf().metrics.openCallsTotal).toBe(1)
  const from = { path: attempt.folder, within: attempt.runFolder }
  expect(openCallsOf(from).map(([id]) => id)).toEqual(['open'])
  const strict = validate('.', attempt.folder, { strict: true })
  expect(strict.errors).toEqual([
    expect.objectContaining({
      code: 'ZCL_E_OPEN_CALL',
      message: expect.stringContaining('the call open (cli exec killer) began') as string,
    }),
  ])
  const lenient = validate('.', attempt.folder, { strict: false })
  expect(lenient.ok).toBe(true)
  expect(lenient.warnings.map(({ code }) => code)).toContain('ZCL_W_OPEN_CALL')
})

test('a claim without a recorded action is unproven and does not pass, unless the attempt allows it', async () => {
  writeTrace(attempt, [event(attempt, { tool: 'mcp', op: 'spawn' })])
  attempt.write('feedback.json', feedback(attempt))
  expect(reportOf()).toMatchObject({ ok: true, unproven: true })
  const run = await readRun(attempt.runFolder, settings)
  expect(run.report.aggregate).toMatchObject({ passed: 0, failed: 1, unproven: 1 })
  attempt.write('attempt.json', { ...attempt.json('attempt.json'), allowUnproven: true })
  expect(reportOf().unproven).toBeUndefined()
})

test('the outcome of the lab counts in the report of a run, not the claim of the agent', async () => {
  writeTrace(attempt, [event(attempt, {})])
  attempt.write('feedback.json', feedback(attempt, { ok: true }))
  const totals = async (outcome: string) => {
    attempt.write('attempt.outcome.json', { schemaVersion: 1, slot: 1, outcome })
    const { ok, aggregate } = (await readRun(attempt.runFolder, settings)).report
    return { ok, ...aggregate.task }
  }
  expect(await totals('passed')).toEqual({ ok: true, passed: 1, failed: 0, unknown: 0 })
  expect(await totals('failed')).toEqual({ ok: false, passed: 0, failed: 1, unknown: 0 })
  expect(await totals('infra')).toEqual({ ok: false, passed: 0, failed: 0, unknown: 1 })
})

test('typed infra feedback of the harness is valid without an action', () => {
  const { result: _, ...rest } = feedback(attempt, { ok: false })
  const resultJson = { kind: 'infra_failure', code: 'ZCL_E_SPAWN', message: 'x' }
  attempt.write('feedback.json', { ...rest, resultJson })
  expect(validate('.', attempt.folder, { strict: true }).errors).toEqual([])
  const { folder, runFolder, ids } = attempt
  const place = { folder, runFolder, name: ids.attemptId }
  const strict = { strictness: 'strict', computedAt } as const
  expect(() => makeReport(place, readRunBackground(runFolder), strict)).not.toThrow()
})

test('of several tries of one planned attempt, the first answer counts', async () => {
  lab.complete({}, '002-hello-r1')
  lab.complete({}, '002-hello-r2')
  const names = ['001-hello-r1', '002-hello-r1', '002-hello-r2']
  expect([...supersededTries(attempt.runFolder, names)]).toEqual(['002-hello-r2'])
  const { report } = await readRun(attempt.runFolder, settings)
  expect(report.aggregate).toMatchObject({ attemptsTotal: 2, passed: 1, superseded: 1 })
})

test('a shim that was asked for and never called is a warning in the report', () => {
  attempt.write('attempt.json', { ...attempt.json('attempt.json'), shims: ['git', 'echo'] })
  writeTrace(attempt, [event(attempt, { input: { argv: ['/usr/bin/git', 'status'] } })])
  expect(reportOf().warnings).toEqual([
    { code: 'ZCL_W_SHIM_UNUSED', message: 'the shim of echo was never called' },
  ])
})

test('the cost of an attempt comes from the tokens that its runner reported', () => {
  writeTrace(attempt, [event(attempt)])
  expect(reportOf('action', () => 4.5).tokenEstimates).not.toHaveProperty('costUsd')
  attempt.write('runner.metrics.json', {
    schemaVersion: 1,
    runner: 'x',
    model: 'm',
    inputTokens: 1,
  })
  expect(reportOf('action', () => 4.5).tokenEstimates?.costUsd).toBe(4.5)
})

test('a pointer of a capture that leaves the attempt is ZCL_E_CONTAINMENT at any depth', () => {
  const outside = ['../x', '/etc/passwd', 'captures/../../x']
  const captures: unknown[] = outside.map((stdoutPath) => ({ capture: { stdoutPath } }))
  captures.push({ capture: { path: '../x' } })
  let deep: object = { capture: { errPath: '../x' } }
  for (let level = 0; level < 20; level++) deep = { deep }
  for (const enrichment of [...captures, deep]) {
    writeTrace(attempt, [event(attempt, { enrichment })])
    const codes = validate('.', attempt.folder, { strict: false }).errors.map(({ code }) => code)
    expect(codes).toContain('ZCL_E_CONTAINMENT')
  }
})

test('a run report with an absolute path of another writer is a warning, not a containment error', () => {
  lab.complete({}, '001-hello-r1')
  const report = {
    ...{ schemaVersion: 1, ok: true, target: 'run', runId: attempt.ids.runId, suiteId: 'smoke' },
    ...{ path: '/home/me/.zcl/runs/x', attempts: [] },
    aggregate: {
      ...{ attemptsTotal: 0, passed: 0, failed: 0, evidence: { complete: 0, incomplete: 0 } },
      ...{
        task: { passed: 0, failed: 0, unknown: 0 },
        orchestration: { healthy: 0, infraFailed: 0 },
      },
    },
  }
  attempt.write('../../run.report.json', report)
  const checked = validate('.', attempt.runFolder, { strict: true })
  expect(checked.errors).toEqual([])
  expect(checked.warnings.map(({ path }) => path)).toContain('run.report.json')
  attempt.write('../../run.report.json', { ...report, path: '../x' })
  const escaped = validate('.', attempt.runFolder, { strict: true })
  expect(escaped.errors.map(({ code }) => code)).toEqual(['ZCL_E_CONTAINMENT'])
})
