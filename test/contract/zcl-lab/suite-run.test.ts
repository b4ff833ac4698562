import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { linesOf, readJson } from '../zcl/project.ts'
import { fromFile, LabProject, quickRunner } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

const reporting = 'zcl run -- echo hi >/dev/null; zcl feedback --ok --result "hi" >/dev/null'

describe('a run of a suite', () => {
  test('has one attempt per mission, reports each outcome, and exits 2 when one failed', async () => {
    lab.suite([
      { missionId: 'Good One', prompt: 'go' },
      { missionId: 'bad', prompt: 'go', expects: { result: { type: 'string', equals: 'no' } } },
    ])
    const agent = lab.agent(reporting)
    const run = await lab.suiteRun(['--parallel', '2'], [agent])
    expect(run.code).toBe(2)
    expect(Object.keys(run.json).slice(0, 6)).toEqual([
      'ok',
      'runId',
      'passed',
      'failed',
      'infra',
      'attempts',
    ])
    expect(run.json).toMatchObject({ ok: false, passed: 1, failed: 1, infra: 0 })
    expect(run.err).toMatch(/^ZCL_E_EXPECT_RESULT_EQUALS: 002-bad-r1 did not pass: failed\n/m)
    expect(run.json.attempts).toMatchObject([
      { attemptId: '001-good-one-r1', missionId: 'good-one', ok: true },
      { attemptId: '002-bad-r1', ok: false, code: 'ZCL_E_EXPECT_RESULT_EQUALS' },
    ])
    const [first] = run.json.attempts
    expect(first?.attemptDir).toBe(`.zcl/runs/${run.json.runId}/attempts/001-good-one-r1`)
    expect(readJson(path.join(run.folder, 'suite.run.summary.json'))).toMatchObject({
      comparabilityKey: run.json.comparabilityKey,
      passed: 1,
      failed: 1,
    })
    const valid = await lab.json(['validate', '--strict', run.folder])
    expect(valid).toMatchObject({ code: 0, json: { errors: [] } })
  })

  test('exits 0 when all passed, and exits 2 and writes nothing without a runner or a suite', async () => {
    const run = await lab.suiteRun([], [lab.agent(reporting)])
    expect([run.code, run.json.ok]).toEqual([0, true])
    expect((await lab.zcl(['suite', 'run', '--file', 'suite.json'])).code).toBe(2)
    expect((await lab.zcl(['suite', 'run', '--', 'true'])).err).toMatch(/^ZCL_E_USAGE: /)
    const bad = await lab.zcl([
      'suite',
      'run',
      '--file',
      'suite.json',
      '--total',
      '0',
      '--',
      'true',
    ])
    expect(bad.code).toBe(2)
    const other = ['suite', 'run', '--file', 'suite.json', '--out-root', 'other']
    expect((await lab.zcl([...other, '--run-id', '../x', '--', 'true'])).code).toBe(2)
    expect(existsSync(path.join(lab.folder, 'other'))).toBe(false)
  })

  test('gives each attempt its own environment, HOME, scratch folder and prompt', async () => {
    lab.suite([
      { missionId: 'a', prompt: 'first prompt' },
      { missionId: 'b', prompt: 'second prompt' },
    ])
    const print =
      'env | grep -E "^(ZCL_|HOME=|XDG)" | sort > "$ZCL_TMP_DIR/env"; cp "$ZCL_PROMPT_PATH" "$HOME/p"; ' +
      reporting
    const env = { ZCL_ATTEMPT_ID: 'foreign', ZCL_AGENT_ID: 'foreign', XDG_DATA_HOME: '/shared' }
    const run = await lab.suiteRun(['--parallel', '2'], [lab.agent(print)], env)
    expect(run.json.passed).toBe(2)
    for (const [attemptId, prompt] of [
      ['001-a-r1', 'first prompt'],
      ['002-b-r1', 'second prompt'],
    ] as const) {
      const scratch = path.join(lab.outRoot, 'tmp', run.json.runId, attemptId)
      const seen = readFileSync(path.join(scratch, 'env'), 'utf8')
      expect(seen).toContain(`ZCL_ATTEMPT_ID=${attemptId}\n`)
      expect(seen).toContain(`HOME=${scratch}/home\n`)
      expect(seen).not.toMatch(/foreign|XDG/)
      expect(readFileSync(path.join(scratch, 'home/p'), 'utf8')).toBe(prompt)
      expect(lab.artifact(run, attemptId, 'attempt.json')).toMatchObject({
        isolationModel: 'process_runner',
        scratchDir: `tmp/${run.json.runId}/${attemptId}`,
      })
    }
  })

  test("copies the user's redaction rules and the home template into the HOME of an attempt", async () => {
    mkdirSync(path.join(lab.home, '.zcl'))
    const rules = { redaction: { extraRules: [{ id: 'customer', regex: 'CUST-[0-9]+' }] } }
    writeFileSync(path.join(lab.home, '.zcl/config.json'), JSON.stringify(rules))
    lab.write('template/.agentrc', 'x=1')
    const agent = lab.agent(
      'test -f "$HOME/.agentrc" && zcl run -- echo CUST-123 >/dev/null; zcl feedback --ok --result x >/dev/null',
    )
    const run = await lab.suiteRun(['--home-template', 'template'], [agent])
    const [call] = linesOf(path.join(run.folder, 'attempts/001-one-r1/tool.calls.jsonl'))
    expect(JSON.stringify(call)).not.toContain('CUST-123')
    expect(call).toMatchObject({ redactionsApplied: ['customer'] })
  })

  test('stores the output of runners in files and writes progress to a file or stdout', async () => {
    const agent = lab.agent(`echo from-stdout; echo from-stderr >&2; ${reporting}`)
    const run = await lab.suiteRun(['--progress-jsonl', 'p/steps.jsonl'], [agent])
    expect(run.err).toBe('')
    const log = readFileSync(path.join(run.folder, 'runner-output/001-one-r1.log'), 'utf8')
    expect(log).toContain('from-stdout\n')
    expect(log).toContain('from-stderr\n')
    const kinds = linesOf(path.join(lab.folder, 'p/steps.jsonl')).map(({ kind }) => kind)
    expect(kinds).toEqual(['run_started', 'attempt_started', 'attempt_finished', 'run_finished'])
    const args = ['suite', 'run', '--file', 'suite.json', '--progress-jsonl', '-', '--', agent]
    const { out } = await lab.zcl(args)
    const lines = out.split('\n').filter((line) => line.startsWith('{'))
    expect(lines.map((line) => (JSON.parse(line) as { kind: string }).kind)).toEqual(kinds)
  })

  test('prints a line per finished attempt, a roll-up per mission, reasons and quoted output', async () => {
    const token = `ghp_${'a'.repeat(36)}`
    lab.suite([{ missionId: 'good' }, { missionId: 'bad' }])
    const agent = lab.agent(
      `zcl run -- true; echo "the key is ${token}"; [ $ZCL_MISSION_ID = good ] && ok=--ok
zcl feedback \${ok:---fail} --result x >/dev/null`,
    )
    const { out, err } = await lab.zcl(['suite', 'run', '--file', 'suite.json', '--', agent])
    const lines = out.replaceAll(/\d+(\.\d)? m?s\b/g, '<time>').split('\n')
    const [run = ''] = /\d{8}-\d{6}Z-\w{6}/.exec(out) ?? []
    expect(lines).toEqual([
      '001-good-r1  passed  <time>',
      '002-bad-r1  failed  <time>  the agent reported a failure',
      `${run}  demo`,
      '  mission  passed  failed  infra  median time',
      expect.stringMatching(/^ {2}good     1 of 1  0       0      <time>$/),
      expect.stringMatching(/^ {2}bad      0 of 1  1       0      <time>$/),
      '1 passed, 1 failed, 0 infra in <time>',
      'Did not pass:',
      '  002-bad-r1: the agent reported a failure',
      '    | the key is [REDACTED:GITHUB_TOKEN]',
      `    output: .zcl/runs/${run}/runner-output/002-bad-r1.log`,
      `Page: zcl view .zcl/runs/${run}`,
      '',
    ])
    expect(err).toBe('ZCL_E_EXPECTATION_FAILED: 002-bad-r1 did not pass: failed\n')
  })

  test('stores the redacted output of the runner with --capture-runner-io', async () => {
    const token = `ghp_${'a'.repeat(36)}`
    const agent = lab.agent(`echo "got ${token}"; ${reporting}`)
    const run = await lab.suiteRun(['--capture-runner-io'], [agent, `--token=${token}`])
    const read = (name: string) =>
      readFileSync(path.join(run.folder, 'attempts/001-one-r1', name), 'utf8')
    expect(read('runner.stdout.log')).toContain('got [REDACTED:GITHUB_TOKEN]')
    expect(read('runner.command.txt')).toContain("'./agent.sh'")
    for (const file of ['runner.command.txt', 'runner.stdout.log', 'runner.stderr.log']) {
      expect(read(file)).not.toContain(token)
    }
    expect(JSON.stringify(readJson(path.join(run.folder, 'suite.run.plan.json')))).not.toContain(
      token,
    )
    const resumed = await lab.zcl(['suite', 'resume', '--run-id', run.json.runId])
    expect([resumed.code, resumed.err]).toMatchObject([2, /ZCL_E_USAGE.*secret/])
  })

  test('traces a tool that is called by its bare name with --shim, and requires it with --require-shim', async () => {
    const agent = lab.agent(
      'case $ZCL_MISSION_ID in one) uname;; *) zcl run -- true;; esac >/dev/null; zcl feedback --ok --result x >/dev/null',
    )
    lab.suite([{ missionId: 'one' }, { missionId: 'without' }])
    const run = await lab.suiteRun(['--shim', 'uname', '--require-shim', '--mode', 'ci'], [agent])
    // With --require-shim, an attempt that never calls the shim fails.
    expect(run.json.attempts).toMatchObject([
      { outcome: 'passed' },
      { outcome: 'failed', code: 'ZCL_E_SHIM' },
    ])
    const [call] = linesOf(path.join(run.folder, 'attempts/001-one-r1/tool.calls.jsonl'))
    expect(call).toMatchObject({ tool: 'cli', input: { argv: ['uname'] }, result: { ok: true } })
    const refused = ['suite', 'run', '--file', 'suite.json', '--shim', '../x', '--', 'true']
    const bad = await lab.zcl(refused)
    expect([bad.code, bad.err]).toMatchObject([2, /^ZCL_E_SHIM: /])
    expect(readdirSync(path.join(lab.outRoot, 'runs'))).toHaveLength(1)
  })

  test('refuses a blind prompt that names the harness before any runner starts', async () => {
    lab.suite([{ missionId: 'a', prompt: 'use the funnel' }], { defaults: { blind: true } })
    const args = ['suite', 'run', '--file', 'suite.json', '--', 'touch', 'ran']
    const ran = await lab.zcl(args)
    expect([ran.code, ran.err]).toMatchObject([2, /^ZCL_E_CONTAMINATED_PROMPT: .*funnel/])
    expect(existsSync(lab.outRoot)).toBe(false)
    for (const prompt of ['Two funnels.', 'Read TRACE', 'see feedback.json', 'run zcl-run']) {
      lab.suite([{ missionId: 'a', prompt }], { defaults: { blind: true } })
      expect((await lab.zcl(args)).err).toMatch(/^ZCL_E_CONTAMINATED_PROMPT: /)
    }
    expect(existsSync(path.join(lab.folder, 'ran'))).toBe(false)
    lab.suite([{ missionId: 'a', prompt: 'use traceroute' }], { defaults: { blind: true } })
    expect((await lab.zcl(args)).err).not.toContain('CONTAMINATED')
    const own = await lab.zcl([
      ...args.slice(0, 4),
      '--blind-terms',
      'widget',
      '--',
      'touch',
      'ran',
    ])
    expect(own.err).not.toContain('CONTAMINATED')
  })

  test('refuses native sessions, and treats process and auto alike', async () => {
    const native = await lab.zcl([
      ...['suite', 'run', '--file', lab.suite(), '--session-isolation', 'native', '--', 'true'],
    ])
    expect([native.code, native.err]).toMatchObject([
      2,
      /^ZCL_E_RUNTIME_STRATEGY_UNSUPPORTED: .*yet/,
    ])
    const keys = new Set<unknown>()
    for (const how of ['auto', 'process']) {
      const run = await lab.suiteRun([...fromFile, '--session-isolation', how], quickRunner)
      keys.add(run.json.comparabilityKey)
    }
    expect(keys.size).toBe(1)
    const other = await lab.suiteRun([...fromFile, '--timeout-ms', '9999'], quickRunner)
    expect(keys.has(other.json.comparabilityKey)).toBe(false)
  })

  test('starts no further attempt after the first failure with --fail-fast', async () => {
    const agent = lab.agent('zcl run -- true; zcl feedback --fail --result no >/dev/null')
    const run = await lab.suiteRun(['--fail-fast', '--total', '5'], [agent])
    expect(run.json).toMatchObject({ failed: 1, pending: 4, ok: false })
    expect(run.code).toBe(2)
  })
})
