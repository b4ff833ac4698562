import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { linesOf, readJson, until, type Json } from '../zcl/project.ts'
import { LabProject } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
  lab.write('missions/1-first.md', 'What is one and one?')
  lab.write('missions/2-second.md', 'What is the capital of France?')
  lab.agent(
    `case "$ZCL_MISSION_ID" in 1-first) a=2;; *) a="$SECOND";; esac
echo "ZCL_RESULT_JSON:{\\"ok\\":true,\\"answer\\":\\"$a\\"}"`,
  )
})
afterEach(() => lab.remove())

function flow(flowId: string, second: string, runner: object = {}, extra: object = {}) {
  return {
    flowId,
    ...extra,
    runner: {
      type: 'process_cmd',
      command: ['./agent.sh'],
      env: { SECOND: second },
      finalization: {
        mode: 'auto_from_result_json',
        resultChannel: { kind: 'stdout_json' },
      },
      ...runner,
    },
  }
}

function write(extra: object = {}): string {
  lab.write('campaign.yaml', {
    schemaVersion: 1,
    campaignId: 'Two Texts',
    missionSource: { path: 'missions' },
    flows: [flow('a', 'Paris'), flow('b', 'Lyon')],
    ...extra,
  })
  return 'campaign.yaml'
}

/** Oracles outside of the folder in which agents work. */
function oracles(): object {
  const place = '../oracles'
  lab.write(`${place}/1-first.json`, { rules: [{ field: 'answer', op: 'num_eq', value: 2 }] })
  lab.write(`${place}/2-second.yaml`, {
    rules: [{ field: 'answer', op: 'eq', value: 'Paris', normalizers: ['trim'] }],
  })
  return {
    promptMode: 'exam',
    missionSource: {
      promptSource: { path: 'missions' },
      oracleSource: { path: place, visibility: 'host_only' },
    },
    evaluation: { mode: 'oracle', evaluator: { kind: 'builtin_rules' } },
  }
}

const findings = (json: Json) => (json.findings as { code: string }[]).map(({ code }) => code)
const campaignFolder = (id = 'two-texts') => path.join(lab.outRoot, 'campaigns', id)

