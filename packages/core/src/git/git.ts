// Runs git so that a repository cannot run code, redirect git to other files or reach the network. Git
// executes many values of a repository's configuration, so every one of them is overridden.
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { oneLine } from '../errors/errors.ts'
import { absolutePath, runProcess } from '../process/process.ts'
import type { ChildEnvironment, ProcessResult } from '../process/process.ts'
import { gitFolders, refusedConfiguration } from './includes.ts'
import type { ReadFolder } from './named-pipe.ts'
import { watchForPipe } from './named-pipe.ts'

export interface GitQuery {
  /** A folder of the repository. */
  folder: string
  /** The git command and its arguments, such as `['diff', '--name-only']`. */
  args: readonly string[]
  env: ChildEnvironment
  /** More settings, such as `core.quotePath=false`. */
  settings?: readonly string[]
  /** Reads this index file instead of the repository's. */
  index?: string | undefined
  /** The git folder, if `folder` has lost its own. */
  gitFolder?: string | undefined
  /** A folder with objects that the repository may have lost. */
  moreObjects?: string | undefined
  /** Lets git store the present stats of files in `index`; the repository's index is never written. */
  refreshesIndex?: boolean | undefined
  stdin?: Uint8Array
  deadlineMs?: number
  captureBytes?: number
  signal?: AbortSignal
}

/**
 * The standard output, or one line that says why git failed. `isBlocked` if a file of the repository, such as a
 * pipe, keeps git from running.
 */
export type GitResult =
  | { ok: true; output: Buffer; truncated: boolean }
  | { ok: false; reason: string; isBlocked?: boolean }

const defaultDeadlineMs = 30_000
const defaultCaptureBytes = 16 * 1024 * 1024

/** Runs one read-only git command. */
export async function runGit(query: GitQuery): Promise<GitResult> {
  const workTree = workTreeOf(query.folder)
  const refusal = workTree === undefined ? undefined : refusedConfiguration(workTree)
  if (refusal !== undefined) return { ok: false, reason: refusal, isBlocked: true }
  const names = await runIn(query, ['config', '--includes', '--name-only', '-z', '--list'])
  if (!hasSucceeded(names)) return failureOf(names)
  const listed = names.stdout.capture.toString('utf8').split('\0')
  const overrides = listed.flatMap((name) => overridesOf(name))
  const settings = (query.settings ?? []).flatMap((setting) => ['-c', setting])
  const [command = '', ...rest] = query.args
  const args = [...settings, ...overrides, command, ...(safeFlags.get(command) ?? []), ...rest]
  const result = await runIn(query, args)
  if (!hasSucceeded(result)) return failureOf(result)
  const { capture, truncated } = result.stdout
  return { ok: true, output: capture, truncated }
}

/** Flags that stop a command from running external programs or entering submodules. */
const diffFlags = ['--no-ext-diff', '--no-textconv', '--ignore-submodules=all']
const safeFlags: ReadonlyMap<string, readonly string[]> = new Map([
  ['diff', diffFlags],
  ['diff-index', diffFlags],
  ['diff-tree', diffFlags],
  ['log', diffFlags],
  ['show', diffFlags],
  ['blame', ['--no-textconv']],
  ['grep', ['--no-textconv', '--no-recurse-submodules']],
  ['status', ['--ignore-submodules=all']],
])

