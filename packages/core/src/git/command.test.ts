// The exact command line and environment of git, and its failures, with a stand-in for git.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import { runGit, type GitQuery } from './git.ts'

let base: string
let folder: string
let log: string

beforeEach(() => {
  base = tempFolder()
  folder = path.join(base, 'repository')
  log = path.join(base, 'log')
  mkdirSync(path.join(folder, '.git'), { recursive: true })
})

/** A `git` that records its arguments and environment; `config` lists `names`. */
function standIn(names: readonly string[], script = 'printf done'): void {
  const listing = names.map((name) => `printf '%s\\0' '${name}'`).join('; ') || 'true'
  const text = `#!/bin/sh
for word do last="$last$word|"; done
case "$last" in *"|config|--includes|"*) ${listing}; exit 0;; esac
printf '%s\\0' "$@" >'${log}.args'
/usr/bin/env -0 >'${log}.env'
${script}
`
  writeFileSync(path.join(base, 'git'), text, { mode: 0o755 })
}

async function run(query: Partial<GitQuery> = {}) {
  return runGit({ folder, args: ['status', '-s'], env: { PATH: base }, ...query })
}

function recorded(file: 'args' | 'env'): string[] {
  return readFileSync(`${log}.${file}`, 'utf8').split('\0').slice(0, -1)
}

const fixed = [
  'core.fsmonitor=false',
  'core.hooksPath=/dev/null',
  'core.attributesFile=/dev/null',
  'core.excludesFile=/dev/null',
  'core.pager=cat',
  'core.editor=false',
  'core.askPass=false',
  'core.sshCommand=false',
  'core.gitProxy=false',
  'core.alternateRefsCommand=false',
  'sequence.editor=false',
  'diff.external=',
  'diff.ignoreSubmodules=all',
  'interactive.diffFilter=',
  'credential.helper=',
  'gpg.program=false',
  'gpg.ssh.program=false',
  'gpg.ssh.defaultKeyCommand=',
  'log.showSignature=false',
  'uploadpack.packObjectsHook=',
  'protocol.allow=never',
  'submodule.recurse=false',
  'fetch.recurseSubmodules=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'safe.bareRepository=explicit',
].flatMap((setting) => ['-c', setting])

describe('the command line of git', () => {
  it('has the fixed settings, then those of the caller, then the command', async () => {
    standIn([])
    const result = await run({ settings: ['core.quotePath=false', 'a.b=c'] })
    expect(result).toEqual({ ok: true, output: Buffer.from('done'), truncated: false })
    expect(recorded('args')).toEqual([
      ...['--no-pager', ...fixed, '-C', folder],
      ...['-c', 'core.quotePath=false', '-c', 'a.b=c'],
      ...['status', '--ignore-submodules=all', '-s'],
    ])
  })

  const diffFlags = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all']
  it.each([
    ['diff', diffFlags],
    ['diff-index', diffFlags],
    ['diff-tree', diffFlags],
    ['log', diffFlags],
    ['show', diffFlags],
    ['blame', ['--no-textconv']],
    ['grep', ['--no-textconv', '--no-recurse-submodules']],
    ['status', ['--ignore-submodules=all']],
    ['ls-files', []],
  ])('has the flags of %s: %j', async (command, flags) => {
    standIn([])
    await run({ args: [command, 'x'] })
    const args = recorded('args')
    expect(args.slice(args.indexOf(folder) + 1)).toEqual([command, ...flags, 'x'])
  })

  it('overrides every program that the repository names', async () => {
    standIn([
      ...['core.editor', 'filter.a.b.clean', 'FILTER.x.SMUDGE', 'filter.p.process'],
      ...['diff.d.command', 'diff.d.textconv', 'merge.m.driver', 'credential.u.helper'],
      ...['gpg.g.program', 'pager.log', 'pager.a.b', 'filter.x.required', 'diff.d.binary'],
    ])
    await run()
    const args = recorded('args')
    const empty = (name: string) => `--config-env=${name}=ZEE_GIT_EMPTY`
    const no = (name: string) => `--config-env=${name}=ZEE_GIT_FALSE`
    expect(args.slice(args.indexOf(folder) + 1, -3)).toEqual([
      ...[empty('filter.a.b.clean'), no('filter.a.b.required')],
      ...[empty('FILTER.x.SMUDGE'), no('filter.x.required')],
      ...[empty('filter.p.process'), no('filter.p.required')],
      ...[empty('diff.d.command'), empty('diff.d.textconv'), empty('merge.m.driver')],
      ...[empty('credential.u.helper'), empty('gpg.g.program'), no('pager.log')],
    ])
  })
})

