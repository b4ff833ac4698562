// `zcl suite run --until-decided`: rounds of attempts until a sequential test decides.
import { afterAll, expect, test } from 'vitest'
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
