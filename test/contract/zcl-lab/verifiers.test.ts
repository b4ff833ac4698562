// What verifiers print, and the tests of Harbor tasks, decide about an attempt.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LabProject } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

/** `outcome: message` of the verifier, by mission. */
async function verdicts(): Promise<Record<string, string>> {
  const run = await lab.suiteRun(['--parallel', '2'], ['true'])
  return Object.fromEntries(
    run.json.attempts.map(({ missionId, attemptId, outcome }) => {
      const { steps } = lab.artifact(run, attemptId, 'verify.result.json')
      const said = (steps as { message?: string }[]).at(-1)?.message
      return [missionId, said === undefined ? outcome : `${outcome}: ${said}`]
    }),
  )
}

test('the JSON at the end of what a verifier prints counts, after any log and in several lines', async () => {
  const log = 'seq 1 40000'
  const commands = {
    'long-no': `${log}; echo '{"ok": false, "message": "no"}'`,
    'long-yes': `${log}; echo '{"ok": true}'`,
    'pretty-no': `echo log; printf '{\\n  "ok": false,\\n  "more": {\\n    "a": 1\\n  }\\n}\\n'`,
    'low-score': `echo log; echo '{"score": 0.5}'`,
    'early-json': `echo '{"ok": false}'; echo done`,
    crashed: `echo '{"ok": true}'; exit 3`,
    'text-ok': `echo '{"ok": "no"}'`,
    'text-score': `echo '{"score": "0.2"}'`,
  }
  const missions = Object.entries(commands).map(([missionId, command]) => ({
    missionId,
    verify: [{ command }],
  }))
  lab.suite(missions)
  expect(await verdicts()).toEqual({
    'long-no': 'failed: no',
    'long-yes': 'passed',
    'pretty-no': 'failed: it printed "ok": false',
    'low-score': 'failed: score 0.5',
    'early-json': 'passed',
    crashed: 'failed: exit code 3',
    'text-ok': 'failed: it printed "ok" without true or false',
    'text-score': 'failed: it printed a "score" that is no number',
  })
})

test('the rewards of a Harbor task decide, and a reward that is no number is a failure', async () => {
  const reward = '/logs/verifier/reward'
  const tests = {
    full: `echo 1 > ${reward}.txt`,
    half: `echo .5 > ${reward}.txt`,
    empty: `: > ${reward}.txt`,
    words: `echo passed > ${reward}.txt`,
    metrics: `printf '{\\n"accuracy": 0.0,\\n"style": 1\\n}\\n' > ${reward}.json`,
    good: `echo '{"accuracy": 1.0, "style": 1}' > ${reward}.json`,
    broken: `echo '{"reward": ' > ${reward}.json`,
    none: 'exit 3',
    'long-log': `seq 1 40000; echo 0 > "${reward}.txt"`,
    places: `ls ./tests/test.sh "$PWD/tests/data" "$(dirname "$0")/data" && cd /tests && ls data && echo 1 >${reward}.txt`,
  }
  for (const [name, script] of Object.entries(tests)) {
    lab.write(`tasks/${name}/task.toml`, '[agent]\ntimeout_sec = 60.0\n')
    lab.write(`tasks/${name}/instruction.md`, 'Do it.')
    lab.write(`tasks/${name}/environment/Dockerfile`, 'FROM scratch\n')
    lab.write(`tasks/${name}/tests/data`, 'x')
    lab.write(`tasks/${name}/tests/test.sh`, `#!/bin/bash\n${script}\n`)
  }
  lab.write('suite.json', { suiteId: 'demo', missions: { from: 'tasks' } })
  const noNumber = 'failed: the reward is not a number'
  expect(await verdicts()).toEqual({
    full: 'passed',
    half: 'failed: score 0.5',
    empty: noNumber,
    words: noNumber,
    metrics: 'failed: score 0',
    good: 'passed',
    broken: noNumber,
    none: 'failed: exit code 3',
    'long-log': 'failed: score 0',
    places: 'passed',
  })
})

test('a mission takes what its workspace does not state from the workspace of the suite', async () => {
  lab.write('ws/given', 'x')
  lab.write('other/theirs', 'x')
  const missions = [
    { missionId: 'source', workspace: { path: 'other' } },
    { missionId: 'limits', workspace: { retain: 'never' } },
    { missionId: 'empty', workspace: {} },
    { missionId: 'none' },
  ]
  lab.suite(missions, {
    verify: [{ command: 'true' }],
    workspace: { path: 'ws', retain: 'always' },
  })
  const run = await lab.suiteRun([], ['sh', '-c', 'ls > "$ZCL_OUT_DIR/saw"'])
  const found = run.json.attempts.map(({ missionId, attemptId }) => {
    const folder = path.join(run.folder, 'attempts', attemptId)
    const saw = readFileSync(path.join(folder, 'saw'), 'utf8').trim()
    return [missionId, [saw, existsSync(path.join(folder, 'workspace'))]]
  })
  expect(Object.fromEntries(found)).toEqual({
    source: ['theirs', true],
    limits: ['given', false],
    empty: ['', true],
    none: ['given', true],
  })
})