describe('the environment of git', () => {
  const kept = {
    GIT_LITERAL_PATHSPECS: '1',
    GIT_NO_REPLACE_OBJECTS: '2',
    GIT_CONFIG_GLOBAL: '3',
    GIT_CONFIG_SYSTEM: '4',
    GIT_CONFIG_NOSYSTEM: '5',
    GIT_EXEC_PATH: '6',
    HOME: '/home',
  }
  const own = {
    LC_ALL: 'C.UTF-8',
    ZEE_GIT_EMPTY: '',
    ZEE_GIT_FALSE: 'false',
    GIT_PAGER: 'cat',
    GIT_EDITOR: 'false',
    GIT_ASKPASS: 'false',
    GIT_SSH_COMMAND: 'false',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_ALLOW_PROTOCOL: '',
    GIT_OPTIONAL_LOCKS: '0',
  }

  async function environment(query: Partial<GitQuery>): Promise<Record<string, string>> {
    standIn([])
    await run(query)
    const pairs = recorded('env').map((line) => line.split(/=(.*)/s).slice(0, 2))
    const {
      PWD: _folder,
      _: _last,
      OLDPWD: _old,
      SHLVL: _level,
      ...all
    } = Object.fromEntries(pairs) as Record<string, string>
    return all
  }

  it('has no variable of git that redirects it, and a PATH of absolute folders', async () => {
    const env = {
      ...kept,
      ...{ GIT_DIR: '/other', GIT_WORK_TREE: '/x', GIT_EXTERNAL_DIFF: 'y', GIT_TRACE: '1' },
      ...{ LC_ALL: 'de', PATH: `.:${base}::x` },
    }
    expect(await environment({ env })).toEqual({
      ...kept,
      ...own,
      PATH: base,
      GIT_WORK_TREE: folder,
    })
  })

  it('names the repository that holds the folder', async () => {
    const below = path.join(folder, 'a/b')
    mkdirSync(below, { recursive: true })
    expect((await environment({ folder: below })).GIT_WORK_TREE).toBe(folder)
    expect((await environment({ folder: base })).GIT_WORK_TREE).toBeUndefined()
  })

  it('has the stand-ins of the caller, and writes the index only when asked', async () => {
    const stand = { gitFolder: '/g', moreObjects: '/o:"x' }
    const expected = {
      ...own,
      PATH: base,
      GIT_DIR: '/g',
      GIT_WORK_TREE: folder,
      GIT_ALTERNATE_OBJECT_DIRECTORIES: '"/o:\\"x"',
      GIT_INDEX_FILE: '/i',
    }
    expect(await environment({ ...stand, index: '/i' })).toEqual(expected)
    expect(await environment({ ...stand, index: '/i', refreshesIndex: true })).toEqual({
      ...expected,
      GIT_OPTIONAL_LOCKS: '1',
    })
    expect((await environment({ refreshesIndex: true })).GIT_OPTIONAL_LOCKS).toBe('0')
  })
})

describe('the result of git', () => {
  it('has its input and its bounded output', async () => {
    standIn([], '/bin/cat')
    expect(await run({ stdin: Buffer.from('input') })).toMatchObject({
      output: Buffer.from('input'),
    })
    expect(await run()).toMatchObject({ ok: true, output: Buffer.alloc(0) })
    expect(await run({ stdin: Buffer.from('input'), captureBytes: 4 })).toEqual({
      ok: true,
      output: Buffer.from('inpu'),
      truncated: true,
    })
  })

  it.each([
    ['echo >&2; echo " broken  x" >&2; echo more >&2; exit 3', 'broken x'],
    ['exit 3', 'git exited with 3'],
    ['printf " \\n" >&2; exit 4', 'git exited with 4'],
    ['kill -KILL $$', 'git exited with a signal'],
  ])('of %j is the reason %j', async (script, reason) => {
    standIn([], script)
    expect(await run()).toEqual({ ok: false, reason })
  })

  it('is a failure when its settings cannot be listed', async () => {
    writeFileSync(path.join(base, 'git'), '#!/bin/sh\necho no list >&2\nexit 1\n', { mode: 0o755 })
    expect(await run()).toEqual({ ok: false, reason: 'no list' })
  })

  it('is a failure without a program, after an abort and after the deadline', async () => {
    expect(await run()).toEqual({ ok: false, reason: 'git: command not found' })
    standIn([])
    expect(await run({ signal: AbortSignal.abort() })).toEqual({
      ok: false,
      reason: 'not started: it was aborted before its start',
    })
    expect(await run({ deadlineMs: 0 })).toEqual({
      ok: false,
      reason: 'not started: the deadline has passed',
    })
    standIn([], 'trap "exit 0" TERM; while :; do /bin/sleep 0.01; done')
    expect(await run({ deadlineMs: 300 })).toEqual({ ok: false, reason: 'git timed out' })
  })
})
