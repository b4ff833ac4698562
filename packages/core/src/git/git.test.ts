import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import { runGit } from './git.ts'

const identity = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
}

let folder: string
let markers: string
let env: Record<string, string | undefined>

function git(...args: string[]): string {
  const options = { env: { ...env, ...identity }, encoding: 'utf8' as const }
  return execFileSync('git', ['-C', folder, ...args], options)
}

/** A command that leaves a marker and lets its input through. */
function marking(name: string): string {
  return `touch ${path.join(markers, name)}; cat`
}

beforeEach(() => {
  const base = tempFolder()
  folder = path.join(base, 'repository')
  markers = path.join(base, 'markers')
  mkdirSync(folder)
  mkdirSync(markers)
  env = { PATH: process.env.PATH, HOME: base }
  git('init', '-q', '-b', 'main', '.')
  writeFileSync(path.join(folder, 'a.txt'), 'one\n')
  git('add', '-A')
  git('commit', '-q', '-m', 'first')
  writeFileSync(path.join(folder, 'a.txt'), 'two\n')
})

/** Sets everything in the repository's configuration that git may execute. */
function setTraps(): void {
  const settings: [string, string][] = [
    ['core.fsmonitor', marking('fsmonitor')],
    ['core.hooksPath', path.join(markers, '../hooks')],
    ['core.pager', marking('pager')],
    ['core.editor', marking('editor')],
    ['core.sshCommand', marking('ssh')],
    ['core.askPass', marking('askpass')],
    ['core.gitProxy', marking('proxy')],
    ['core.alternateRefsCommand', marking('alternates')],
    ['pager.diff', marking('pager-diff')],
    ['diff.external', marking('external')],
    ['diff.trap.command', marking('driver')],
    ['diff.trap.textconv', marking('textconv')],
    ['filter.trap.clean', marking('clean')],
    ['filter.trap.smudge', marking('smudge')],
    ['filter.trap.required', 'true'],
    ['filter.process.process', marking('process')],
    ['merge.trap.driver', marking('merge')],
    ['alias.diff', `!${marking('alias')}`],
    ['credential.helper', `!${marking('credential')}`],
    ['gpg.program', marking('gpg')],
    ['log.showSignature', 'true'],
    ['interactive.diffFilter', marking('interactive')],
    ['include.path', '../included'],
  ]
  for (const [name, value] of settings) git('config', name, value)
  writeFileSync(
    path.join(folder, 'included'),
    `[filter "later"]\n\tclean = ${marking('included')}\n`,
  )
  writeFileSync(path.join(folder, '.gitattributes'), '* filter=trap diff=trap merge=trap\n')
  writeFileSync(
    path.join(folder, '.git/info/attributes'),
    'b.txt filter=later\nc.txt filter=process\n',
  )
  const hooks = path.join(markers, '../hooks')
  mkdirSync(hooks)
  for (const hook of ['post-index-change', 'reference-transaction', 'fsmonitor-watchman']) {
    writeFileSync(path.join(hooks, hook), `#!/bin/sh\n${marking(hook)}\n`, { mode: 0o755 })
    writeFileSync(path.join(folder, '.git/hooks', hook), `#!/bin/sh\n${marking(hook)}\n`, {
      mode: 0o755,
    })
  }
}

it.each([
  [['diff', '--name-only', 'HEAD', '--'], 'a.txt\n'],
  [['status', '--porcelain', '--untracked-files=no'], ' M a.txt\n'],
])('runs git %j without executing anything of a hostile repository', async (args, expected) => {
  for (const name of ['b.txt', 'c.txt']) writeFileSync(path.join(folder, name), 'one\n')
  git('add', '-A')
  git('commit', '-q', '-m', 'second')
  writeFileSync(path.join(folder, 'a.txt'), 'three\n')
  setTraps()
  const result = await runGit({ folder, env: { ...env, ...identity }, args })
  expect(result.ok && result.output.toString()).toContain(expected.trim())
  const log = await runGit({ folder, env: { ...env, ...identity }, args: ['log', '-p', '-1'] })
  expect(log.ok).toBe(true)
  const blame = await runGit({ folder, env: { ...env, ...identity }, args: ['blame', 'a.txt'] })
  expect(blame.ok).toBe(true)
  expect(readdirSync(markers)).toEqual([])
})

