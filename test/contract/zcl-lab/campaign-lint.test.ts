import { existsSync, mkdirSync, renameSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type Json } from '../zcl/project.ts'
import { CampaignProject, flow } from './campaign-project.ts'

let lab: CampaignProject
beforeEach(() => {
  lab = new CampaignProject()
})
afterEach(() => lab.remove())

const findings = (json: Json) => (json.findings as { code: string }[]).map(({ code }) => code)

describe('zcl campaign lint', () => {
  test.each<[string, object, string]>([
    ['an unknown key', { pairgate: {} }, 'unknown key pairgate'],
    ['an unknown key inside', { flows: [flow('a', 'x', { comand: [] })] }, 'flows.0.runner'],
    ['no flows', { flows: [] }, 'flows is missing or not valid'],
    ['the same flow twice', { flows: [flow('a', 'x'), flow('A', 'y')] }, 'used twice'],
    ['no missions', { missionSource: undefined }, 'no missions; add missionSource'],
    ['an unknown version', { schemaVersion: 2 }, 'schemaVersion'],
    ['an unknown output', { output: { htmlPath: 'x' } }, 'unknown key htmlPath in output'],
    ['an unknown policy', { invalidRunPolicy: { on: 1 } }, 'unknown key on in invalidRunPolicy'],
    ['an unknown timeout', { timeouts: { watchdogMs: 1 } }, 'unknown key watchdogMs in timeouts'],
    [
      'an index that no mission has',
      { missionSource: { path: 'missions', selection: { mode: 'index', indexes: [0, 2] } } },
      'there is no mission at index 2',
    ],
    [
      'a range that ends beyond the last mission',
      {
        missionSource: {
          path: 'missions',
          selection: { mode: 'range', range: { start: 0, end: 2 } },
        },
      },
      'there is no mission at index 2',
    ],
    [
      'a heartbeat interval of 0 ms',
      { timeouts: { watchdogHeartbeatMs: 0 } },
      'watchdogHeartbeatMs',
    ],
  ])('refuses %s', async (_name, extra, message) => {
    const ran = await lab.zcl(['campaign', 'lint', '--spec', lab.spec(extra)])
    expect([ran.code, ran.err]).toMatchObject([2, expect.stringContaining(message)])
    expect(ran.err).toMatch(/^ZCL_E_CONTRACT: campaign.yaml: /)
  })

  test.each([
    ['an alias of itself', 'campaignId: &a [*a]', 'a list or an object contains itself'],
    ['deep nesting', `campaignId: ${'['.repeat(20_000)}`, 'it nests too deep'],
  ])('refuses %s', async (_name, text, reason) => {
    lab.write('campaign.yaml', text)
    const { code, err } = await lab.zcl(['campaign', 'lint', '--spec', 'campaign.yaml'])
    const line = `ZCL_E_INVALID_JSON: campaign.yaml is neither YAML nor JSON: ${reason}\n`
    expect([code, err]).toEqual([2, line])
  })

  test('prints one error for several findings, and all of them to standard output', async () => {
    const runner = { freshAgentPerAttempt: false }
    const spec = lab.spec({ flows: [flow('a', 'x', runner), flow('b', 'x', runner)] })
    for (const command of ['lint', 'run']) {
      const { code, err, out } = await lab.zcl(['campaign', command, '--spec', spec])
      expect(code).toBe(2)
      expect(err).toMatch(
        /^ZCL_E_CONTRACT: flows.0.runner.freshAgentPerAttempt: .*\(and 1 more\)\n$/,
      )
      for (const flows of ['flows.0', 'flows.1']) {
        expect(out).toContain(`  ZCL_E_CONTRACT  ${flows}.runner.freshAgentPerAttempt: `)
      }
      const json = await lab.zcl(['campaign', command, '--spec', spec, '--json'])
      if (json.out !== '') expect(JSON.parse(json.out)).toMatchObject({ ok: false })
    }
  })

  test.each<[string, object]>([
    ['timeouts.watchdogHardKillContinue', { timeouts: { watchdogHardKillContinue: true } }],
    [
      'missionSource.path',
      { missionSource: { path: 'missions', promptSource: { path: 'missions' } } },
    ],
    [
      'flows.0.runner.freshAgentPerAttempt',
      { flows: [flow('a', 'x', { freshAgentPerAttempt: false })] },
    ],
  ])('reports a key without effect: %s', async (place, extra) => {
    const ran = await lab.json(['campaign', 'lint', '--spec', lab.spec(extra)])
    expect([ran.code, ran.json.findings]).toMatchObject([
      2,
      [{ code: 'ZCL_E_CONTRACT', path: place }],
    ])
    expect(ran.err).toContain(`ZCL_E_CONTRACT: ${place}: `)
  })

  test('accepts x-... notes and flowGate in place of pairGate', async () => {
    lab.spec({ 'x-note': 1, flowGate: { enabled: true, 'x-why': 'because' } })
    const { code, json } = await lab.json(['campaign', 'lint', '--spec', 'campaign.yaml'])
    expect([code, json]).toMatchObject([
      0,
      { ok: true, missions: ['1-first', '2-second'], flows: ['a', 'b'] },
    ])
  })

  test('reports unsupported runners, contradictory policies, exposed oracles and contaminated prompts', async () => {
    const native = flow('n', 'x', { type: 'process_cmd', sessionIsolation: 'native' })
    const bare = flow('p', 'x', { finalization: undefined, toolDriver: { kind: 'cli_funnel' } })
    lab.write('missions/3-third.md', 'Then call zcl feedback.')
    const rule = { namespace: 'cli', prefix: 'git' }
    const both = flow('t', 'x', {}, { toolPolicy: { allow: [rule], deny: [rule] } })
    mkdirSync(path.join(lab.folder, 'inside'))
    const spec = {
      ...lab.oracles(),
      missionSource: {
        promptSource: { path: 'missions' },
        oracleSource: { path: 'inside', visibility: 'host_only' },
      },
      evaluation: { mode: 'oracle' },
      flows: [native, bare, both],
    }
    const { code, json } = await lab.json(['campaign', 'lint', '--spec', lab.spec(spec)])
    expect(code).toBe(2)
    expect(new Set(findings(json))).toEqual(
      new Set([
        'ZCL_E_RUNTIME_STRATEGY_UNSUPPORTED',
        'ZCL_E_CAMPAIGN_TOOL_DRIVER_SHIM_REQUIRED',
        'ZCL_E_CAMPAIGN_TOOL_POLICY_INVALID',
        'ZCL_E_CAMPAIGN_PROMPT_MODE_VIOLATION',
        'ZCL_E_CAMPAIGN_ORACLE_EVALUATOR_REQUIRED',
        'ZCL_E_CAMPAIGN_ORACLE_EVALUATION_ERROR',
        'ZCL_E_CAMPAIGN_ORACLE_VISIBILITY_VIOLATION',
      ]),
    )
    const run = await lab.zcl(['campaign', 'run', '--spec', 'campaign.yaml'])
    expect(run.code).toBe(2)
    expect(existsSync(lab.outRoot)).toBe(false)
    lab.spec({ promptMode: 'exam' })
    const exam = await lab.json(['campaign', 'lint', '--spec', 'campaign.yaml'])
    expect(findings(exam.json)).toContain('ZCL_E_CAMPAIGN_EXAM_PROMPT_VIOLATION')
  })
})

test('`zcl campaign doctor` exits 1 when the program of a runner is missing', async () => {
  lab.spec()
  expect((await lab.json(['campaign', 'doctor', '--spec', 'campaign.yaml'])).json.ok).toBe(true)
  renameSync(path.join(lab.folder, 'agent.sh'), path.join(lab.folder, 'gone.sh'))
  const { code, json } = await lab.json(['campaign', 'doctor', '--spec', 'campaign.yaml'])
  expect([code, json.ok]).toEqual([1, false])
})