describe('a campaign', () => {
  test('runs each flow once per mission, asks the oracle, and writes its results', async () => {
    write({ ...oracles(), execution: { flowMode: 'parallel' } })
    const { code, json } = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
    expect([code, json]).toMatchObject([0, { ok: true, campaignId: 'two-texts', status: 'valid' }])
    expect(json.summary).toMatchObject({
      missionsTotal: 2,
      claimedOk: 4,
      verifiedOk: 3,
      mismatches: 1,
      missing: 0,
      failureBuckets: { infra: 0, oracle: 1, mission: 0 },
      flows: [
        { flowId: 'a', verifiedOk: 2 },
        { flowId: 'b', verifiedOk: 1 },
      ],
    })
    const folder = campaignFolder()
    const keys = linesOf(path.join(folder, 'campaign.progress.jsonl')).map(
      (step) => step.idempotencyKey,
    )
    expect(keys.sort()).toEqual([
      'two-texts:a:0',
      'two-texts:a:1',
      'two-texts:b:0',
      'two-texts:b:1',
    ])
    expect(readFileSync(path.join(folder, 'RESULTS.md'), 'utf8')).toContain('| b |')
    const [, second] = readJson(path.join(folder, 'campaign.plan.json')).flows as {
      runId: string
    }[]
    const verdict = lab.artifact(
      { folder: lab.runFolder(second?.runId ?? '') },
      '002-2-second-r1',
      'oracle.verdict.json',
    )
    expect(verdict).toMatchObject({
      ok: false,
      mismatches: [{ class: 'semantic', field: 'answer' }],
    })
    expect(JSON.stringify(verdict)).not.toContain('Paris')
    const check = await lab.json(['campaign', 'publish-check', '--campaign-id', 'two-texts'])
    expect([check.code, check.json.ok]).toEqual([0, true])
    const again = await lab.zcl(['campaign', 'run', '--spec', 'campaign.yaml'])
    expect([again.code, again.err]).toMatchObject([2, /^ZCL_E_USAGE: .*resume/])
    const status = await lab.json(['campaign', 'status', '--spec', 'campaign.yaml'])
    expect(status.json).toMatchObject({ status: 'valid', attempts: { planned: 4, done: 4 } })
  })

  test('a script can be the oracle; one that cannot answer makes the campaign invalid', async () => {
    const spec = oracles()
    const script =
      'read line; case "$line" in *Lyon*) echo "{\\"ok\\":false,\\"message\\":\\"no\\"}";; *) echo "{\\"ok\\":true}";; esac'
    const by = (command: string[]) => ({
      ...spec,
      evaluation: { mode: 'oracle', evaluator: { kind: 'script', command } },
    })
    write(by(['sh', '-c', script]))
    const { json } = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
    expect(json).toMatchObject({ status: 'valid', summary: { verifiedOk: 3 } })
    write({ ...by(['sh', '-c', 'exit 3']), campaignId: 'broken' })
    const broken = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
    expect([broken.code, broken.json.status]).toEqual([2, 'invalid'])
    const codes = (broken.json.summary as { topCodes: { code: string }[] }).topCodes
    expect(codes.map(({ code }) => code)).toContain('ZCL_E_CAMPAIGN_ORACLE_EVALUATION_ERROR')
  })

  test('killed with SIGKILL it resumes, and no attempt is made twice', async () => {
    lab.agent(
      `echo "$ZCL_FLOW_ID $ZCL_MISSION_ID" >> ran
[ "$ZCL_MISSION_ID$ZCL_FLOW_ID" = 2-secondb ] && [ ! -f go ] && { touch waiting; sleep 60; }
echo 'ZCL_RESULT_JSON:{"ok":true,"answer":"x"}'`,
    )
    write()
    await lab.zcl(['campaign', 'run', '--spec', 'campaign.yaml'], {
      onStart: (child) => {
        void until(() => existsSync(path.join(lab.folder, 'waiting')), 'the last attempt').then(
          () => child.kill('SIGKILL'),
        )
      },
    })
    const before = await lab.json(['campaign', 'status', '--campaign-id', 'two-texts'])
    expect(before.json).toMatchObject({ status: 'running', attempts: { done: 3 } })
    const refused = await lab.zcl(['campaign', 'report', '--campaign-id', 'two-texts'])
    expect([refused.code, refused.err]).toMatchObject([2, /^ZCL_E_CAMPAIGN_/])
    expect(
      (await lab.zcl(['campaign', 'report', '--campaign-id', 'two-texts', '--force'])).code,
    ).toBe(0)
    lab.write('go', '')
    const { code, json } = await lab.json(['campaign', 'resume', '--spec', 'campaign.yaml'])
    expect([code, json.status]).toEqual([0, 'valid'])
    const ran = readFileSync(path.join(lab.folder, 'ran'), 'utf8').trim().split('\n')
    expect(ran).toEqual(['a 1-first', 'b 1-first', 'a 2-second', 'b 2-second', 'b 2-second'])
    write({ failFast: true })
    const drift = await lab.zcl(['campaign', 'resume', '--spec', 'campaign.yaml'])
    expect(drift.err).toMatch(/^ZCL_E_CAMPAIGN_STATE_DRIFT: /)
  })

  test('a gate stops it when the first mission cannot be compared', async () => {
    const dead = flow('b', 'x', { command: ['./absent'] })
    write({
      flows: [flow('a', 'Paris'), dead],
      pairGate: { enabled: true, stopOnFirstMissionFailure: true },
    })
    const { code, json, err } = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
    expect([code, json.status]).toEqual([2, 'aborted'])
    expect(err).toMatch(/^ZCL_E_CAMPAIGN_FIRST_MISSION_GATE_FAILED: /m)
    expect(json.summary).toMatchObject({ missing: 2, failureBuckets: { infra: 1 } })
  })

  test('a canary is a campaign of its own', async () => {
    write({ canaryMissions: 1 })
    const { json } = await lab.json(['campaign', 'canary', '--spec', 'campaign.yaml'])
    expect(json).toMatchObject({ campaignId: 'two-texts-canary', summary: { missionsTotal: 1 } })
    expect(existsSync(campaignFolder())).toBe(false)
  })

  test('tool policies, hooks, workspaces and templates do what they say', async () => {
    lab.agent(
      'pwd > "$HOME/where"; uname >/dev/null; cp "$ZCL_PROMPT_PATH" "$HOME/p"; zcl feedback --ok --result x >/dev/null',
    )
    lab.write('template.md', 'Use {{env.SECOND}}. {{prompt}} ({{missionId}})')
    const traced = { toolDriver: { kind: 'cli_funnel', shims: ['uname'] }, finalization: undefined }
    write({
      missionSource: {
        path: 'missions',
        selection: { mode: 'mission_id', missionIds: ['1-first'] },
      },
      cleanup: { beforeMission: ['sh', '-c', 'echo $ZCL_MISSION_ID >> hooks'] },
      flows: [
        flow(
          'a',
          'care',
          { ...traced, cwd: { mode: 'temp_empty_per_attempt' } },
          {
            promptTemplate: { path: 'template.md', allowRunnerEnvKeys: ['SECOND'] },
          },
        ),
        flow('b', 'x', traced, { toolPolicy: { deny: [{ namespace: 'cli', prefix: 'uname' }] } }),
      ],
    })
    const { json } = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
    expect(json).toMatchObject({ status: 'invalid', summary: { verifiedOk: 1 } })
    expect(JSON.stringify(json.summary)).toContain('ZCL_E_CAMPAIGN_TOOL_POLICY_VIOLATION')
    expect(readFileSync(path.join(lab.folder, 'hooks'), 'utf8')).toBe('1-first\n')
    const [a] = readJson(path.join(campaignFolder(), 'campaign.plan.json')).flows as {
      runId: string
    }[]
    const home = path.join(lab.outRoot, 'tmp', a?.runId ?? '', '001-1-first-r1/home')
    expect(readFileSync(path.join(home, 'p'), 'utf8')).toBe(
      'Use care. What is one and one? (1-first)',
    )
    const where = readFileSync(path.join(home, 'where'), 'utf8').trim()
    expect(where).toContain('work-')
    expect(existsSync(where)).toBe(false)
    const built = await lab.json(['mission', 'prompts', 'build', '--spec', 'campaign.yaml'])
    expect(built.json.prompts).toMatchObject([
      { flowId: 'a', missionId: '1-first' },
      { flowId: 'b' },
    ])
  })
})

