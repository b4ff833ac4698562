import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fixedClock } from '@zee/core/clock'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SessionWriter } from '../session/session.ts'
import { openSession } from '../session/session.ts'
import { runShell, treeOf } from './shell-mutations.fixtures.ts'
import { openShellUndo, undoSession } from './undo.ts'

const clock = fixedClock('2026-01-01T00:00:00Z')
let home: string
let root: string
let session: SessionWriter
beforeEach(() => {
  home = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-shell-')))
  root = path.join(home, 'project')
  mkdirSync(root)
  session = openSession(path.join(home, 'sessions'), 'one', clock)
  git('init -q')
  runShell(root, "echo '*.ignored' > .gitignore; echo a > a; echo b > b; echo c > c")
  git('add -A')
  git('commit -q -m start')
})
afterEach(() => {
  session.close()
  rmSync(home, { recursive: true, force: true })
})

const git = (command: string) =>
  execFileSync('sh', ['-c', `git -c user.name=a -c user.email=a@x ${command}`], { cwd: root })

const paths = () => ({
  sessions: path.join(home, 'sessions'),
  undo: path.join(home, 'zdx/undo/one'),
  id: 'one',
  env: process.env,
})

/** A conversation; each call is a turn with one command. */
function openConversation(maxTrackedFiles: number, env: NodeJS.ProcessEnv = process.env) {
  const base = path.join(home, 'zdx')
  const options = { folder: paths().undo, base, root, env, clock, session, maxTrackedFiles }
  const shellUndo = openShellUndo(options)
  return async (command: string) => {
    session.append({ type: 'message', role: 'user', text: command })
    session.append({ type: 'tool_use', id: command, name: 'bash', input: { command } })
    await shellUndo.beforeCommand({ callId: command, command })
    runShell(root, command)
    await shellUndo.endTurn()
    expect(shellUndo.takeNotices()).toEqual([])
  }
}

describe('undo in a large repository', () => {
  it('runs git status once per turn', async () => {
    const log = path.join(home, 'log')
    const found = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
    mkdirSync(path.join(home, 'bin'))
    writeFileSync(
      path.join(home, 'bin/git'),
      `#!/bin/sh\nfor each; do case $each in status|diff-files) echo $each >> '${log}';; esac; done\nexec ${found} "$@"\n`,
    )
    chmodSync(path.join(home, 'bin/git'), 0o755)
    const env = { ...process.env, PATH: `${path.join(home, 'bin')}:${process.env.PATH}` }
    const turn = openConversation(0, env)
    await turn('sh -c true')
    await turn('echo more >> a')
    await turn('touch b')
    expect(readFileSync(log, 'utf8').trim().split('\n')).toEqual(['status', 'status', 'status'])
  })

  it('undoes each turn, also if a command changes the index or only a mode', async () => {
    const turn = openConversation(0)
    const trees = [treeOf(root, true)]
    const commands = [
      'chmod 600 a',
      'echo more >> b; git -c user.name=a -c user.email=a@x commit -qam more',
      'git rm -q c',
      'git rm -q --cached a; echo new > new; git add new',
      'rm new; touch b',
    ]
    for (const command of commands) {
      await turn(command)
      trees.push(treeOf(root, true))
    }
    for (const tree of trees.slice(0, -1).toReversed()) {
      await undoSession(paths(), {}, session)
      expect(treeOf(root, true)).toEqual(tree)
    }
  })
})

it('undo in a large repository restores a folder that a link to itself has replaced', async () => {
  git('rm -q --cached c && mkdir old && mv c old && git add old && touch -d @1000 old/c .git/index')
  const before = treeOf(root, true)
  await openConversation(0)('rm -rf old; ln -s old old')
  await undoSession(paths(), {}, session)
  expect(treeOf(root, true)).toEqual(before)
})

it('undo restores a folder that a link to a folder with equal files has replaced', async () => {
  runShell(root, 'mkdir old copy; echo same > old/f; echo same > copy/f; echo kept > copy/g')
  const before = treeOf(root, true)
  await openConversation(20_000)('rm -rf old; ln -s copy old')
  await undoSession(paths(), {}, session)
  expect(treeOf(root, true)).toEqual(before)
})

describe('undo of a repository inside a repository', () => {
  it('restores an embedded repository and a submodule that a turn edits, deletes or replaces', async () => {
    git('init -q inner && rm -rf inner/.git/hooks && echo in > inner/file && git -C inner add file')
    git('-C inner commit -qm inner && cp -r inner module && git add module 2>/dev/null')
    const before = treeOf(root, true)
    const turn = openConversation(20_000)
    const commands = ['echo more >> inner/file', 'rm -rf inner', 'rm -rf inner; ln -s inner inner']
    for (const command of commands) {
      await turn(`${command}; ${command.replaceAll('inner', 'module')}`)
      await undoSession(paths(), {}, session)
      expect(treeOf(root, true), command).toEqual(before)
    }
  })

  it('removes one that the turn made, and leaves ignored files in it', async () => {
    const turn = openConversation(20_000)
    await turn('git init -q inner; echo x > inner/x.ignored; cp .gitignore inner; echo y > inner/y')
    await undoSession(paths(), {}, session)
    expect(existsSync(path.join(root, 'inner/y'))).toBe(false)
    expect(existsSync(path.join(root, 'inner/x.ignored'))).toBe(true)
  })
})

describe('undo of a command that deletes the repository or objects of it', () => {
  it.each([
    'rm -rf .git a b c',
    'rm -rf .git; echo more >> a',
    'cd .. && rm -rf project/.git project/a',
    'git rm -q b; git commit -qm less --allow-empty; git update-ref -d HEAD; git reflog expire --expire=now --all; git prune --expire=now; rm -f a',
  ])('restores the files that were clean before `%s`', async (command) => {
    for (const maxTrackedFiles of [0, 20_000]) {
      runShell(root, 'rm -rf .git; echo a > a; echo b > b; echo c > c')
      git('init -q && git add -A && git -c user.name=a -c user.email=a@x commit -qm start')
      runShell(root, 'echo dirty >> c; echo new > new')
      const before = treeOf(root, true)
      await openConversation(maxTrackedFiles)(command)
      expect(treeOf(root, true)).not.toEqual(before)
      await undoSession(paths(), {}, session)
      expect(treeOf(root, true)).toEqual(before)
    }
  })

  it.each([
    ['a repository', 20_000],
    ['a large repository', 0],
    ['a folder outside git', 20_000],
  ])('restores %s that was deleted as a whole', async (kind, maxTrackedFiles) => {
    if (!kind.includes('repository')) runShell(root, 'rm -rf .git')
    runShell(
      root,
      'mkdir -p deep/er; echo d > deep/er/d; ln -s a link; echo dirty >> c; mkdir empty',
    )
    const isGit = kind.includes('repository')
    if (isGit) git('add link')
    const before = treeOf(root, isGit)
    await openConversation(maxTrackedFiles)('cd .. && rm -rf project')
    expect(existsSync(root)).toBe(false)
    await undoSession(paths(), {}, session)
    expect(treeOf(root, isGit)).toEqual(before)
  })

  it('links objects only before a command that may delete them', async () => {
    const turn = openConversation(20_000)
    await turn('rm -r a; git add -A; rm -f .gitignore')
    expect(readdirSync(paths().undo).filter((name) => name.startsWith('git-'))).toEqual([])
    await turn('git gc -q --prune=now')
    expect(readdirSync(paths().undo).filter((name) => name.startsWith('git-'))).toHaveLength(1)
  })
})