it('the same traps are executed by plain git, so that this test can fail', () => {
  setTraps()
  try {
    git('diff', 'HEAD')
  } catch {
    // Some traps make git fail.
  }
  expect(readdirSync(markers).length).toBeGreaterThan(0)
})

it('ignores core.worktree, which could name any folder', async () => {
  const outside = tempFolder()
  writeFileSync(path.join(outside, 'a.txt'), 'outside\n')
  git('config', 'core.worktree', outside)
  const result = await runGit({ folder, env: { ...env, ...identity }, args: ['diff', 'HEAD'] })
  expect(result.ok && result.output.toString()).toContain('+two')
})

it('does not run a program of the repository through a relative PATH', async () => {
  writeFileSync(path.join(folder, 'git'), `#!/bin/sh\n${marking('path')}\n`, { mode: 0o755 })
  const inside = { ...env, ...identity, PATH: `.::${env.PATH}` }
  const result = await runGit({ folder, env: inside, args: ['rev-parse', 'HEAD'] })
  expect(result.ok).toBe(true)
  expect(existsSync(path.join(markers, 'path'))).toBe(false)
})

it('refuses an embedded bare repository', async () => {
  const bare = path.join(folder, 'bare')
  execFileSync('git', ['init', '-q', '--bare', bare], { env: { ...env, ...identity } })
  execFileSync('git', ['-C', bare, 'config', 'core.fsmonitor', marking('bare')], { env })
  await runGit({ folder: bare, env: { ...env, ...identity }, args: ['status'] })
  expect(readdirSync(markers)).toEqual([])
})

it('returns the reason of a failure on one line', async () => {
  const result = await runGit({ folder, env: { ...env, ...identity }, args: ['diff', 'nowhere'] })
  expect(result).toMatchObject({ ok: false, reason: expect.stringContaining('nowhere') })
})

it.each([
  '[include]\n\tpath = ../../outside',
  '[INCLUDE] path = "/etc/hosts"',
  '[includeIf "gitdir:/"]\npath=~/.gitconfig',
  '[include]\n\tpath = linked',
  '[include]\n\tpath = ../more',
])('refuses a repository whose configuration includes a file outside: %j', async (section) => {
  symlinkSync('/etc/hosts', path.join(folder, '.git/linked'))
  writeFileSync(path.join(folder, 'more'), '[include]\npath = /etc/hosts\n')
  appendFileSync(path.join(folder, '.git/config'), `${section}\n`)
  const { ok, reason } = { reason: '', ...(await runGit({ folder, env, args: ['status'] })) }
  expect(ok).toBe(false)
  expect(reason).toMatch(/^the configuration of the repository includes .*, a file outside of it$/)
})

it('uses a configuration that the repository includes from its own files', async () => {
  writeFileSync(path.join(folder, 'more'), '[core]\nquotePath = false\n')
  appendFileSync(path.join(folder, '.git/config'), '[include]\n\tpath = ../more\n')
  expect(await runGit({ folder, env, args: ['status'] })).toMatchObject({ ok: true })
})

it.each(['.gitignore', 'deep/er/.gitattributes', '.git/HEAD', '.git/info/exclude'])(
  'a pipe in place of %s ends git, and the reason names it',
  async (name) => {
    const file = path.join(folder, name)
    const beside = path.join(path.dirname(file), 'new.txt')
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(beside, 'new\n')
    git('add', '-A')
    writeFileSync(beside, 'newer\n')
    rmSync(file, { force: true })
    execFileSync('mkfifo', [file])
    const args = name.endsWith('attributes') ? ['diff'] : ['status', '--porcelain']
    const reason = `git waits for the pipe ${file}; remove it`
    expect(await runGit({ folder, args, env })).toEqual({ ok: false, reason, isBlocked: true })
  },
)
