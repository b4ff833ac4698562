// Commands of zcl in the sweep: an attempt with two calls, a note and a report.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { writeClaudeLog } from './claude-log.ts'
import type { Scene } from './scene.ts'
import type { SweptCommand } from './sweep.ts'

interface Started {
  outDirAbs: string
  runId: string
  env: Record<string, string>
}

interface Event {
  op: string
  input: { argv?: string[] }
  /** Absent in the line that a call begins with. */
  result?: object
}

async function openAttempt(scene: Scene): Promise<void> {
  await scene.do('zcl', ['init'])
  const start = ['attempt', 'start', '--suite', 'smoke', '--mission', 'hello', '--json']
  const { env, outDirAbs } = JSON.parse(await scene.do('zcl', start)) as Started
  Object.assign(scene.env, env, { PROOF_ATTEMPT: outDirAbs })
  await scene.do('zcl', ['run', '--', 'echo', 'one'])
  await scene.do('zcl', ['note', '--message', 'first note'])
}

async function doneAttempt(scene: Scene): Promise<void> {
  await openAttempt(scene)
  await scene.do('zcl', ['feedback', '--ok', '--result', 'DONE=1'])
}

const oldRun = '20200101-000000Z-00000a'

async function addOldRun({ project }: Scene): Promise<void> {
  const folder = path.join(project, '.zcl/runs', oldRun)
  mkdirSync(path.join(folder, 'attempts'), { recursive: true })
  const createdAt = '2020-01-01T00:00:00.000Z'
  const run = { schemaVersion: 1, runId: oldRun, suiteId: 'old', createdAt }
  writeFileSync(path.join(folder, 'run.json'), JSON.stringify(run))
}

const settingsFile = ({ project }: Scene) => path.join(project, '.claude/settings.json')

const attemptFolder = (scene: Scene) => scene.env.PROOF_ATTEMPT ?? ''

