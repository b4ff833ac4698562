import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readLog } from './change-log.ts'
import { testClock } from './recorded-session.fixtures.ts'
import type { ShellUndo } from './shell-changes.ts'
import { closeOpenSnapshots, openShellUndo } from './shell-changes.ts'
import type { TestRepository } from './snapshots/repository.fixtures.ts'
import { makeRepository } from './snapshots/repository.fixtures.ts'

let repository: TestRepository
let folder: string
let failure: Error | undefined
beforeEach(() => {
  repository = makeRepository()
  folder = path.join(repository.base, 'zdx/undo/one')
  failure = undefined
})
afterEach(() => repository.remove())

const open = (maxTrackedFiles = 20_000): ShellUndo =>
  openShellUndo({
    folder,
    base: path.join(repository.base, 'zdx'),
    root: repository.top,
    env: process.env,
    clock: testClock,
    session: {
      sync: () => {
        if (failure !== undefined) throw failure
      },
    },
    maxTrackedFiles,
  })
const before = (undo: ShellUndo, callId: string, command = 'sh x') =>
  undo.beforeCommand({ callId, command })
const log = () => readLog(folder)

it('one snapshot is taken per turn, before the first command that may write', async () => {
  const undo = open()
  expect(await before(undo, '1', 'ls')).toEqual({ ok: true })
  expect(log().snapshots).toEqual([])
  await undo.endTurn()
  expect(await before(undo, '2')).toEqual({ ok: true })
  repository.put('a')
  expect(await before(undo, '3')).toEqual({ ok: true })
  expect(log().snapshots.map(({ callId }) => callId)).toEqual(['2'])
  await undo.endTurn()
  await before(undo, '4')
  repository.put('b')
  await undo.endTurn()
  const { snapshots, changes } = log()
  const closed = { isClosed: true, endedMs: expect.any(Number) as number }
  expect(snapshots).toEqual([
    { line: 1, name: 'snapshot-1', callId: '2', ...closed },
    { line: 5, name: 'snapshot-1', callId: '4', ...closed },
  ])
  expect(changes.map(({ callId, path: file }) => [callId, path.basename(file)])).toEqual([
    ['2', 'a'],
    ['4', 'b'],
  ])
  expect(undo.takeNotices()).toEqual([])
})

it('a command is refused if the session cannot be flushed', async () => {
  failure = new Error('the disk is full')
  expect(await before(open(), '1', 'ls')).toEqual({ ok: false, reason: 'the disk is full' })
})

it.each([
  [['a.o'], 'a.o'],
  [['a.o', 'b.o', 'c.o', 'd.o', 'e.o'], 'a.o, b.o, c.o, d.o, e.o'],
  [['a.o', 'b.o', 'c.o', 'd.o', 'e.o', 'f.o', 'g.o'], 'a.o, b.o, c.o, d.o, e.o and 2 more'],
])('ignored files %j are named once, for the first snapshot: %s', async (names, list) => {
  repository.put('.gitignore', '*.o\n')
  for (const name of names) repository.put(name)
  const undo = open()
  await before(undo, '1')
  expect(undo.takeNotices()).toEqual([`Undo leaves out files that git ignores: ${list}`])
  expect(undo.takeNotices()).toEqual([])
  await undo.endTurn()
  await before(undo, '2')
  expect(undo.takeNotices()).toEqual([])
})

it('a failed snapshot does not stop the command, and is reported', async () => {
  mkdirSync(path.dirname(folder), { recursive: true })
  writeFileSync(folder, 'a file in the place of the folder')
  const undo = open()
  expect(await before(undo, '1')).toEqual({ ok: true })
  await undo.endTurn()
  expect(undo.takeNotices()).toEqual([
    'Shell changes of this turn cannot be undone: it already exists',
  ])
})

