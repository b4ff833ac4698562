// The runner that a suite file names: a preset of a known agent, or a command.
import { chmodSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LabProject } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

const reporting = 'zcl run -- echo hi >/dev/null; zcl feedback --ok --result "$(cat)" >/dev/null'

/** Runs the suite without a runner on the command line. */
async function run(flags: readonly string[] = []) {
  const env = { PATH: `${path.join(lab.folder, 'bin')}:${process.env.PATH}` }
  return lab.zcl(['suite', 'run', '--file', 'suite.json', '--json', ...flags], { env })
}

test('`zcl suite run` starts the agent that `runner: {preset}` of the suite names, with the prompt', async () => {
  lab.suite(
    [
      {
        missionId: 'one',
        prompt: 'say it',
        expects: { result: { type: 'string', equals: 'say it' } },
      },
    ],
    { runner: { preset: 'claude' } },
  )
  lab.agent(reporting, 'bin/claude')
  const first = lab.answerOf(await run())
  expect([first.code, first.err, first.json.passed]).toEqual([0, '', 1])
  const resumed = await lab.resume(first.json.runId)
  expect([resumed.code, resumed.json.passed]).toEqual([0, 1])
  const other = await lab.suiteRun([], [lab.agent(`echo 'say it' | { ${reporting}; }`)])
  expect(other.json.passed).toBe(1)
  const stored = lab.artifact(other, '..', 'suite.json')
  expect(stored).toMatchObject({ runner: { preset: 'claude' } })
})

test('the runner of a suite does not count in its comparability key', async () => {
  const missions = [{ missionId: 'one', prompt: 'x' }]
  const agent = lab.agent(`echo x | { ${reporting}; }`)
  lab.suite(missions, { defaults: { mode: 'ci', runner: { preset: 'pi' } } })
  const preset = await lab.suiteRun([], [agent])
  lab.suite(missions, { defaults: { mode: 'ci' } })
  const plain = await lab.suiteRun([], [agent])
  expect(preset.json.comparabilityKey).toBe(plain.json.comparabilityKey)
})

test('a program in `runner: {command}` is relative to the suite file', async () => {
  const file = path.join(lab.folder, 'suites', 'agent.sh')
  lab.agent(`echo "$1" | { ${reporting}; }`, 'suites/agent.sh')
  chmodSync(file, 0o755)
  const missions = [{ missionId: 'one', expects: { result: { type: 'string', equals: 'arg' } } }]
  const command = ['./agent.sh', 'arg']
  lab.write('suites/s.json', { suiteId: 's', runner: { command }, missions })
  const ran = await lab.zcl(['suite', 'run', '--file', 'suites/s.json', '--json'])
  expect(lab.answerOf(ran)).toMatchObject({ code: 0, json: { passed: 1 } })
  const jobs = await lab.json(['suite', 'plan', '--file', 'suites/s.json', '--jobs', 'jobs'])
  expect(jobs.code).toBe(0)
})

test.each([
  [
    { preset: 'clod' },
    'suite.json:1: runner.preset must be one of "claude", "codex", "gemini", "opencode", "pi", "zdx", "codex_app_server" (got "clod")',
  ],
  [{ presets: 'pi' }, 'suite.json:1: unknown key runner.presets (did you mean preset?)'],
  [{}, 'suite.json: runner needs either preset or command'],
  [{ preset: 'pi', command: ['a'] }, 'suite.json: runner needs either preset or command'],
  [
    { preset: 'pi', type: 'codex_app_server' },
    'suite.json: runner.type codex_app_server contradicts preset: pi',
  ],
  [{ type: 'process_cmd' }, 'suite.json: runner needs either preset or command'],
  [{ preset: 'pi', model: 'm' }, 'suite.json: runner.model needs preset: codex_app_server'],
])('a suite refuses the runner %o', async (runner, message) => {
  lab.suite([{ missionId: 'one' }], { runner })
  for (const verb of ['run', 'plan']) {
    const ran = await lab.zcl(['suite', verb, '--file', 'suite.json', '--json'])
    expect([ran.code, ran.out]).toEqual([2, ''])
    expect(ran.err).toBe(`ZCL_E_CONTRACT: ${message}\n`)
  }
})
