import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fixedClock } from '@zee/core/clock'
import { seededRandom } from '@zee/core/random'
import { afterAll, expect, it } from 'vitest'
import { openSession } from '../session/session.ts'
import { makeProject, mutationList, runShell, treeOf } from './shell-mutations.fixtures.ts'
import { openShellUndo, redoSession, undoSession } from './undo.ts'

/** Mutations in total; ten in a turn. */
const mutations = Number(process.env.ZEE_ROUNDS ?? 200)
const seed = Number(process.env.ZEE_SEED ?? 1)
const clock = fixedClock('2026-01-01T00:00:00Z')
const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-shell-undo-')))
afterAll(() => rmSync(base, { recursive: true, force: true }))

const perCommand = 5
const commandsPerTurn = 2
const perTurn = perCommand * commandsPerTurn
const kinds = ['plain', 'repository', 'large repository'] as const

/** A conversation of two turns: undoes the second, redoes it, and undoes both. */
async function checkConversation(number: number): Promise<void> {
  const random = seededRandom(seed * 100_003 + number)
  const kind = kinds[number % kinds.length]
  const isGit = kind !== 'plain'
  const home = path.join(base, String(number))
  mkdirSync(home)
  const root = path.join(home, 'project')
  makeProject(root, random, isGit)
  const paths = {
    sessions: path.join(home, 'sessions'),
    undo: path.join(home, 'zdx/undo/one'),
    id: 'one',
    env: process.env,
  }
  const session = openSession(paths.sessions, 'one', clock)
  const shellUndo = openShellUndo({
    folder: paths.undo,
    base: path.join(home, 'zdx'),
    root,
    env: process.env,
    clock,
    session,
    maxTrackedFiles: kind === 'large repository' ? 0 : 20_000,
  })
  const label = `seed ${seed}, conversation ${number}, ${kind}`
  const trees = [treeOf(root, isGit)]
  for (const turn of ['first', 'second']) {
    session.append({ type: 'message', role: 'user', text: turn })
    for (let index = 0; index < commandsPerTurn; index++) {
      const command = mutationList(random, perCommand)
      const callId = `${turn}-${index}`
      session.append({ type: 'tool_use', id: callId, name: 'bash', input: { command } })
      expect(await shellUndo.beforeCommand({ callId, command })).toEqual({ ok: true })
      runShell(root, command)
    }
    await shellUndo.endTurn()
    trees.push(treeOf(root, isGit))
  }
  const [start, middle, end] = trees
  const isChanged = JSON.stringify(middle) !== JSON.stringify(end)
  if (isChanged) {
    await undoSession(paths, {}, session)
    expect(treeOf(root, isGit), label).toEqual(middle)
    await redoSession(paths, {}, session)
    expect(treeOf(root, isGit), label).toEqual(end)
  }
  if (isChanged || JSON.stringify(start) !== JSON.stringify(middle)) {
    await undoSession(paths, { to: 0 }, session)
    expect(treeOf(root, isGit), label).toEqual(start)
  }
  session.close()
  rmSync(home, { recursive: true, force: true })
}

it(
  'the tree after an undo equals the one before the turn, and a redo restores the turn',
  async () => {
    for (let number = 0; number < mutations / perTurn / 2; number++) await checkConversation(number)
  },
  Math.max(600_000, mutations * 1000),
)
