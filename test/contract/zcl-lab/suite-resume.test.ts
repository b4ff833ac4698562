import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { until } from '../zcl/project.ts'
import { isRunning, LabProject } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

describe('an interrupted suite run', () => {
  test('ends its children and, when resumed, repeats only attempts without an answer', async () => {
    lab.suite([{ missionId: 'a' }, { missionId: 'b' }, { missionId: 'c' }])
    const agent = lab.agent(
      'case "$ZCL_MISSION_ID-$(test -f go && echo go)" in a-*) ;; *-go) ;; *) touch started; sleep 60 & echo $! > pid; wait;; esac\n' +
        'zcl run -- true; zcl feedback --ok --result x >/dev/null',
    )
    const args = ['suite', 'run', '--file', 'suite.json', '--json', '--', agent]
    const ran = await lab.zcl(args, {
      onStart: (child) => {
        const started = path.join(lab.folder, 'pid')
        void until(() => existsSync(started) && readFileSync(started).length > 0, 'b').then(() =>
          child.kill('SIGINT'),
        )
      },
    })
    const run = lab.answerOf(ran)
    expect(run.code).toBe(130)
    expect(run.err).toMatch(/ZCL_E_INTERRUPTED: .*zcl suite resume --run-id/)
    expect(run.json).toMatchObject({ passed: 1, pending: 2 })
    const pid = Number(readFileSync(path.join(lab.folder, 'pid'), 'utf8'))
    await until(() => !isRunning(pid), 'the end of the child')
    expect(lab.artifact(run, '002-b-r1', 'attempt.outcome.json')).toMatchObject({
      outcome: 'abandoned',
    })
    lab.write('go', '')
    const resumed = await lab.resume(run.json.runId)
    expect(resumed.code).toBe(0)
    expect(resumed.json.attempts.map(({ attemptId }) => attemptId)).toEqual([
      '001-a-r1',
      '002-b-r2',
      '003-c-r1',
    ])
    expect(lab.attempts(run)).toEqual(['001-a-r1', '002-b-r1', '002-b-r2', '003-c-r1'])
    const again = await lab.resume(run.json.runId)
    expect(again.json.attempts).toEqual(resumed.json.attempts)
  })

  test('cannot be resumed under an unknown run id: ZCL_E_USAGE', async () => {
    const ran = await lab.zcl(['suite', 'resume', '--run-id', '20200101-000000Z-000001'])
    expect([ran.code, ran.out]).toEqual([2, ''])
    expect(ran.err).toMatch(/^ZCL_E_USAGE: [^\n]+ holds no planned run [^\n]+\n$/)
  })

  test('repeats infra failures but not failures when it is resumed', async () => {
    lab.suite([{ missionId: 'a' }, { missionId: 'b' }])
    const agent = lab.agent(
      'test "$ZCL_MISSION_ID" = a && { test -f ready || exit 7; }\n' +
        'zcl run -- true; test "$ZCL_MISSION_ID" = a && zcl feedback --ok --result x || zcl feedback --fail --result x',
    )
    const run = await lab.suiteRun([], [agent])
    expect(run.json).toMatchObject({ infra: 1, failed: 1 })
    lab.write('ready', '')
    const resumed = await lab.resume(run.json.runId)
    expect(resumed.json).toMatchObject({ infra: 0, failed: 1, passed: 1 })
    expect(lab.attempts(run)).toEqual(['001-a-r1', '001-a-r2', '002-b-r1'])
  })
})
