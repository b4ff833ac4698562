// Commands of zdx in the sweep: a project with one session. A scripted model plays the answers.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { writeClaudeLog } from './claude-log.ts'
import type { Scene } from './scene.ts'
import type { SweptCommand } from './sweep.ts'

type Step = Record<string, unknown>

/** A screenplay is played from its beginning within a session, so it starts with the first answer. */
const first: Step[] = [{ text: 'first answer' }, { end: true }]

const plays: Readonly<Record<string, Step[]>> = {
  first,
  alone: [{ text: 'second answer' }],
  text: [...first, { text: 'second answer' }],
  write: [...first, tool('write', { path: 'b.txt', content: 'new\n' }), ...say('written')],
  edit: [...first, tool('edit', { path: 'a.txt', old: 'one', new: 'two' }), ...say('edited')],
  bash: [...first, tool('bash', { command: 'echo three > c.txt' }), ...say('executed')],
  'remove-git': [...first, tool('bash', { command: 'rm -rf .git d.txt' }), ...say('removed')],
}

function say(text: string): Step[] {
  return [{ end: true }, { text }]
}

function tool(name: string, input: object): Step {
  return { tool: name, input }
}

const playFile = (scene: Scene, name: string) => scene.at(`${name}.jsonl`)

/** Arguments of `zdx exec` that play these steps. */
const exec = (name: string, session = 'base') => [
  ...['--provider', 'script', '--model', `{root}/${name}.jsonl`],
  ...['exec', '-p', `please ${name}`, '--session', session],
]

async function withSession(scene: Scene): Promise<void> {
  for (const [name, steps] of Object.entries(plays)) {
    writeFileSync(playFile(scene, name), steps.map((step) => `${JSON.stringify(step)}\n`).join(''))
  }
  writeFileSync(path.join(scene.project, 'a.txt'), 'one\n')
  await scene.do('zdx', exec('first'))
}

const after =
  (...commands: string[][]) =>
  async (scene: Scene) => {
    await withSession(scene)
    for (const command of commands) await scene.do('zdx', command)
  }

/** A repository with the commit of `d.txt`. */
async function withRepository(scene: Scene): Promise<void> {
  await withSession(scene)
  writeFileSync(path.join(scene.project, 'd.txt'), 'four\n')
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com']
  for (const words of [
    ['init', '-q'],
    ['add', '.'],
    [...identity, 'commit', '-qm', 'first'],
  ]) {
    execFileSync('git', words, { cwd: scene.project })
  }
}

/** Deletes what the command deleted: the log of changes holds those of zdx only. */
async function canUndoRemoval(scene: Scene): Promise<boolean> {
  if (!(await answered('removed')(scene))) return false
  for (const name of ['.git', 'd.txt']) {
    rmSync(path.join(scene.project, name), { recursive: true, force: true })
  }
  await scene.do('zdx', ['sessions', 'undo', 'base'])
  return contentOf(scene, 'd.txt') === 'four\n'
}

const show = (scene: Scene, id = 'base') => scene.do('zdx', ['sessions', 'show', id])

/** The first answer is readable, a file is old or new but whole, and a changed file has its record. */
async function checkSession(scene: Scene): Promise<void> {
  const shown = await show(scene)
  if (!shown.includes('first answer')) throw new Error('the first answer is gone')
  const text = contentOf(scene, 'a.txt')
  if (text !== 'one\n' && text !== 'two\n') throw new Error(`a.txt is ${JSON.stringify(text)}`)
  if (text === 'two\n' && !shown.includes('please edit')) {
    throw new Error('a.txt was changed and no record explains it')
  }
  if (contentOf(scene, 'b.txt') !== undefined && !shown.includes('please write')) {
    throw new Error('b.txt was created and no record explains it')
  }
}

