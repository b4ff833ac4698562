import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readJson, until } from '../zcl/project.ts'
import { CampaignProject, flow } from './campaign-project.ts'

let lab: CampaignProject
beforeEach(() => {
  lab = new CampaignProject()
})
afterEach(() => lab.remove())

test.each<[object, string[]]>([
  [{ mode: 'all' }, ['1-first', '2-second']],
  [{ mode: 'mission_id', missionIds: ['2_Second'] }, ['2-second']],
  [{ mode: 'index', indexes: [1] }, ['2-second']],
  [{ mode: 'range', range: { start: 0, end: 0 } }, ['1-first']],
])('missions are selected by %j', async (selection, missions) => {
  lab.spec({ missionSource: { path: 'missions', selection } })
  const { json } = await lab.json(['campaign', 'lint', '--spec', 'campaign.yaml'])
  expect(json).toMatchObject({ ok: true, missions })
})

describe('the watchdog of a campaign', () => {
  const slow = (flowId: string) => flow(flowId, 'x', { command: ['./slow.sh'] })
  const answer = `echo 'ZCL_RESULT_JSON:{"ok":true,"answer":"x"}'`

  test('writes heartbeats while an attempt runs, and `campaign status` lists the attempt', async () => {
    lab.agent(`until [ -f go ]; do sleep 0.05; done; ${answer}`, 'slow.sh')
    lab.spec({ timeouts: { watchdogHeartbeatMs: 50 }, flows: [slow('a')] })
    const state = path.join(lab.campaignFolder(), 'campaign.run.state.json')
    const beats = () => (existsSync(state) ? readJson(state).heartbeatAt : undefined)
    const running = lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
    await until(() => beats() !== undefined, 'a beat')
    const first = beats()
    await until(() => beats() !== first, 'another beat')
    const status = await lab.json(['campaign', 'status', '--campaign-id', 'two-texts'])
    expect(status.json).toMatchObject({
      status: 'running',
      heartbeatAt: expect.stringMatching(/Z$/),
      running: [{ flowId: 'a', missionId: '1-first' }],
    })
    lab.write('go', '')
    expect((await running).json.status).toBe('valid')
    expect(readJson(state)).toMatchObject({ status: 'valid' })
    expect(readJson(state)).not.toHaveProperty('running')
  })

  test.each<[string, object, object]>([
    [
      'continues after a kill by default',
      {},
      { status: 'invalid', summary: { verifiedOk: 1, missing: 0 } },
    ],
    [
      'continues after a kill with watchdogHardKillContinue true',
      { watchdogHardKillContinue: true },
      { status: 'invalid', summary: { verifiedOk: 1, missing: 0 } },
    ],
    [
      'aborts the campaign after a kill with watchdogHardKillContinue false',
      { watchdogHardKillContinue: false },
      { status: 'aborted', code: 'ZCL_E_TIMEOUT', summary: { verifiedOk: 0, missing: 1 } },
    ],
  ])('%s', async (_what, timeouts, expected) => {
    lab.agent(
      `[ "$ZCL_MISSION_ID" = 2-second ] || { zcl run -- true; sleep 60; }; ${answer}`,
      'slow.sh',
    )
    lab.spec({ timeouts: { missionEnvelopeMs: 2500, ...timeouts }, flows: [slow('a')] })
    const { code, json } = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
    expect(code).toBe(2)
    expect(json).toMatchObject(expected)
    expect(json.summary).toMatchObject({
      failureBuckets: { infra: 1 },
      topCodes: expect.arrayContaining([{ code: 'ZCL_E_TIMEOUT', count: 1 }]),
    })
    const [a = ''] = lab.runIds()
    const run = { folder: lab.runFolder(a) }
    const feedback = lab.artifact(run, '001-1-first-r1', 'feedback.json')
    expect(feedback).toMatchObject({
      ok: false,
      resultJson: { kind: 'infra_failure', code: 'ZCL_E_TIMEOUT' },
    })
  })
})

