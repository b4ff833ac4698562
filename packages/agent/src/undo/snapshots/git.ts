// Finds the repository of a project, and calls git in it so that its output is exact.
import { existsSync, statSync } from 'node:fs'
import path from 'node:path'
import { readBoundedText } from '@zee/core/bounded-file'
import { ZeeError } from '@zee/core/errors'
import { runGit as runSafeGit } from '@zee/core/git'

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
      const target = /^gitdir: (.+)$/m.exec(readBoundedText(marker).slice(0, 4096))?.[1]
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
  /** Lets `git status` store the present stats of clean files in `index`. */
  refreshesIndex?: boolean
  stdin?: string
  /** The folder of kept-objects.ts, which may exist. */
  kept?: string
}

const maxOutputBytes = 256 * 1024 * 1024
const deadlineMs = 120_000

/** Make the output exact and independent of the user's settings. */
const settings = [
  'core.untrackedCache=false',
  'core.quotePath=false',
  'core.splitIndex=false',
  'status.relativePaths=false',
]

/** A file of the repository, such as a pipe, keeps git from running. */
export class BlockedGit extends ZeeError {}

/** The output of git, or undefined if it failed; throws if a file of the repository blocks it. */
export async function runGit(call: GitCall, args: readonly string[]): Promise<Buffer | undefined> {
  const { repository, env, index, refreshesIndex, stdin, signal, kept } = call
  const isKept = kept !== undefined && existsSync(kept)
  const isGone = isKept && !existsSync(path.join(repository.top, '.git'))
  const result = await runSafeGit({
    folder: isGone && !existsSync(repository.top) ? kept : repository.top,
    args,
    // `git check-ignore` refuses literal paths.
    env: { ...env, GIT_NO_REPLACE_OBJECTS: '1', GIT_LITERAL_PATHSPECS: '0' },
    settings,
    index,
    gitFolder: isGone ? kept : undefined,
    moreObjects: isKept && !isGone ? path.join(kept, 'objects') : undefined,
    refreshesIndex,
    stdin: Buffer.from(stdin ?? '', 'latin1'),
    captureBytes: maxOutputBytes,
    deadlineMs,
    signal,
  })
  if (!result.ok && result.isBlocked === true) throw new BlockedGit('git', result.reason)
  return result.ok && !result.truncated ? result.output : undefined
}
