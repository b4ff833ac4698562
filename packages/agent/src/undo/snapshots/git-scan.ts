// Lists what differs from an index of git: changed and deleted tracked files, and untracked files.
import type { GitCall } from './git.ts'
import { runGit } from './git.ts'
import type { RawPath } from './raw-path.ts'

export interface GitStatus {
  /** Tracked paths whose file differs from the index, or is missing. */
  dirty: RawPath[]
  untracked: RawPath[]
  /** Untracked folders that are repositories of their own. */
  repositories: RawPath[]
  /** Ignored files, and folders that are ignored as a whole. */
  ignored: RawPath[]
}

/** With them, a changed mode always shows in the times of a file. */
const exactStats = ['-c', 'core.trustctime=true', '-c', 'core.checkStat=default']

/** Undefined if git failed. */
export async function gitStatus(call: GitCall): Promise<GitStatus | undefined> {
  const output = await runGit(call, [
    ...exactStats,
    'status',
    '--porcelain=v2',
    '-z',
    '--untracked-files=all',
    '--no-renames',
    '--ignored=matching',
    '--ignore-submodules=all',
  ])
  if (output === undefined) return undefined
  const status: GitStatus = { dirty: [], untracked: [], repositories: [], ignored: [] }
  for (const line of output.toString('latin1').split('\0')) {
    if (line.startsWith('? ') && line.endsWith('/')) status.repositories.push(line.slice(2, -1))
    else if (line.startsWith('? ')) status.untracked.push(line.slice(2))
    else if (line.startsWith('! ')) status.ignored.push(line.slice(2))
    else if (/^[1u] /.test(line)) addDirty(status, line)
  }
  return status
}

/**
 * Tracked paths whose times, size, mode or inode number differ from the index, also if the contents are equal.
 * Undefined if git failed.
 */
export async function statDirtyPaths(call: GitCall): Promise<RawPath[] | undefined> {
  const list = ['diff-files', '-z', '--name-only', '--no-renames', '--ignore-submodules=all']
  const output = await runGit(call, [...exactStats, ...list])
  return output?.toString('latin1').split('\0').filter(Boolean)
}

/** `1 XY sub mH mI mW hH hI path`: Y is a dot if the file equals the index. */
function addDirty(status: GitStatus, line: string): void {
  const isUnmerged = line.startsWith('u')
  if (!isUnmerged && line[3] === '.') return
  const fieldsBeforePath = isUnmerged ? 10 : 8
  let start = 0
  for (let field = 0; field < fieldsBeforePath; field++) {
    start = line.indexOf(' ', start) + 1
  }
  status.dirty.push(line.slice(start))
}
