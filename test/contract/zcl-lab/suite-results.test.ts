import { existsSync, readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { fromFile, LabProject, quickRunner } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

const reporting = 'zcl run -- echo hi >/dev/null; zcl feedback --ok --result "hi" >/dev/null'

describe('infra outcomes of a suite run', () => {
  test.each<[string, string[], string[], string]>([
    ['a runner that cannot start', [], ['./not-there'], 'ZCL_E_SPAWN'],
    ['a runner that crashes at once', [], ['sh', '-c', 'exit 3'], 'ZCL_E_RUNTIME_CRASH'],
    [
      'a rate limit',
      [],
      ['sh', '-c', 'echo "HTTP 429: rate limit exceeded" >&2; exit 1'],
      'ZCL_E_RUNTIME_RATE_LIMIT',
    ],
    [
      'a runner that cannot acquire a lock',
      [],
      ['sh', '-c', 'echo "database is locked" >&2; exit 1'],
      'ZCL_E_IO',
    ],
    [
      'a deadline before the first action',
      ['--timeout-ms', '300'],
      ['sleep', '30'],
      'ZCL_E_TIMEOUT',
    ],
  ])('include %s', async (_name, flags, runner, code) => {
    const run = await lab.suiteRun(flags, runner)
    expect(run.code).toBe(2)
    expect(run.json).toMatchObject({ passed: 0, failed: 0, infra: 1 })
    expect(run.json.attempts).toMatchObject([{ ok: false, outcome: 'infra', code }])
    expect(lab.artifact(run, '001-one-r1', 'feedback.json')).toMatchObject({
      ok: false,
      resultJson: { kind: 'infra_failure', code },
    })
  })

  test('do not include a deadline after the first action, which is a failure', async () => {
    const agent = lab.agent('zcl run -- true; zcl run -- sleep 30; sleep 30')
    const run = await lab.suiteRun(
      ['--timeout-ms', '1500', '--timeout-start', 'attempt_start'],
      [agent],
    )
    expect(run.json).toMatchObject({ failed: 1, infra: 0 })
    expect(run.json.attempts).toMatchObject([{ code: 'ZCL_E_TIMEOUT' }])
    expect(lab.artifact(run, '001-one-r1', 'feedback.json').decisionTags).toContain('timeout')
  })
})

test('a suite run ends the daemons of a runner', async () => {
  const runner = lab.agent(
    `setsid sh -c 'echo $$ > ${lab.folder}/daemon; exec sleep 60' >/dev/null 2>&1 &\n${reporting}\n` +
      `until [ -s ${lab.folder}/daemon ]; do :; done`,
  )
  const run = await lab.suiteRun([], [runner])
  expect(run.json).toMatchObject({ passed: 1 })
  const stat = `/proc/${readFileSync(`${lab.folder}/daemon`, 'utf8').trim()}/stat`
  const isAlive = existsSync(stat) && !/\) Z /.test(readFileSync(stat, 'utf8'))
  expect(isAlive).toBe(false)
})

test('a mission has the shorter of its own timeout and that of the run', async () => {
  const timeouts = [50_000, 90_000, undefined]
  lab.suite(timeouts.map((timeoutMs, index) => ({ missionId: `m${index}`, timeoutMs })))
  const run = await lab.suiteRun([...fromFile, '--timeout-ms', '60000'], quickRunner)
  const used = run.json.attempts.map(
    ({ attemptId }) => lab.artifact(run, attemptId, 'attempt.json').timeoutMs,
  )
  expect(used).toEqual([50_000, 60_000, 60_000])
})

describe('the results of a runner', () => {
  const say = (json: string) => ['sh', '-c', `echo 'ZCL_RESULT_JSON:${json}'`]
  const onStdout = ['--result-channel', 'stdout_json']

  test.each<[string, string, object]>([
    ['text', '{"ok":true,"result":"hi"}', { ok: true, result: 'hi' }],
    ['JSON', '{"ok":true,"resultJson":{"a":1}}', { ok: true, resultJson: { a: 1 } }],
    [
      'other fields as proof',
      '{"ok":false,"title":"x"}',
      { ok: false, resultJson: { title: 'x' } },
    ],
  ])('on stdout become the outcome: %s', async (_name, json, feedback) => {
    const run = await lab.suiteRun(onStdout, say(json))
    expect(lab.artifact(run, '001-one-r1', 'feedback.json')).toMatchObject(feedback)
  })

  test.each<[string, string[], string, string]>([
    ['no boolean ok', [], '{"result":"x"}', 'INVALID'],
    ['nothing but ok', [], '{"ok":true}', 'INVALID'],
    ['not JSON', [], '{ok:true', 'INVALID'],
    [
      'too early a turn',
      ['--result-min-turn', '3'],
      '{"ok":true,"result":"x","turn":2}',
      'TURN_TOO_EARLY',
    ],
    [
      'no turn where --result-min-turn requires one',
      ['--result-min-turn', '1'],
      '{"ok":true,"result":"x"}',
      'TURN_TOO_EARLY',
    ],
  ])('are refused with a code: %s', async (_name, flags, json, code) => {
    const run = await lab.suiteRun([...onStdout, ...flags], say(json))
    expect(run.json.attempts).toMatchObject([
      { outcome: 'failed', code: `ZCL_E_MISSION_RESULT_${code}` },
    ])
  })

  test('are read from the latest usable line, with a custom marker or file name', async () => {
    const marked = [
      'sh',
      '-c',
      `echo 'R={"ok":false,"result":"1"}'; echo 'R={"ok":true,"result":"2"}'; echo 'R=x'`,
    ]
    const run = await lab.suiteRun([...onStdout, '--result-marker', 'R='], marked)
    expect(lab.artifact(run, '001-one-r1', 'feedback.json')).toMatchObject({ result: '2' })
    const file = ['sh', '-c', `echo '{"ok":true,"n":1}' > "$ZCL_TMP_DIR/out.json"`]
    const second = await lab.suiteRun(
      ['--allow-unproven', '--result-channel', 'file_json', '--result-file', 'out.json'],
      file,
    )
    expect(second.json.passed).toBe(1)
  })

  test("do not override the agent's own feedback, and need auto_from_result_json", async () => {
    const agent = lab.agent(`${reporting}; echo 'ZCL_RESULT_JSON:{"ok":false,"result":"late"}'`)
    const run = await lab.suiteRun(onStdout, [agent])
    expect(run.json.passed).toBe(1)
    const strict = [...onStdout, '--finalization-mode', 'strict']
    const bad = await lab.zcl(['suite', 'run', '--file', 'suite.json', ...strict, '--', 'true'])
    expect([bad.code, bad.err]).toMatchObject([2, /^ZCL_E_USAGE: /])
  })
})
