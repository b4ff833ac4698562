// Calls git so that a repository can neither run a program nor reach the network: no hooks, no file
// system monitor, no filters, no lazy fetches, and no write to the repository.
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { runProcess } from '@zee/core/process'

export interface GitFolder {
  /** The top level of the working tree. */
  top: string
  /** The folder with the index. */
  folder: string
}

/** The repository that contains `folder`, or undefined. Runs no program. */
export function findRepository(folder: string): GitFolder | undefined {
  for (let top = folder; ; top = path.dirname(top)) {
    const marker = path.join(top, '.git')
    const stats = statSync(marker, { throwIfNoEntry: false })
    if (stats?.isDirectory() === true && existsSync(path.join(marker, 'HEAD'))) {
      return { top, folder: marker }
    }
    if (stats?.isFile() === true) {
      const target = /^gitdir: (.+)$/m.exec(readFileSync(marker, 'utf8').slice(0, 4096))?.[1]
      if (target !== undefined) return { top, folder: path.resolve(top, target) }
    }
    if (path.dirname(top) === top) return undefined
  }
}

export interface GitCall {
  repository: GitFolder
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Reads this index instead of the repository's. */
  index?: string
  stdin?: string
}

const maxOutputBytes = 256 * 1024 * 1024
const maxSeconds = 120

/** The output of git, or undefined if it failed. */
export async function runGit(call: GitCall, args: readonly string[]): Promise<Buffer | undefined> {
  const { repository, index, stdin } = call
  const result = await runProcess({
    command: 'git',
    args: [...safeOptions(repository), ...args],
    cwd: repository.top,
    env: gitEnvironment(call.env, index),
    stdin: stdin === undefined ? 'null' : Buffer.from(stdin, 'latin1'),
    captureBytes: maxOutputBytes,
    signal: call.signal,
    deadlineMs: maxSeconds * 1000,
    killGraceMs: 100,
  })
  if (result.outcome !== 'exited' || result.exitCode !== 0 || result.stdout.truncated) {
    return undefined
  }
  return result.stdout.capture
}

/** Variables that would redirect git to another repository or run a program are dropped. */
function gitEnvironment(
  env: GitCall['env'],
  index: string | undefined,
): Record<string, string | undefined> {
  const kept = Object.entries(env).filter(([name]) => !name.startsWith('GIT_'))
  return {
    ...Object.fromEntries(kept),
    LC_ALL: 'C',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_LITERAL_PATHSPECS: '1',
    ...(index === undefined ? {} : { GIT_INDEX_FILE: index }),
  }
}

function safeOptions(repository: GitFolder): string[] {
  const settings = [
    'core.fsmonitor=false',
    'core.untrackedCache=false',
    'core.hooksPath=/dev/null',
    'core.attributesFile=/dev/null',
    'core.quotePath=false',
    'core.splitIndex=false',
    'protocol.allow=never',
    'status.relativePaths=false',
    ...filterNames(repository).flatMap((name) => [
      `filter.${name}.clean=`,
      `filter.${name}.smudge=`,
      `filter.${name}.process=`,
      `filter.${name}.required=false`,
    ]),
  ]
  return ['--no-pager', '--no-optional-locks', ...settings.flatMap((setting) => ['-c', setting])]
}

/** Filters that the repository's own configuration defines. */
function filterNames({ folder }: GitFolder): string[] {
  const file = path.join(folder, 'config')
  if (!existsSync(file)) return []
  const names = readFileSync(file, 'utf8').matchAll(/^\s*\[\s*filter\s+"([^"\n]{1,100})"\s*\]/gim)
  return [...names].map(([, name = '']) => name)
}