function events(scene: Scene): Event[] {
  return readFileSync(path.join(attemptFolder(scene), 'tool.calls.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Event)
}

const hasRun = (scene: Scene, word: string) =>
  events(scene).some(
    ({ input, op, result }) => op === 'exec' && result !== undefined && input.argv?.at(-1) === word,
  )

async function checkAttempt(scene: Scene): Promise<void> {
  if (!hasRun(scene, 'one')) throw new Error('the recorded call is gone')
  const notes = readFileSync(path.join(attemptFolder(scene), 'notes.jsonl'), 'utf8')
  if (!notes.includes('first note')) throw new Error('the note is gone')
  const { code, stdout, stderr } = await scene.try('zcl', ['validate', attemptFolder(scene)])
  if (code !== 0) throw new Error(`validate fails: ${stdout}${stderr}`)
}

const attemptFile = (name: string, words: string) => async (scene: Scene) => {
  const file = path.join(attemptFolder(scene), name)
  return existsSync(file) && readFileSync(file, 'utf8').includes(words)
}

export const zclCommands: readonly SweptCommand[] = [
  {
    program: 'zcl',
    name: 'init',
    args: ['init'],
    prepare: async () => {},
    checkKept: async () => {},
    isDone: async (scene) =>
      existsSync(path.join(scene.project, 'zcl.config.json')) &&
      existsSync(path.join(scene.project, '.zcl/runs')),
  },
  {
    program: 'zcl',
    name: 'attempt start',
    args: ['attempt', 'start', '--suite', 'smoke', '--mission', 'second', '--json'],
    prepare: openAttempt,
    checkKept: checkAttempt,
    isDone: async (scene) => {
      const listed = await scene.do('zcl', ['attempt', 'list', '--json'])
      return listed.includes('"second"')
    },
  },
  {
    program: 'zcl',
    name: 'run',
    args: ['run', '--', 'echo', 'two'],
    needsProcess: true,
    prepare: openAttempt,
    checkKept: checkAttempt,
    isDone: async (scene) => hasRun(scene, 'two'),
  },
  {
    program: 'zcl',
    name: 'run --capture',
    args: ['run', '--capture', '--', 'echo', 'captured'],
    needsProcess: true,
    prepare: openAttempt,
    checkKept: checkAttempt,
    isDone: async (scene) => hasRun(scene, 'captured'),
  },
  {
    program: 'zcl',
    name: 'note',
    args: ['note', '--message', 'second note'],
    prepare: openAttempt,
    checkKept: checkAttempt,
    isDone: attemptFile('notes.jsonl', 'second note'),
  },
  {
    program: 'zcl',
    name: 'feedback',
    args: ['feedback', '--ok', '--result', 'DONE=1'],
    prepare: openAttempt,
    checkKept: checkAttempt,
    isDone: attemptFile('feedback.json', 'DONE=1'),
  },
  {
    program: 'zcl',
    name: 'enrich',
    args: ['enrich', '--runner', 'claude', '--rollout', '{PROOF_LOG}'],
    prepare: async (scene) => {
      await openAttempt(scene)
      Object.assign(scene.env, { PROOF_LOG: writeClaudeLog(scene) })
    },
    checkKept: checkAttempt,
    isDone: attemptFile('runner.metrics.json', 'claude'),
  },
  {
    program: 'zcl',
    name: 'import claude',
    args: ['import', 'claude', '{PROOF_LOG}', '--json'],
    prepare: async (scene) => {
      await openAttempt(scene)
      Object.assign(scene.env, { PROOF_LOG: writeClaudeLog(scene) })
    },
    checkKept: checkAttempt,
    isDone: async (scene) => {
      const runs = path.join(scene.project, '.zcl/runs')
      const imported = readdirSync(runs).find((name) => name.startsWith('20260101-'))
      return imported !== undefined && !existsSync(path.join(runs, imported, '.importing'))
    },
  },
  {
    program: 'zcl',
    name: 'suite plan',
    args: ['suite', 'plan', '--file', 'suite.json', '--json'],
    prepare: async (scene) => {
      await openAttempt(scene)
      const missions = [{ missionId: 'planned', prompt: 'do it' }]
      writeFileSync(
        path.join(scene.project, 'suite.json'),
        JSON.stringify({ suiteId: 's', missions }),
      )
    },
    checkKept: checkAttempt,
    isDone: async (scene) =>
      (await scene.do('zcl', ['attempt', 'list', '--json'])).includes('"planned"'),
  },
  {
    program: 'zcl',
    name: 'hooks install',
    args: ['hooks', 'install', '--for', 'claude'],
    prepare: async (scene) => {
      await openAttempt(scene)
      mkdirSync(path.join(scene.project, '.claude'))
      writeFileSync(settingsFile(scene), '{"own":1}\n')
    },
    checkKept: async (scene) => {
      const { own } = JSON.parse(readFileSync(settingsFile(scene), 'utf8')) as { own?: number }
      if (own !== 1) throw new Error('a setting of the user is gone')
    },
    isDone: async (scene) => readFileSync(settingsFile(scene), 'utf8').includes('zcl'),
  },
  {
    program: 'zcl',
    name: 'shim install',
    args: ['shim', 'install', '--dir', 'shims', 'git'],
    prepare: openAttempt,
    checkKept: checkAttempt,
    isDone: async (scene) => existsSync(path.join(scene.project, 'shims/git')),
  },
  {
    program: 'zcl',
    name: 'view',
    args: ['view', '--out', '{root}/page.html', 'latest'],
    prepare: doneAttempt,
    checkKept: checkAttempt,
    isDone: async (scene) =>
      existsSync(scene.at('page.html')) &&
      readFileSync(scene.at('page.html'), 'utf8').includes('</html>'),
  },
  {
    program: 'zcl',
    name: 'report',
    args: ['report'],
    prepare: doneAttempt,
    checkKept: checkAttempt,
    isDone: attemptFile('attempt.report.json', '"ok": true'),
  },
  {
    program: 'zcl',
    name: 'attempt finish',
    args: ['attempt', 'finish'],
    prepare: doneAttempt,
    checkKept: checkAttempt,
    isDone: attemptFile('attempt.report.json', '"ok": true'),
  },
  {
    program: 'zcl',
    name: 'pin',
    args: ['pin', '--run-id', '{ZCL_RUN_ID}', '--on'],
    prepare: doneAttempt,
    checkKept: checkAttempt,
    isDone: async (scene) => (await scene.do('zcl', ['runs', '--json'])).includes('"pinned": true'),
  },
  {
    program: 'zcl',
    name: 'trust',
    args: ['trust'],
    prepare: async (scene) => void (await scene.do('zcl', ['init'])),
    checkKept: async () => {},
    isDone: async (scene) =>
      (await scene.do('zcl', ['trust', '--list'])).includes('zcl.config.json'),
  },
  {
    program: 'zcl',
    name: 'gc',
    args: ['gc', '--older-than', '1d', '--yes'],
    prepare: async (scene) => {
      await doneAttempt(scene)
      await addOldRun(scene)
    },
    checkKept: checkAttempt,
    isDone: async (scene) => !existsSync(path.join(scene.project, '.zcl/runs', oldRun)),
  },
  {
    program: 'zcl',
    name: 'export',
    args: ['export', '--format', 'jsonl', '--out', 'events.jsonl'],
    prepare: doneAttempt,
    checkKept: checkAttempt,
    isDone: async ({ project }) => existsSync(path.join(project, 'events.jsonl')),
  },
  ...(['validate', 'show', 'runs', 'attempt list', 'attempt explain', 'doctor'] as const).map(
    (name): SweptCommand => ({
      program: 'zcl',
      name,
      args: name.split(' '),
      prepare: doneAttempt,
      checkKept: checkAttempt,
    }),
  ),
]
