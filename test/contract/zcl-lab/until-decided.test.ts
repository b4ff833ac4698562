// `zcl suite run --until-decided`: rounds of attempts until a sequential test decides.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { filesBelow } from '../zcl/project.ts'
import { LabProject } from './lab-project.ts'

const lab = new LabProject()
afterAll(() => lab.remove())

const says = (ok: boolean) => ['sh', '-c', `echo 'ZCL_RESULT_JSON:{"ok":${ok},"result":"x"}'`]
const flags = ['--allow-unproven', '--result-channel', 'stdout_json']

test('stops when worse is decided, prints the savings, and refuses flags that contradict', async () => {
  lab.suite(['a', 'b', 'c', 'd'].map((missionId) => ({ missionId, prompt: missionId })))
  const base = await lab.suiteRun([...flags, '--total', '16'], says(true))
  expect(base.json.passed).toBe(16)
  await lab.zcl(['pin', '--run-id', base.json.runId, '--on'])
  const worse = await lab.suiteRun([...flags, '--until-decided', '--baseline'], says(false))
  expect(worse.code).toBe(2)
  expect(worse.err).toContain('ZCL_E_REGRESSION: worse against')
  expect(worse.json.decision).toMatchObject({
    decision: 'worse',
    against: base.json.runId,
    rounds: 3,
    attempts: 12,
    maxAttempts: 16,
    savedAttempts: expect.any(Number) as number,
  })
  expect(worse.json.attempts).toHaveLength(12)
  const against = ['--until-decided', '--against', base.json.runId, '--max-attempts', '4']
  const open = await lab.suiteRun([...flags, ...against], says(true))
  expect(open.code).toBe(0)
  expect(open.json.decision).toMatchObject({ decision: 'undecided', savedAttempts: null })
  for (const wrong of [['--until-decided'], ['--baseline'], [...against, '--total', '4']]) {
    const args = ['suite', 'run', '--file', 'suite.json', ...wrong, '--', 'true']
    expect((await lab.zcl(args)).err).toMatch(/^ZCL_E_USAGE: /)
  }
  lab.suite([{ missionId: 'a', prompt: 'another prompt' }])
  const other = ['suite', 'run', '--file', 'suite.json', '--until-decided', '--baseline']
  const refused = await lab.zcl([...other, '--', 'true'])
  expect([refused.code, refused.err]).toEqual([1, expect.stringMatching(/^ZCL_E_NOT_COMPARABLE: /)])
})

test('a refused sequential run leaves no file', async () => {
  lab.suite([{ missionId: 'a', prompt: 'a' }])
  const base = await lab.suiteRun([...flags], says(true))
  lab.write('file', '')
  const before = filesBelow(lab.root)
  const run = ['suite', 'run', '--file', 'suite.json', ...flags]
  const decided = ['--until-decided', '--against', base.json.runId]
  const attempt = path.join('.zcl/runs', base.json.runId, 'attempts/001-a-r1')
  const refusals: [string[], RegExp][] = [
    [[...decided, '--timeout-ms', '9000'], /^ZCL_E_NOT_COMPARABLE: .* different settings/],
    [[...decided, '--run-id', base.json.runId], /^ZCL_E_USAGE: the run .* already exists/],
    [[...decided, '--home-template', 'file'], /^ZCL_E_USAGE: --home-template file is not a folder/],
    [[...decided, '--progress-jsonl', '.zcl'], /^ZCL_E_USAGE: --progress-jsonl .zcl is a folder/],
    [[...decided, '--progress-jsonl', 'file/x'], /^ZCL_E_[A-Z]+: .* not a folder/],
    [[...decided, '--fail-fast'], /^ZCL_E_USAGE: --fail-fast and --until-decided exclude/],
    [[...decided, '--shim', 'a/b'], /^ZCL_E_[A-Z]+: /],
    [['--until-decided', '--against', attempt], /^ZCL_E_USAGE: .* is an attempt, not a run/],
    [['--margin', '0.1'], /^ZCL_E_USAGE: --margin needs --until-decided/],
    [['--effect', '0.2'], /^ZCL_E_USAGE: --effect needs --until-decided/],
  ]
  for (const [wrong, message] of refusals) {
    const ran = await lab.zcl([...run, ...wrong, '--', 'true'])
    expect(ran.err).toMatch(message)
    expect(filesBelow(lab.root)).toEqual(before)
  }
})

test('--against names a run below the output root of the new run', async () => {
  lab.suite([{ missionId: 'a', prompt: 'a' }])
  const elsewhere = [...flags, '--out-root', 'other']
  const base = await lab.suiteRun(elsewhere, says(true))
  const sequential = ['--until-decided', '--against', 'latest', '--margin', '0.2']
  const next = await lab.suiteRun([...elsewhere, ...sequential], says(true))
  expect(next.json.decision).toMatchObject({ against: base.json.runId, margin: 0.2 })
  expect(readdirSync(path.join(lab.folder, 'other/runs'))).toHaveLength(2)
})
