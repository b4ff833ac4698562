import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fixedClock } from '@zee/core/clock'
import { afterAll, expect, it } from 'vitest'
import { seededRandom } from '@zee/core/random'
import { openSession } from '../session/session.ts'
import { openShellUndo, redoSession, undoSession } from './undo.ts'

/** Mutations in total; about ten in a turn. */
const mutations = Number(process.env.ZEE_ROUNDS ?? 200)
const seed = Number(process.env.ZEE_SEED ?? 1)
const clock = fixedClock('2026-01-01T00:00:00Z')
const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-shell-undo-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

type Random = () => number
const pick = <T>(random: Random, list: readonly T[]): T => {
  const item = list[Math.floor(random() * list.length)]
  if (item === undefined) throw new Error('the list is empty')
  return item
}

/** Names with spaces, quotes, non-ASCII characters and a leading hyphen. */
const names = ['a', 'b c', 'é', '-x', "q'uote", 'd.txt', 'ü"', 'sub', 'deep', 'run.sh']

function randomPath(random: Random): string {
  const depth = 1 + Math.floor(random() * 3)
  return Array.from({ length: depth }, () => pick(random, names)).join('/')
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`

/** A shell command that changes the tree, or fails. */
function mutation(random: Random): string {
  const [first, second] = [quoted(`./${randomPath(random)}`), quoted(`./${randomPath(random)}`)]
  const text = Math.floor(random() * 1000)
  return pick(random, [
    `mkdir -p "$(dirname ${first})"; echo ${text} > ${first}`,
    `echo ${text} >> ${first}`,
    `rm -f ${first}`,
    `rm -rf ${first}`,
    `mv ${first} ${second}`,
    `cp -r ${first} ${second}`,
    `mkdir -p ${first}`,
    `rmdir ${first}`,
    `ln -sfn ${second} ${first}`,
    `chmod ${pick(random, ['600', '644', '755', '700', '664'])} ${first}`,
    `head -c 3000 /dev/urandom > ${first}`,
    `touch ${first}`,
    `: > ${first}`,
  ])
}

/** Every path with its kind, mode and contents, without `.git`. */
function treeOf(root: string, below = ''): string[] {
  return readdirSync(path.join(root, below))
    .sort()
    .flatMap((name) => {
      const relative = path.join(below, name)
      if (relative === '.git') return []
      const full = path.join(root, relative)
      const stats = lstatSync(full)
      const mode = (stats.mode & 0o7777).toString(8)
      if (stats.isSymbolicLink()) return [`${relative} -> ${readlinkSync(full)}`]
      if (stats.isDirectory()) return [`${relative}/ ${mode}`, ...treeOf(root, relative)]
      const hash = createHash('sha256').update(readFileSync(full)).digest('hex')
      return [`${relative} ${mode} ${hash}`]
    })
}

const shell = (root: string, command: string) => {
  try {
    execFileSync('sh', ['-c', command], { cwd: root, stdio: 'ignore' })
  } catch {
    // A mutation may fail, for example on a missing path.
  }
}

function makeProject(root: string, random: Random, isGit: boolean): void {
  mkdirSync(root)
  for (let index = 0; index < 12; index++) shell(root, mutation(random))
  writeFileSync(path.join(root, 'kept'), 'kept\n')
  if (!isGit) return
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@x', ...args], {
      cwd: root,
      stdio: 'ignore',
    })
  git('init', '-q')
  git('add', '-A')
  git('commit', '-q', '-m', 'start')
  for (let index = 0; index < 4; index++) shell(root, mutation(random))
}

async function checkTurn(number: number): Promise<void> {
  const random = seededRandom(seed * 100_003 + number)
  const home = path.join(base, String(number))
  mkdirSync(home)
  const root = path.join(home, 'project')
  makeProject(root, random, number % 2 === 0)
  const paths = {
    sessions: path.join(home, 'sessions'),
    undo: path.join(home, 'zdx/undo/one'),
    id: 'one',
    env: process.env,
  }
  const session = openSession(paths.sessions, 'one', clock)
  const options = { folder: paths.undo, base: path.join(home, 'zdx'), root, env: process.env }
  const shellUndo = openShellUndo({ ...options, clock, session })
  const before = treeOf(root)
  session.append({ type: 'message', role: 'user', text: 'work' })
  for (let index = 0; index < 10; index++) {
    const command = mutation(random)
    session.append({ type: 'tool_use', id: `c${index}`, name: 'bash', input: { command } })
    expect(await shellUndo.beforeCommand({ callId: `c${index}`, command })).toEqual({ ok: true })
    shell(root, command)
  }
  await shellUndo.endTurn()
  expect(shellUndo.takeNotices()).toEqual([])
  const after = treeOf(root)
  const label = `seed ${seed}, turn ${number}`
  if (JSON.stringify(before) !== JSON.stringify(after)) {
    await undoSession(paths, {}, session)
    expect(treeOf(root), label).toEqual(before)
    await redoSession(paths, {}, session)
    expect(treeOf(root), label).toEqual(after)
    await undoSession(paths, {}, session)
    expect(treeOf(root), label).toEqual(before)
  }
  session.close()
  rmSync(home, { recursive: true, force: true })
}

it(
  'the tree after an undo equals the one before the turn, and a redo restores the turn',
  async () => {
    for (let number = 0; number < mutations / 10; number++) await checkTurn(number)
  },
  Math.max(600_000, mutations * 1000),
)
