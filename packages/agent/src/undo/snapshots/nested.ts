// Repositories inside a repository: embedded ones and submodules. git names their folders only, so their files
// are listed here, with those in `.git` and without ignored ones.
import type { Stats } from 'node:fs'
import type { GitCall } from './git.ts'
import { runGit } from './git.ts'
import type { FolderScan, ScanLimits } from './folder-scan.ts'
import { scanFolder } from './folder-scan.ts'
import type { RawPath } from './raw-path.ts'
import { displayPath, joinRaw, rawPath } from './raw-path.ts'
import { lstatOrNull } from './state.ts'

export interface NestedFiles extends FolderScan {
  /** Folders, with a slash at the end, of repositories that exceed the limits. */
  leftOut: RawPath[]
}

/** Lists the files of the repositories at `paths`, relative to `root`, as long as they fit into the limits. */
export async function scanNested(
  call: GitCall,
  root: RawPath,
  paths: Iterable<RawPath>,
  limits: ScanLimits,
  isExcluded: (path: RawPath) => boolean,
): Promise<NestedFiles> {
  const files = new Map<RawPath, Stats>()
  const folders = new Map<RawPath, number>()
  const leftOut: RawPath[] = []
  let left = limits
  for (const path of [...new Set(paths)].sort()) {
    const top = joinRaw(root, path)
    const stats = isExcluded(path) || folders.has(path) ? null : lstatOrNull(top)
    if (stats === null) continue
    if (!stats.isDirectory()) {
      // In the place of a submodule, where git does not report it.
      files.set(path, stats)
      continue
    }
    const ignored = await ignoredIn(call, top)
    const scan = scanFolder(top, left, (each) => ignored.has(each) || isExcluded(`${path}/${each}`))
    if ('tooLarge' in scan) {
      leftOut.push(`${path}/`)
      continue
    }
    folders.set(path, stats.mode & 0o7777)
    for (const [each, mode] of scan.folders) folders.set(`${path}/${each}`, mode)
    for (const [each, found] of scan.files) files.set(`${path}/${each}`, found)
    left = { files: left.files - scan.files.size, bytes: left.bytes - bytesOf(scan.files) }
  }
  return { files, folders, leftOut }
}

function bytesOf(files: ReadonlyMap<RawPath, Stats>): number {
  return [...files.values()].reduce((sum, stats) => sum + stats.size, 0)
}

/** Ignored files and folders of the repository, without a slash; none if git cannot read it. */
async function ignoredIn(call: GitCall, top: RawPath): Promise<Set<RawPath>> {
  const name = displayPath(top)
  // Arguments of programs are UTF-8.
  if (rawPath(name) !== top) return new Set()
  const output = await runGit(
    { env: call.env, signal: call.signal, repository: { top: name, folder: '' } },
    ['ls-files', '-z', '--others', '--ignored', '--exclude-standard', '--directory'],
  )
  const listed = output?.toString('latin1').split('\0').filter(Boolean) ?? []
  return new Set(listed.map((path) => path.replace(/\/$/, '')))
}
