import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { linesOf, readJson, until, type Json } from '../zcl/project.ts'
import { CampaignProject, flow } from './campaign-project.ts'

let lab: CampaignProject
beforeEach(() => {
  lab = new CampaignProject()
})
afterEach(() => lab.remove())

describe('a campaign', () => {
  test('runs each flow once per mission, evaluates the oracle, and writes its results', async () => {
    lab.spec({ ...lab.oracles(), execution: { flowMode: 'parallel' } })
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
    const folder = lab.campaignFolder()
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
    const [, second = ''] = lab.runIds()
    const verdict = lab.artifact(
      { folder: lab.runFolder(second) },
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

  test('accepts a script as the oracle, and is invalid when the script fails', async () => {
    const spec = lab.oracles()
    const script =
      'read line; case "$line" in *Lyon*) echo "{\\"ok\\":false,\\"message\\":\\"no\\"}";; *) echo "{\\"ok\\":true}";; esac'
    const by = (command: string[]) => ({
      ...spec,
      evaluation: { mode: 'oracle', evaluator: { kind: 'script', command } },
    })
    lab.spec(by(['sh', '-c', script]))
    const { json } = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
    expect(json).toMatchObject({ status: 'valid', summary: { verifiedOk: 3 } })
    const token = `ghp_${'a1B2'.repeat(9)}`
    lab.spec({ ...by(['sh', '-c', `echo ${token} >&2; exit 3`]), campaignId: 'broken' })
    const broken = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
    expect([broken.code, broken.json.status]).toEqual([2, 'invalid'])
    const codes = (broken.json.summary as { topCodes: { code: string }[] }).topCodes
    expect(codes.map(({ code }) => code)).toContain('ZCL_E_CAMPAIGN_ORACLE_EVALUATION_ERROR')
    const [runId = ''] = lab.runIds('broken')
    const place = { folder: lab.runFolder(runId) }
    const verdict = lab.artifact(place, '001-1-first-r1', 'oracle.verdict.json')
    expect(verdict.error).toBe('sh ended with 3: [REDACTED:GITHUB_TOKEN]')
  })

  test('resumes after SIGKILL and repeats no attempt', async () => {
    lab.agent(
      `echo "$ZCL_FLOW_ID $ZCL_MISSION_ID" >> ran
[ "$ZCL_MISSION_ID$ZCL_FLOW_ID" = 2-secondb ] && [ ! -f go ] && { touch waiting; sleep 60; }
echo 'ZCL_RESULT_JSON:{"ok":true,"answer":"x"}'`,
    )
    lab.spec()
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
    lab.spec({ failFast: true })
    const drift = await lab.zcl(['campaign', 'resume', '--spec', 'campaign.yaml'])
    expect(drift.err).toMatch(/^ZCL_E_CAMPAIGN_STATE_DRIFT: /)
  })

  test('is aborted by the gate when the first mission cannot be compared', async () => {
    const dead = flow('b', 'x', { command: ['./absent'] })
    lab.spec({
      flows: [flow('a', 'Paris'), dead],
      pairGate: { enabled: true, stopOnFirstMissionFailure: true },
    })
    const { code, json, err } = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
    expect([code, json.status]).toEqual([2, 'aborted'])
    expect(err).toMatch(/^ZCL_E_CAMPAIGN_FIRST_MISSION_GATE_FAILED: /m)
    expect(json.summary).toMatchObject({ missing: 2, failureBuckets: { infra: 1 } })
  })

  test('is separate from its canary', async () => {
    lab.spec({ canaryMissions: 1 })
    const { json } = await lab.json(['campaign', 'canary', '--spec', 'campaign.yaml'])
    expect(json).toMatchObject({ campaignId: 'two-texts-canary', summary: { missionsTotal: 1 } })
    expect(existsSync(lab.campaignFolder())).toBe(false)
  })

  test('applies tool policies, hooks, workspaces and prompt templates', async () => {
    lab.agent(
      'pwd > "$HOME/where"; uname >/dev/null; cp "$ZCL_PROMPT_PATH" "$HOME/p"; zcl feedback --ok --result x >/dev/null',
    )
    lab.write('template.md', 'Use {{env.SECOND}}. {{prompt}} ({{missionId}})')
    const traced = { toolDriver: { kind: 'cli_funnel', shims: ['uname'] }, finalization: undefined }
    const failing = { ...traced, command: ['sh', '-c', 'echo draft > left; exit 3'] }
    lab.spec({
      missionSource: {
        path: 'missions',
        selection: { mode: 'mission_id', missionIds: ['1-first'] },
      },
      cleanup: { beforeMission: ['sh', '-c', 'echo $ZCL_MISSION_ID >> hooks'] },
      flows: [
        flow(
          'a',
          'care',
          { ...traced, cwd: { mode: 'temp_empty_per_attempt', retain: 'on_failure' } },
          {
            promptTemplate: { path: 'template.md', allowRunnerEnvKeys: ['SECOND'] },
          },
        ),
        flow('c', 'x', {
          ...failing,
          cwd: { mode: 'temp_empty_per_attempt', retain: 'on_failure' },
        }),
        flow('d', 'x', { ...failing, cwd: { mode: 'temp_empty_per_attempt', retain: 'never' } }),
        flow('b', 'x', traced, { toolPolicy: { deny: [{ namespace: 'cli', prefix: 'uname' }] } }),
      ],
    })
    const { json } = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
    expect(json).toMatchObject({ status: 'invalid', summary: { verifiedOk: 1 } })
    expect(JSON.stringify(json.summary)).toContain('ZCL_E_CAMPAIGN_TOOL_POLICY_VIOLATION')
    expect(readFileSync(path.join(lab.folder, 'hooks'), 'utf8')).toBe('1-first\n')
    const [a = '', c = '', d = ''] = lab.runIds()
    const attempt = (runId: string) => path.join(lab.runFolder(runId), 'attempts/001-1-first-r1')
    expect(readFileSync(path.join(attempt(c), 'workspace/left'), 'utf8')).toBe('draft\n')
    expect([a, d].map((runId) => existsSync(path.join(attempt(runId), 'workspace')))).toEqual([
      false,
      false,
    ])
    expect(readdirSync(path.join(lab.outRoot, 'tmp/workspaces'))).toEqual([])
    const home = path.join(lab.outRoot, 'tmp', a, '001-1-first-r1/home')
    expect(readFileSync(path.join(home, 'p'), 'utf8')).toBe(
      'Use care. What is one and one? (1-first)',
    )
    const where = readFileSync(path.join(home, 'where'), 'utf8').trim()
    expect(where).toContain('work-')
    expect(existsSync(where)).toBe(false)
    const built = await lab.json(['mission', 'prompts', 'build', '--spec', 'campaign.yaml'])
    expect(built.json.prompts).toMatchObject([
      { flowId: 'a', missionId: '1-first' },
      { flowId: 'c' },
      { flowId: 'd' },
      { flowId: 'b' },
    ])
  })
})

test('`zcl campaign publish-check` reports missing, duplicate and damaged attempts', async () => {
  lab.spec()
  await lab.zcl(['campaign', 'run', '--spec', 'campaign.yaml'])
  const progress = path.join(lab.campaignFolder(), 'campaign.progress.jsonl')
  const steps = readFileSync(progress, 'utf8')
  const [first = '', ...others] = steps.split('\n').filter((line) => line !== '')
  const check = async () => {
    const { code, json } = await lab.json(['campaign', 'publish-check', '--spec', 'campaign.yaml'])
    return [code, (json.findings as { code: string }[]).map((each) => each.code)]
  }
  expect(await check()).toEqual([0, []])
  writeFileSync(progress, `${others.join('\n')}\n`)
  expect(await check()).toEqual([2, ['ZCL_E_CAMPAIGN_MISSING_ATTEMPT']])
  writeFileSync(progress, `${steps}${first}\n`)
  expect(await check()).toEqual([2, ['ZCL_E_CAMPAIGN_DUPLICATE_ATTEMPT']])
  writeFileSync(progress, steps)
  const [runId = ''] = lab.runIds()
  writeFileSync(path.join(lab.runFolder(runId), 'attempts/001-1-first-r1/feedback.json'), '{')
  expect(await check()).toEqual([2, ['ZCL_E_CAMPAIGN_ATTEMPT_NOT_VALID']])
})

test('only one process runs a campaign at a time, and `campaign status` works meanwhile', async () => {
  lab.agent('touch started; until [ -f go ]; do sleep 0.05; done; echo ZCL_RESULT_JSON:{}')
  lab.spec({ totalMissions: 1, flows: [flow('a', 'x')] })
  const running = lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
  await until(() => existsSync(path.join(lab.folder, 'started')), 'the first attempt')
  const second = await lab.zcl(['campaign', 'resume', '--spec', 'campaign.yaml'])
  expect([second.code, second.err]).toMatchObject([2, /^ZCL_E_CAMPAIGN_LOCK_TIMEOUT: /])
  const status = await lab.json(['campaign', 'status', '--spec', 'campaign.yaml'])
  expect(status.json).toMatchObject({ status: 'running', attempts: { planned: 1, done: 0 } })
  lab.write('go', '')
  expect((await running).json.status).toBe('valid')
})

test('a campaign that exceeds campaignGlobalTimeoutMs is aborted and can be resumed', async () => {
  lab.agent(
    `[ "$ZCL_MISSION_ID" = 1-first ] || [ -f go ] || sleep 60
echo 'ZCL_RESULT_JSON:{"ok":true,"answer":"x"}'`,
  )
  lab.spec({ timeouts: { campaignGlobalTimeoutMs: 4000 }, flows: [flow('a', 'x')] })
  const { code, json } = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
  expect([code, json]).toMatchObject([
    2,
    { status: 'aborted', code: 'ZCL_E_CAMPAIGN_GLOBAL_TIMEOUT' },
  ])
  lab.write('go', '')
  const resumed = await lab.json(['campaign', 'resume', '--spec', 'campaign.yaml'])
  expect([resumed.code, resumed.json]).toMatchObject([
    0,
    { status: 'valid', summary: { verifiedOk: 2 } },
  ])
})

test('every campaign command accepts --campaign-id and --missions', async () => {
  lab.spec()
  const named = (words: string[]) =>
    lab.json([
      'campaign',
      ...words,
      '--spec',
      'campaign.yaml',
      '--campaign-id',
      'Other',
      '--missions',
      '1',
    ])
  for (const word of ['lint', 'doctor', 'run', 'resume', 'report', 'status', 'publish-check']) {
    const { code, json } = await named([word])
    const id = word === 'report' ? (json.report as Json).campaignId : json.campaignId
    expect([word, code, id]).toEqual([word, 0, 'other'])
  }
  const resume = ['campaign', 'resume', '--spec', 'campaign.yaml', '--campaign-id', 'other']
  expect((await lab.json(resume)).json).toMatchObject({ ok: true, summary: { missionsTotal: 1 } })
  const canary = await named(['canary'])
  expect(canary.json).toMatchObject({ campaignId: 'other-canary', summary: { missionsTotal: 1 } })
  const [a = ''] = lab.runIds('other')
  expect(readJson(path.join(lab.runFolder(a), 'run.json')).suiteId).toBe('two-texts')
})

test('a campaign judges a claim without a recorded action as unproven', async () => {
  lab.spec({ ...lab.oracles(), allowUnproven: false, flows: [flow('a', 'Paris')] })
  const { json } = await lab.json(['campaign', 'run', '--spec', 'campaign.yaml'])
  expect(json.summary).toMatchObject({
    verifiedOk: 0,
    claimedOk: 2,
    topCodes: expect.arrayContaining([{ code: 'ZCL_E_UNPROVEN', count: 2 }]),
  })
})