function contentOf({ project }: Scene, name: string): string | undefined {
  const file = path.join(project, name)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

const answered = (words: string) => async (scene: Scene) => (await show(scene)).includes(words)

/** A tool that fails tells the model so, and the turn goes on: the record of the call has the error. */
async function isCallDone(scene: Scene, answer: string, hasEffect: boolean): Promise<boolean> {
  const records = readFileSync(await sessionFile(scene), 'utf8')
  return (await answered(answer)(scene)) && (hasEffect || /\\?"ok\\?": ?false/.test(records))
}

async function sessionFile(scene: Scene): Promise<string> {
  return path.join(path.dirname(await configPath(scene)), 'sessions/base.jsonl')
}

/** A screenplay is over after its last step, so calls of tools are not repeated. */
const base = { program: 'zdx', prepare: withSession, checkKept: checkSession } as const

/** Standard error has the tools and the errors of the turn, one line each. */
const turn = { ...base, printsEvents: true } as const

export const zdxCommands: readonly SweptCommand[] = [
  { ...turn, name: 'exec', args: exec('text'), isDone: answered('second answer') },
  {
    ...turn,
    name: 'exec, new session',
    args: exec('alone', 'other'),
    isDone: async (scene) => {
      const { stdout } = await scene.try('zdx', ['sessions', 'show', 'other'])
      return stdout.includes('second answer')
    },
  },
  {
    ...turn,
    name: 'exec with write',
    args: exec('write'),
    isDone: (scene) => isCallDone(scene, 'written', contentOf(scene, 'b.txt') === 'new\n'),
    isRepeatable: false,
  },
  {
    ...turn,
    name: 'exec with edit',
    args: exec('edit'),
    isDone: (scene) => isCallDone(scene, 'edited', contentOf(scene, 'a.txt') === 'two\n'),
    isRepeatable: false,
  },
  {
    ...turn,
    name: 'exec with bash',
    args: exec('bash'),
    isDone: (scene) => isCallDone(scene, 'executed', contentOf(scene, 'c.txt') === 'three\n'),
    // zdx does not flush what a shell command writes.
    isDurable: answered('executed'),
    isRepeatable: false,
  },
  {
    ...turn,
    name: 'exec with rm -rf .git',
    args: exec('remove-git'),
    prepare: withRepository,
    isDone: (scene) => isCallDone(scene, 'removed', contentOf(scene, 'd.txt') === undefined),
    isDurable: canUndoRemoval,
    isRepeatable: false,
  },
  {
    ...base,
    name: 'sessions undo',
    args: ['sessions', 'undo', 'base'],
    prepare: after(exec('edit')),
    isDone: async (scene) => contentOf(scene, 'a.txt') === 'one\n',
  },
  {
    ...base,
    name: 'sessions redo',
    args: ['sessions', 'redo', 'base'],
    prepare: after(exec('edit'), ['sessions', 'undo', 'base']),
    isDone: async (scene) => contentOf(scene, 'a.txt') === 'two\n',
  },
  {
    ...base,
    name: 'sessions fork',
    args: ['sessions', 'fork', 'base'],
    isDone: async (scene) =>
      (await scene.do('zdx', ['sessions', 'list', '--all'])).trim().split('\n').length >= 2,
  },
  {
    ...base,
    name: 'sessions rename',
    args: ['sessions', 'rename', 'base', 'a better title'],
    isDone: async (scene) =>
      (await scene.do('zdx', ['sessions', 'list', '--all'])).includes('a better title'),
  },
  {
    ...base,
    name: 'sessions delete',
    args: ['sessions', 'delete', 'extra'],
    prepare: after(exec('alone', 'extra')),
    isDone: async (scene) =>
      !(await scene.do('zdx', ['sessions', 'list', '--all'])).includes('extra'),
  },
  {
    ...base,
    name: 'sessions export',
    args: ['sessions', 'export', 'base', '--out', 'session.md'],
    isDone: async (scene) => contentOf(scene, 'session.md')?.includes('first answer') === true,
  },
  {
    ...base,
    name: 'config init',
    args: ['config', 'init'],
    isDone: async (scene) => existsSync(await configPath(scene)),
  },
  {
    ...base,
    name: 'trust',
    args: ['trust'],
    prepare: async (scene) => {
      await withSession(scene)
      mkdirSync(path.join(scene.project, '.zdx'))
      writeFileSync(path.join(scene.project, '.zdx/config.toml'), 'tools = ["read"]\n')
    },
    isDone: async (scene) => (await scene.do('zdx', ['trust', '--list'])).includes('config.toml'),
  },
  {
    ...base,
    name: 'sessions import',
    args: ['sessions', 'import', 'claude'],
    prepare: async (scene) => {
      await withSession(scene)
      writeClaudeLog(scene)
    },
    isDone: async (scene) => (await scene.do('zdx', ['sessions', 'list', '--all'])).includes('ask'),
  },
  ...['show base', 'list --all', 'search first', 'diff base', 'stats base', 'bill base'].map(
    (words): SweptCommand => ({
      ...base,
      name: `sessions ${words.split(' ')[0]}`,
      args: ['sessions', ...words.split(' ')],
      prepare: after(exec('edit')),
    }),
  ),
  { ...base, name: 'config show', args: ['config', 'show'] },
  { ...base, name: 'verify', args: ['verify', 'base'] },
]

async function configPath(scene: Scene): Promise<string> {
  return (await scene.do('zdx', ['config', 'path'])).trim()
}
