// What a suite needs to run is checked before its first attempt starts.
import { execFileSync } from 'node:child_process'
import { existsSync, truncateSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LabProject } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
  lab.write('ws/given.bin', Buffer.alloc(40_000, 'given').toString())
  execFileSync('tar', ['-cf', '../cut.tar', 'given.bin'], { cwd: path.join(lab.folder, 'ws') })
  truncateSync(path.join(lab.folder, 'cut.tar'), 20_000)
  const repository = path.join(lab.folder, 'repo')
  execFileSync('git', ['init', '-q', repository])
})
afterEach(() => lab.remove())

const judge = { provider: 'anthropic', model: 'claude-haiku-4-5', rubric: 'Be polite.' }
const reporting = 'zcl run -- echo hi >/dev/null; zcl feedback --ok --result hi >/dev/null'

const refused: [object, string][] = [
  [{ workspace: { path: 'none' } }, 'ZCL_E_WORKSPACE: suite.json: one: .*none is not a folder'],
  [{ workspace: { archive: 'x.tar' } }, 'ZCL_E_WORKSPACE: suite.json: one: .*x.tar is not a file'],
  [{ workspace: { archive: 'cut.tar' } }, 'ZCL_E_WORKSPACE: suite.json: one: .*tar failed'],
  [{ workspace: { git: 'repo#v9' } }, 'ZCL_E_WORKSPACE: suite.json: one: .*git: '],
  [
    { verify: [{ command: 'true', files: ['tests'] }] },
    'ZCL_E_VERIFY_ERROR: suite.json: one: the verifier file tests does not exist',
  ],
  [
    { isolation: 'namespace', expose: ['data'] },
    'ZCL_E_CONTRACT: suite.json: one: expose names data, which does not exist',
  ],
]

test.each(refused)(
  '`zcl suite run`, `zcl suite plan` and `zcl campaign run` refuse %j before anything starts',
  async (exam, message) => {
    lab.suite([{ missionId: 'one', prompt: 'say hi', ...exam }])
    const runner = { type: 'process_cmd', command: [lab.agent(reporting)] }
    const flows = [{ flowId: 'a', suiteFile: 'suite.json', runner }]
    lab.write('campaign.json', { schemaVersion: 1, campaignId: 'c', flows })
    const suite = ['--file', 'suite.json']
    for (const args of [
      ['suite', 'run', ...suite, '--', './agent.sh'],
      ['suite', 'plan', ...suite],
      ['campaign', 'run', '--spec', 'campaign.json'],
    ]) {
      const ran = await lab.zcl(args)
      expect([ran.code, ran.out, ran.err.trim().split('\n').length]).toEqual([2, '', 1])
      expect(ran.err).toMatch(new RegExp(message))
    }
    expect(existsSync(lab.outRoot)).toBe(false)
  },
)

test('`zcl suite run` and `zcl campaign run` refuse a judge without a key, and `zcl suite plan` does not', async () => {
  lab.suite([{ missionId: 'one', prompt: 'say hi', judge }])
  const runner = { type: 'process_cmd', command: [lab.agent(reporting)] }
  const flows = [{ flowId: 'a', suiteFile: 'suite.json', runner }]
  lab.write('campaign.json', { schemaVersion: 1, campaignId: 'c', flows })
  for (const args of [
    ['suite', 'run', '--file', 'suite.json', '--', './agent.sh'],
    ['campaign', 'run', '--spec', 'campaign.json'],
  ]) {
    const { code, out, err } = await lab.zcl(args)
    expect([code, out]).toEqual([2, ''])
    expect(err).toMatch(
      /^ZCL_E_JUDGE_ERROR: suite.json: one: .*set ZCL_JUDGE_API_KEY or ANTHROPIC_API_KEY\n$/,
    )
  }
  expect(existsSync(lab.outRoot)).toBe(false)
  expect((await lab.zcl(['suite', 'plan', '--file', 'suite.json'])).code).toBe(0)
})

test('job files need no key of a judge, and an attempt without one starts no agent', async () => {
  lab.suite([{ missionId: 'one', prompt: 'say hi', judge }])
  const agent = lab.agent(`touch '${lab.folder}/started'; ${reporting}`)
  const args = ['suite', 'plan', '--file', 'suite.json', '--jobs', 'jobs', '--json', '--', agent]
  const { code, json } = await lab.json(args)
  expect(code).toBe(0)
  const [job] = json.jobs as { path: string }[]
  await lab.zcl(['worker', '--job', job?.path ?? ''])
  expect(existsSync(path.join(lab.folder, 'started'))).toBe(false)
  const outcome = lab.artifact(
    { folder: lab.runFolder(String(json.runId)) },
    '001-one-r1',
    'attempt.outcome.json',
  )
  expect(outcome).toMatchObject({ outcome: 'infra', code: 'ZCL_E_JUDGE_ERROR' })
})