it('a failed end of a turn is reported', async () => {
  const undo = open()
  await before(undo, '1')
  rmSync(folder, { recursive: true })
  await undo.endTurn()
  expect(undo.takeNotices()).toEqual([
    'Shell changes of this turn cannot be undone: no such file or folder',
  ])
})

it('changes in a large repository are recorded when they are needed, with those after the turn', async () => {
  for (const name of ['a', 'b']) repository.put(name)
  repository.git('add', '.')
  const undo = open(0)
  await before(undo, '1')
  repository.put('a', 'in the turn')
  await undo.endTurn()
  expect(log().snapshots).toMatchObject([{ isClosed: false }])
  const { ctimeMs } = statSync(path.join(folder, 'clock'))
  let later = ctimeMs
  while (later <= ctimeMs) {
    repository.put('b', 'after the turn')
    later = statSync(path.join(repository.top, 'b')).ctimeMs
  }
  await closeOpenSnapshots({ undo: folder, env: process.env })
  expect(log().snapshots).toMatchObject([{ isClosed: true }])
  expect(log().changes.map(({ path: file, isLater }) => [path.basename(file), isLater])).toEqual([
    ['a', false],
    ['b', true],
  ])
  expect(readdirSync(folder).toSorted()).toEqual(['changes.jsonl', 'clock', 'known.json'])
})

it('objects of the repository are kept before a command that may delete them', async () => {
  repository.put('a')
  repository.git('add', '.')
  const undo = open()
  await before(undo, '1', 'sh -c true')
  const kept = () => readdirSync(folder).filter((name) => name.startsWith('git-'))
  expect(kept()).toEqual([])
  await before(undo, '2', 'rm -rf .git')
  expect(kept()).toHaveLength(1)
})

it('an interrupt ends the snapshot that git cannot finish, and the command does not run', async () => {
  execFileSync('mkfifo', [path.join(repository.top, '.gitignore')])
  const signal = AbortSignal.timeout(500)
  const decision = await open().beforeCommand({ callId: '1', command: 'sh x', signal })
  expect(decision).toEqual({ ok: false, reason: 'the turn was interrupted' })
  expect(log().snapshots).toEqual([])
})

it('a pipe that a command makes ends the turn with a notice, and undo works once it is removed', async () => {
  const undo = open()
  await before(undo, '1', 'mkfifo .gitignore')
  const pipe = path.join(repository.top, '.gitignore')
  execFileSync('mkfifo', [pipe])
  repository.put('a')
  await undo.endTurn()
  const reason = `git waits for the pipe ${pipe}; remove it`
  expect(undo.takeNotices()).toEqual([`Shell changes of this turn cannot be undone: ${reason}`])
  await expect(closeOpenSnapshots({ undo: folder, env: process.env })).rejects.toThrow(reason)
  rmSync(pipe)
  await closeOpenSnapshots({ undo: folder, env: process.env })
  expect(log().changes.map((change) => path.basename(change.path))).toEqual(['a'])
})

it('an interrupt ends the snapshot after a turn, which is completed when it is needed', async () => {
  const undo = open()
  await before(undo, '1')
  const pipe = path.join(repository.top, '.gitignore')
  execFileSync('mkfifo', [pipe])
  repository.put('a')
  await undo.endTurn(AbortSignal.timeout(200))
  expect(undo.takeNotices()).toEqual([])
  expect(log().snapshots).toMatchObject([{ isClosed: false }])
  rmSync(pipe)
  await closeOpenSnapshots({ undo: folder, env: process.env })
  expect(log().changes.map((change) => path.basename(change.path))).toEqual(['a'])
})

it('a pipe in the repository before a turn does not prevent the undo of a small project', async () => {
  execFileSync('mkfifo', [path.join(repository.top, '.gitignore')])
  const undo = open()
  await before(undo, '1')
  repository.put('a')
  await undo.endTurn()
  expect(undo.takeNotices()).toEqual([])
  expect(log().changes.map((change) => path.basename(change.path))).toEqual(['a'])
})
