import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readJson } from '../zcl/project.ts'
import { fromFile, LabProject, type SuiteRun } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

const silent = 'zcl run -- true'
const speaking = 'zcl run -- true; zcl feedback --ok --result x >/dev/null'

const feedbackOf = (run: SuiteRun, attemptId = '001-one-r1') =>
  path.join(run.folder, 'attempts', attemptId, 'feedback.json')

describe('an agent that gives no feedback', () => {
  test.each<[string, string[]]>([
    ['by default', []],
    ['under the feedback policy auto_fail', ['--feedback-policy', 'auto_fail']],
    ['under the finalization mode auto_fail', ['--finalization-mode', 'auto_fail']],
    ['with a result channel', fromFile],
  ])('%s gets a typed infra failure, even when it traced a call', async (_when, flags) => {
    const run = await lab.suiteRun(flags, [lab.agent(silent)])
    expect(run.code).toBe(2)
    expect(run.json).toMatchObject({ ok: false, passed: 0, failed: 0, infra: 1 })
    expect(run.json.attempts).toMatchObject([
      { ok: false, outcome: 'infra', code: 'ZCL_E_MISSION_RESULT_MISSING' },
    ])
    expect(readJson(feedbackOf(run))).toMatchObject({
      ok: false,
      resultJson: { kind: 'infra_failure', code: 'ZCL_E_MISSION_RESULT_MISSING' },
      decisionTags: ['blocked'],
    })
    expect(run.err).toMatch(/^ZCL_E_MISSION_RESULT_MISSING: 001-one-r1 did not pass: infra$/m)
  })

  test.each<[string, string[], object]>([
    ['the feedback policy strict', ['--feedback-policy', 'strict'], {}],
    ['the finalization mode strict', ['--finalization-mode', 'strict'], {}],
    ['the default of the suite', [], { defaults: { feedbackPolicy: 'strict' } }],
    ['strict with a result channel', [...fromFile, '--feedback-policy', 'strict'], {}],
  ])('fails under %s, and no feedback is written', async (_what, flags, suite) => {
    lab.suite(undefined, suite)
    for (const body of [silent, 'exit 0']) {
      const run = await lab.suiteRun(flags, [lab.agent(body)])
      expect(run.code).toBe(2)
      expect(run.json).toMatchObject({ failed: 1, infra: 0 })
      expect(run.json.attempts).toMatchObject([{ code: 'ZCL_E_MISSION_RESULT_MISSING' }])
      expect(existsSync(feedbackOf(run))).toBe(false)
    }
  })

  test('is judged by the flag before the default of the suite', async () => {
    lab.suite(undefined, { defaults: { feedbackPolicy: 'strict' } })
    const run = await lab.suiteRun(['--feedback-policy', 'auto_fail'], [lab.agent(silent)])
    expect(run.json).toMatchObject({ feedbackPolicy: 'auto_fail', infra: 1 })
  })

  test('and cannot start is an infra failure under strict too', async () => {
    const run = await lab.suiteRun(['--feedback-policy', 'strict'], ['./absent'])
    expect(run.json).toMatchObject({ failed: 0, infra: 1 })
    expect(existsSync(feedbackOf(run))).toBe(false)
  })

  test('stops a run with --fail-fast', async () => {
    const run = await lab.suiteRun(['--fail-fast', '--total', '4'], [lab.agent(silent)])
    expect(run.json).toMatchObject({ infra: 1, failed: 0, pending: 3 })
  })

  test('is run again by resume under auto_fail, and not under strict', async () => {
    const agent = lab.agent(`${silent}; [ ! -f go ] || zcl feedback --ok --result x >/dev/null`)
    const auto = await lab.suiteRun([], [agent])
    const strict = await lab.suiteRun(['--feedback-policy', 'strict'], [agent])
    lab.write('go', '')
    const again = await lab.resume(auto.json.runId)
    expect([again.code, again.json]).toMatchObject([0, { passed: 1, infra: 0, failed: 0 }])
    expect(lab.attempts(auto)).toEqual(['001-one-r1', '001-one-r2'])
    const kept = await lab.resume(strict.json.runId)
    expect([kept.code, kept.json]).toMatchObject([2, { passed: 0, failed: 1 }])
    expect(lab.attempts(strict)).toEqual(['001-one-r1'])
  })

  test('is counted separately from failures in reports, statistics and comparisons', async () => {
    const body = `case "$ZCL_ATTEMPT_ID" in 001-*) ${silent};; *) ${speaking};; esac`
    const run = await lab.suiteRun(['--total', '3'], [lab.agent(body)])
    expect(run.json).toMatchObject({ passed: 2, failed: 0, infra: 1 })
    const report = await lab.json(['report', run.folder])
    expect(report.json.aggregate).toMatchObject({
      passed: 2,
      failed: 0,
      orchestration: { infraFailed: 1, infraFailureByCode: { ZCL_E_MISSION_RESULT_MISSING: 1 } },
    })
    const { json: stats } = await lab.json(['stats', run.json.runId])
    expect(stats.suites).toMatchObject([{ rate: { passed: 2, judged: 2 }, infra: 1 }])
    const list = await lab.json(['runs', 'list'])
    expect(list.json.runs).toMatchObject([{ attempts: 3, passed: 2, failed: 0, infra: 1 }])
    const junit = await lab.zcl(['export', '--format', 'junit', run.folder])
    expect(junit.out).toContain('tests="3" failures="0" errors="1" skipped="0"')
    expect(junit.out).toContain('<error type="ZCL_E_MISSION_RESULT_MISSING" message="the runner ')
    const compared = await lab.json(['compare', run.json.runId, run.json.runId])
    expect(compared.code).toBe(0)
    expect(compared.json.onTheseMissions).toMatchObject({ difference: 0, p: 1 })
    expect(JSON.stringify(compared.json.missions)).toContain('"infra":1')
  })

  test.each([
    ['only started an MCP server', 'zcl mcp proxy -- true </dev/null', 'infra'],
    ['made a call that its recorder did not survive', "zcl run -- sh -c 'kill -9 $PPID'", 'failed'],
  ])('that %s before it crashed is judged %s', async (_what, body, outcome) => {
    const agent = lab.agent(`(${body}) >/dev/null 2>&1; exit 7`)
    const run = await lab.suiteRun(['--feedback-policy', 'strict'], [agent])
    expect(run.json.attempts).toMatchObject([{ outcome }])
  })

  test('makes a campaign invalid, because there is nothing to compare', async () => {
    lab.write('missions/one.md', 'go')
    const flow = (flowId: string, body: string) => ({
      flowId,
      runner: { type: 'process_cmd', command: [lab.agent(body, `${flowId}.sh`)] },
    })
    lab.write('campaign.yaml', {
      schemaVersion: 1,
      campaignId: 'quiet',
      missionSource: { path: 'missions' },
      flows: [flow('a', speaking), flow('b', silent)],
    })
    const { code, json } = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
    expect([code, json]).toMatchObject([
      2,
      { status: 'invalid', summary: { failureBuckets: { infra: 1, mission: 0 } } },
    ])
  })
})
