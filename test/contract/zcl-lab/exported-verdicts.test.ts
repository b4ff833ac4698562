// What other formats tell about an attempt is the verdict, and survives an export and an import.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LabProject, type SuiteRun } from './lab-project.ts'

let lab: LabProject
let run: SuiteRun
beforeAll(async () => {
  lab = new LabProject()
  const verify = [{ command: 'false' }]
  const ids = ['proven', 'unproven', 'rejected', 'silent', 'modest']
  lab.suite(
    ids.map((missionId) => ({
      missionId,
      prompt: 'do it',
      ...(missionId === 'rejected' ? { verify } : {}),
    })),
  )
  const agent = lab.agent(`case $ZCL_MISSION_ID in
    silent) exit 0;;
    unproven) ;;
    *) zcl run -- true;;
  esac
  case $ZCL_MISSION_ID in modest) claim=--fail;; *) claim=--ok;; esac
  zcl feedback $claim --result done >/dev/null`)
  run = await lab.suiteRun([], [agent])
}, 60_000)
afterAll(() => lab.remove())

const verdicts = {
  proven: 'passed',
  unproven: 'failed',
  rejected: 'failed',
  silent: 'infra',
  modest: 'failed',
}

test('the lab judges the attempts', () => {
  const judged = run.json.attempts.map(({ missionId, outcome }) => [missionId, outcome])
  expect(Object.fromEntries(judged)).toEqual(verdicts)
})

test.each([
  ['atif', 'atif'],
  ['otlp-json', 'otlp'],
  ['inspect', 'inspect'],
])('an export as %s that is imported has the same outcomes', async (format, importFormat) => {
  const file = `run.${format}`
  const flags = ['--format', format, '--out', file]
  expect((await lab.zcl(['export', ...flags, run.json.runId])).code).toBe(0)
  const { json } = await lab.json(['import', importFormat, file, '--json'])
  const attempts = json.attempts as { missionId: string; outcome: string }[]
  expect(Object.fromEntries(attempts.map((each) => [each.missionId, each.outcome]))).toEqual(
    verdicts,
  )
})