describe('the watchdog of a campaign', () => {
  const slow = (flowId: string) => flow(flowId, 'x', { command: ['./slow.sh'] })
  const answer = `echo 'ZCL_RESULT_JSON:{"ok":true,"answer":"x"}'`

  test('beats while an attempt runs, and status says what runs', async () => {
    lab.agent(`until [ -f go ]; do sleep 0.05; done; ${answer}`, 'slow.sh')
    write({ timeouts: { watchdogHeartbeatMs: 50 }, flows: [slow('a')] })
    const state = path.join(campaignFolder(), 'campaign.run.state.json')
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
    ['goes on after a kill', {}, { status: 'invalid', summary: { verifiedOk: 1, missing: 0 } }],
    [
      'goes on when it is told to',
      { watchdogHardKillContinue: true },
      { status: 'invalid', summary: { verifiedOk: 1, missing: 0 } },
    ],
    [
      'stops after a kill when it must not go on',
      { watchdogHardKillContinue: false },
      { status: 'aborted', code: 'ZCL_E_TIMEOUT', summary: { verifiedOk: 0, missing: 1 } },
    ],
  ])('%s', async (_what, timeouts, expected) => {
    lab.agent(
      `[ "$ZCL_MISSION_ID" = 2-second ] || { zcl run -- true; sleep 60; }; ${answer}`,
      'slow.sh',
    )
    write({ timeouts: { missionEnvelopeMs: 1500, ...timeouts }, flows: [slow('a')] })
    const { code, json } = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
    expect(code).toBe(2)
    expect(json).toMatchObject(expected)
    expect(json.summary).toMatchObject({
      failureBuckets: { infra: 1 },
      topCodes: expect.arrayContaining([{ code: 'ZCL_E_TIMEOUT', count: 1 }]),
    })
    const [a] = readJson(path.join(campaignFolder(), 'campaign.plan.json')).flows as {
      runId: string
    }[]
    const run = { folder: lab.runFolder(a?.runId ?? '') }
    const feedback = lab.artifact(run, '001-1-first-r1', 'feedback.json')
    expect(feedback).toMatchObject({
      ok: false,
      resultJson: { kind: 'infra_failure', code: 'ZCL_E_TIMEOUT' },
    })
  })
})