describe('the keys output and invalidRunPolicy of a campaign', () => {
  const dead = () => flow('b', 'x', { command: ['./absent'] })

  test('make run and report copy the results to the paths in output', async () => {
    lab.spec({
      output: {
        reportPath: 'out/r.json',
        summaryPath: path.join(lab.root, 'elsewhere/s.json'),
        resultsPath: 'out/R.md',
      },
    })
    const pairs = () =>
      [
        ['campaign.report.json', path.join(lab.folder, 'out/r.json')],
        ['campaign.summary.json', path.join(lab.root, 'elsewhere/s.json')],
        ['RESULTS.md', path.join(lab.folder, 'out/R.md')],
      ].map(([own = '', copy = '']) => [
        readFileSync(path.join(lab.campaignFolder(), own), 'utf8'),
        readFileSync(copy, 'utf8'),
      ])
    expect((await lab.zcl(['campaign', 'canary', '--spec', 'campaign.yaml'])).code).toBe(0)
    expect(existsSync(path.join(lab.folder, 'out'))).toBe(false)
    expect((await lab.zcl(['campaign', 'run', '--spec', 'campaign.yaml'])).code).toBe(0)
    for (const [own, copy] of pairs()) expect(copy).toBe(own)
    lab.write('out/R.md', 'old')
    expect((await lab.zcl(['campaign', 'report', '--spec', 'campaign.yaml'])).code).toBe(0)
    for (const [own, copy] of pairs()) expect(copy).toBe(own)
  })

  test('make report and publish-check refuse an invalid campaign unless --force or the policy accepts it', async () => {
    const refusals = async (id: string) => [
      (await lab.zcl(['campaign', 'report', '--campaign-id', id])).code,
      (await lab.zcl(['campaign', 'publish-check', '--campaign-id', id])).code,
    ]
    const policies = { none: {}, yes: { publishRequiresValid: true } }
    for (const [campaignId, invalidRunPolicy] of Object.entries(policies)) {
      lab.spec({ campaignId, invalidRunPolicy, flows: [flow('a', 'x'), dead()] })
      expect((await lab.zcl(['campaign', 'run', '--spec', 'campaign.yaml'])).code).toBe(2)
      expect(await refusals(campaignId)).toEqual([2, 2])
    }
    const invalidRunPolicy = { publishRequiresValid: false }
    lab.spec({ campaignId: 'no', invalidRunPolicy, flows: [flow('a', 'x'), dead()] })
    expect((await lab.zcl(['campaign', 'run', '--spec', 'campaign.yaml'])).code).toBe(2)
    expect(await refusals('no')).toEqual([0, 0])
  })
})

test('a campaign passes its limits for MCP proxies to the runner', async () => {
  lab.agent('env | grep ^ZCL_MCP_ | sort > seen; zcl feedback --ok --result x >/dev/null')
  const mcp = { maxToolCalls: 7, idleTimeoutMs: 500, shutdownOnComplete: true }
  lab.spec({ totalMissions: 1, flows: [flow('a', 'x', { mcp, finalization: undefined })] })
  expect((await lab.zcl(['campaign', 'run', '--spec', 'campaign.yaml'])).code).toBe(0)
  expect(readFileSync(path.join(lab.folder, 'seen'), 'utf8')).toBe(
    'ZCL_MCP_IDLE_TIMEOUT_MS=500\nZCL_MCP_MAX_TOOL_CALLS=7\nZCL_MCP_SHUTDOWN_ON_COMPLETE=1\n',
  )
})

test('the hook afterMission runs after every mission, even when a mission failed', async () => {
  lab.spec({
    flows: [flow('a', 'x', { command: ['./absent'] })],
    cleanup: {
      afterMission: ['sh', '-c', 'echo "after $ZCL_MISSION_ID" >> hooks'],
      onFailure: ['sh', '-c', 'echo "failure $ZCL_MISSION_ID" >> hooks'],
    },
  })
  await lab.zcl(['campaign', 'run', '--spec', 'campaign.yaml'])
  expect(readFileSync(path.join(lab.folder, 'hooks'), 'utf8')).toBe(
    'failure 1-first\nafter 1-first\nfailure 2-second\nafter 2-second\n',
  )
})

test('`zcl contract` prints the schema of a campaign specification with the keys that lint accepts', async () => {
  const { json } = await lab.json(['contract'])
  const schema = json.campaignSchema as { properties: object; required: string[] }
  expect(schema).toMatchObject({
    type: 'object',
    additionalProperties: false,
    patternProperties: { '^x-': {} },
    required: ['schemaVersion', 'campaignId', 'flows'],
  })
  expect(Object.keys(schema.properties)).toEqual([
    ...['schemaVersion', 'campaignId', 'outRoot', 'promptMode', 'totalMissions', 'canaryMissions'],
    ...[
      'failFast',
      'allowUnproven',
      'missionSource',
      'evaluation',
      'execution',
      'pairGate',
      'flowGate',
      'semantic',
    ],
    ...['noContext', 'cleanup', 'timeouts', 'output', 'invalidRunPolicy', 'flows'],
  ])
})