/** Settings that hold one program, a list of programs, or a path outside the repository. */
const fixedSettings = [
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

/** Names with a part that the repository chooses. An empty filter or driver counts as none. */
const programNames =
  /^(?:filter\..*\.(?:clean|smudge|process)|diff\..*\.(?:command|textconv)|merge\..*\.driver|credential\..*\.helper|gpg\..*\.program|pager\.[^.]*)$/is

function overridesOf(name: string): string[] {
  // `-c` splits at the first equals sign, so such a name cannot be overridden, and git cannot use it.
  if (!programNames.test(name)) return []
  const filter = /^filter\.(.*)\.(?:clean|smudge|process)$/is.exec(name)?.[1]
  const values = name.toLowerCase().startsWith('pager.') ? [`${name}=false`] : [`${name}=`]
  if (filter !== undefined) values.push(`filter.${filter}.required=false`)
  return values.map(
    (value) =>
      `--config-env=${value.slice(0, value.lastIndexOf('='))}=${
        value.endsWith('=false') ? 'ZEE_GIT_FALSE' : 'ZEE_GIT_EMPTY'
      }`,
  )
}

/** The result of a run that a pipe of the repository held up names the pipe. */
type GitRun = ProcessResult & { pipe?: string | undefined }

async function runIn(query: GitQuery, args: readonly string[]): Promise<GitRun> {
  const { folder, env, index, stdin, deadlineMs = defaultDeadlineMs, signal } = query
  const { captureBytes = defaultCaptureBytes, refreshesIndex = false } = query
  const locks = refreshesIndex && index !== undefined ? '1' : '0'
  const watch = watchForPipe(readFolders(query))
  try {
    const result = await runProcess({
      command: 'git',
      args: ['--no-pager', ...fixedSettings, '-C', folder, ...args],
      env: {
        ...gitEnvironment(env, folder),
        ...standIns(query),
        GIT_INDEX_FILE: index,
        GIT_OPTIONAL_LOCKS: locks,
      },
      stdin: stdin ?? 'null',
      deadlineMs,
      captureBytes,
      signal: signal === undefined ? watch.signal : AbortSignal.any([signal, watch.signal]),
    })
    return { ...result, pipe: watch.pipe() }
  } finally {
    watch.stop()
  }
}

/** The folders in which git reads files of the repository. */
function readFolders({ folder }: GitQuery): ReadFolder[] {
  const workTree = workTreeOf(folder)
  if (workTree === undefined) return [{ folder, isGit: false }]
  const { own, common } = gitFolders(workTree)
  const gits = [...new Set([own, common])].map((each) => ({ folder: each, isGit: true }))
  return [...gits, { folder: workTree, isGit: false }]
}

function standIns({ folder, gitFolder, moreObjects }: GitQuery): ChildEnvironment {
  return {
    ...(gitFolder === undefined ? {} : { GIT_DIR: gitFolder, GIT_WORK_TREE: folder }),
    // Quoted, because a colon separates folders.
    ...(moreObjects === undefined
      ? {}
      : { GIT_ALTERNATE_OBJECT_DIRECTORIES: JSON.stringify(moreObjects) }),
  }
}

/** Variables of git itself that neither redirect git nor run a program. */
const keptVariables = new Set([
  'GIT_LITERAL_PATHSPECS',
  'GIT_NO_REPLACE_OBJECTS',
  'GIT_CONFIG_GLOBAL',
  'GIT_CONFIG_SYSTEM',
  'GIT_CONFIG_NOSYSTEM',
  'GIT_EXEC_PATH',
])

function gitEnvironment(env: ChildEnvironment, folder: string): ChildEnvironment {
  const kept = Object.entries(env).filter(
    ([name]) => !name.startsWith('GIT_') || keptVariables.has(name),
  )
  const workTree = workTreeOf(folder)
  return {
    ...Object.fromEntries(kept),
    PATH: absolutePath(env.PATH),
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
    // Overrides `core.worktree`, which may name any folder.
    ...(workTree === undefined ? {} : { GIT_WORK_TREE: workTree }),
  }
}

/** The nearest folder at or above `folder` with a `.git` entry. */
function workTreeOf(folder: string): string | undefined {
  for (let at = path.resolve(folder); ; at = path.dirname(at)) {
    if (lstatSync(path.join(at, '.git'), { throwIfNoEntry: false }) !== undefined) return at
    if (at === path.dirname(at)) return undefined
  }
}

function hasSucceeded({ outcome, exitCode, timedOut }: ProcessResult): boolean {
  return outcome === 'exited' && exitCode === 0 && !timedOut
}

function failureOf(run: GitRun): GitResult {
  if (run.pipe === undefined) return { ok: false, reason: reasonOf(run) }
  return {
    ok: false,
    reason: `git waits for the pipe ${oneLine(run.pipe)}; remove it`,
    isBlocked: true,
  }
}

function reasonOf({ error, timedOut, stderr, exitCode }: ProcessResult): string {
  if (error !== undefined) return error
  if (timedOut) return 'git timed out'
  const line = stderr
    .text()
    .split('\n')
    .find((each) => each.trim() !== '')
  return oneLine(line ?? `git exited with ${exitCode ?? 'a signal'}`)
}