describe('output and invalidRunPolicy', () => {
  const dead = () => flow('b', 'x', { command: ['./absent'] })

  test('copies of the results go where output wants them, by run and by report', async () => {
    write({
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
        readFileSync(path.join(campaignFolder(), own), 'utf8'),
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

  test('what is invalid is refused unless it is forced or the policy puts up with it', async () => {
    const refusals = async (id: string) => [
      (await lab.zcl(['campaign', 'report', '--campaign-id', id])).code,
      (await lab.zcl(['campaign', 'publish-check', '--campaign-id', id])).code,
    ]
    const policies = { none: {}, yes: { publishRequiresValid: true } }
    for (const [campaignId, invalidRunPolicy] of Object.entries(policies)) {
      write({ campaignId, invalidRunPolicy, flows: [flow('a', 'x'), dead()] })
      expect((await lab.zcl(['campaign', 'run', '--spec', 'campaign.yaml'])).code).toBe(2)
      expect(await refusals(campaignId)).toEqual([2, 2])
    }
    const invalidRunPolicy = { publishRequiresValid: false }
    write({ campaignId: 'no', invalidRunPolicy, flows: [flow('a', 'x'), dead()] })
    expect((await lab.zcl(['campaign', 'run', '--spec', 'campaign.yaml'])).code).toBe(2)
    expect(await refusals('no')).toEqual([0, 0])
  })
})

test('limits for MCP proxies reach the runner', async () => {
  lab.agent('env | grep ^ZCL_MCP_ | sort > seen; zcl feedback --ok --result x >/dev/null')
  const mcp = { maxToolCalls: 7, idleTimeoutMs: 500, shutdownOnComplete: true }
  write({ totalMissions: 1, flows: [flow('a', 'x', { mcp, finalization: undefined })] })
  expect((await lab.zcl(['campaign', 'run', '--spec', 'campaign.yaml'])).code).toBe(0)
  expect(readFileSync(path.join(lab.folder, 'seen'), 'utf8')).toBe(
    'ZCL_MCP_IDLE_TIMEOUT_MS=500\nZCL_MCP_MAX_TOOL_CALLS=7\nZCL_MCP_SHUTDOWN_ON_COMPLETE=1\n',
  )
})

test('the hook after a mission runs after every mission, also when an earlier one failed', async () => {
  write({
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

test('the contract holds the schema of a specification, with the same keys that lint takes', async () => {
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
    ...['failFast', 'missionSource', 'evaluation', 'execution', 'pairGate', 'flowGate', 'semantic'],
    ...['noContext', 'cleanup', 'timeouts', 'output', 'invalidRunPolicy', 'flows'],
  ])
})

describe('lint', () => {
  test.each<[string, object, string]>([
    ['an unknown key', { pairgate: {} }, 'unknown key pairgate'],
    ['an unknown key inside', { flows: [flow('a', 'x', { comand: [] })] }, 'flows.0.runner'],
    ['no flows', { flows: [] }, 'flows is missing or not valid'],
    ['the same flow twice', { flows: [flow('a', 'x'), flow('A', 'y')] }, 'there twice'],
    ['no missions', { missionSource: undefined }, 'where are the missions'],
    ['an unknown version', { schemaVersion: 2 }, 'schemaVersion'],
    ['an unknown output', { output: { htmlPath: 'x' } }, 'unknown key htmlPath in output'],
    ['an unknown policy', { invalidRunPolicy: { on: 1 } }, 'unknown key on in invalidRunPolicy'],
    ['an unknown timeout', { timeouts: { watchdogMs: 1 } }, 'unknown key watchdogMs in timeouts'],
    ['a beat of no length', { timeouts: { watchdogHeartbeatMs: 0 } }, 'watchdogHeartbeatMs'],
  ])('refuses %s', async (_name, extra, message) => {
    const ran = await lab.zcl(['campaign', 'lint', '--spec', write(extra)])
    expect([ran.code, ran.err]).toMatchObject([2, expect.stringContaining(message)])
    expect(ran.err).toMatch(/^ZCL_E_CONTRACT: campaign.yaml: /)
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
  ])('names a key that can have no effect: %s', async (place, extra) => {
    const ran = await lab.json(['campaign', 'lint', '--spec', write(extra)])
    expect([ran.code, ran.json.findings]).toMatchObject([
      2,
      [{ code: 'ZCL_E_CONTRACT', path: place }],
    ])
    expect(ran.err).toContain(`ZCL_E_CONTRACT: ${place}: `)
  })

  test('takes notes under x-... and another name for the gate', async () => {
    write({ 'x-note': 1, flowGate: { enabled: true, 'x-why': 'because' } })
    const { code, json } = await lab.json(['campaign', 'lint', '--spec', 'campaign.yaml'])
    expect([code, json]).toMatchObject([
      0,
      { ok: true, missions: ['1-first', '2-second'], flows: ['a', 'b'] },
    ])
  })

  test('finds what would make the numbers worthless', async () => {
    const native = flow('n', 'x', { type: 'codex_app_server' })
    const bare = flow('p', 'x', { finalization: undefined, toolDriver: { kind: 'cli_funnel' } })
    lab.write('missions/3-third.md', 'Then call zcl feedback.')
    const rule = { namespace: 'cli', prefix: 'git' }
    const both = flow('t', 'x', {}, { toolPolicy: { allow: [rule], deny: [rule] } })
    mkdirSync(path.join(lab.folder, 'inside'))
    const spec = {
      ...oracles(),
      missionSource: {
        promptSource: { path: 'missions' },
        oracleSource: { path: 'inside', visibility: 'host_only' },
      },
      evaluation: { mode: 'oracle' },
      flows: [native, bare, both],
    }
    const { code, json } = await lab.json(['campaign', 'lint', '--spec', write(spec)])
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
    write({ promptMode: 'exam' })
    const exam = await lab.json(['campaign', 'lint', '--spec', 'campaign.yaml'])
    expect(findings(exam.json)).toContain('ZCL_E_CAMPAIGN_EXAM_PROMPT_VIOLATION')
  })

  test('the doctor says what this machine lacks', async () => {
    write()
    expect((await lab.json(['campaign', 'doctor', '--spec', 'campaign.yaml'])).json.ok).toBe(true)
    renameSync(path.join(lab.folder, 'agent.sh'), path.join(lab.folder, 'gone.sh'))
    const { code, json } = await lab.json(['campaign', 'doctor', '--spec', 'campaign.yaml'])
    expect([code, json.ok]).toEqual([1, false])
  })
})
