// Lists the files and folders of a project with their stats: what git tracks and does not ignore, or
// everything outside a repository, up to a limit.
import type { Stats } from 'node:fs'
import { readdirSync } from 'node:fs'
import type { GitCall } from './git.ts'
import { runGit } from './git.ts'
import { foldersOf, gitStatus, largeIndexFolders, trackedPaths } from './git-scan.ts'
import type { RawPath } from './raw-path.ts'
import { joinRaw, parentOf, pathBuffer } from './raw-path.ts'
import { lstatOrNull } from './state.ts'

export interface ProjectScan {
  /** Files and links. In a large repository only the dirty and the untracked ones. */
  files: Map<RawPath, Stats>
  /** Paths of `files` that no blob of the index equals; all of them outside a repository. */
  unsaved: Set<RawPath>
  /** Modes of the folders. */
  folders: Map<RawPath, number>
  /** Whether `files` holds every file. */
  isComplete: boolean
  /** Paths that git ignores. */
  ignored: RawPath[]
}

export type ScanResult = ProjectScan | { tooLarge: string } | undefined

export interface ScanLimits {
  files: number
  bytes: number
  /** Above this number of tracked files, clean files are not listed. */
  trackedFiles: number
}

/** Scans a working tree against the index file; undefined if git failed. */
export async function scanRepository(
  call: GitCall,
  root: RawPath,
  indexFile: string,
  limits: ScanLimits,
  isExcluded: (path: RawPath) => boolean,
): Promise<ScanResult> {
  const running = gitStatus(call)
  const large = largeIndexFolders(call, indexFile, limits.trackedFiles)
  const tracked = large === undefined ? await trackedPaths(call, indexFile) : []
  const status = await running
  if (status === undefined || tracked === undefined) return undefined
  const isComplete = large === undefined && tracked.length <= limits.trackedFiles
  const untracked = status.untracked.filter((path) => !isExcluded(path))
  const files = new Map<RawPath, Stats>()
  const unsaved = new Set<RawPath>([...status.dirty, ...untracked])
  for (const path of isComplete ? [...tracked, ...untracked] : unsaved) {
    const stats = lstatOrNull(joinRaw(root, path))
    if (stats !== null && !stats.isDirectory()) files.set(path, stats)
  }
  const size = [...unsaved].reduce((sum, path) => sum + (files.get(path)?.size ?? 0), 0)
  if (unsaved.size > limits.files || size > limits.bytes) {
    return { tooLarge: tooLargeText(unsaved.size, size, limits, 'changed and untracked files') }
  }
  const candidates = foldersOf([...tracked, ...untracked])
  for (const path of large?.folders ?? []) candidates.add(path)
  const folders = await repositoryFolders(call, root, candidates, isExcluded)
  return { files, unsaved, folders, isComplete, ignored: status.ignored }
}

/** The folders that hold listed files, and those that git does not list because they are empty. */
async function repositoryFolders(
  call: GitCall,
  root: RawPath,
  known: ReadonlySet<RawPath>,
  isExcluded: (path: RawPath) => boolean,
): Promise<Map<RawPath, number>> {
  const folders = new Map<RawPath, number>()
  const children = new Map<RawPath, number>()
  const links = new Map<RawPath, number>()
  for (const path of ['', ...known]) {
    const stats = lstatOrNull(joinRaw(root, path))
    if (stats?.isDirectory() !== true) continue
    links.set(path, stats.nlink)
    if (path === '') continue
    folders.set(path, stats.mode & 0o7777)
    children.set(parentOf(path), (children.get(parentOf(path)) ?? 0) + 1)
  }
  // The link count of a folder is 2 and one per subfolder, except on file systems that always say 1.
  const suspects = [...links].filter(([path, count]) => count !== (children.get(path) ?? 0) + 2)
  const unlisted = suspects.flatMap(([path]) =>
    subfolders(root, path).filter((each) => !known.has(each) && !isExcluded(each)),
  )
  const ignored = await ignoredAmong(call, unlisted)
  for (const path of unlisted) if (!ignored.has(path)) addEmptyFolders(root, path, folders)
  return folders
}

function subfolders(root: RawPath, path: RawPath): RawPath[] {
  const entries = readdirSync(pathBuffer(joinRaw(root, path)), {
    withFileTypes: true,
    encoding: 'buffer',
  })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name.toString('latin1'))
    .filter((name) => name !== '.git')
    .map((name) => (path === '' ? name : `${path}/${name}`))
}

async function ignoredAmong(call: GitCall, paths: readonly RawPath[]): Promise<Set<RawPath>> {
  if (paths.length === 0) return new Set()
  const stdin = paths.map((path) => `${path}\0`).join('')
  // Exit code 1, which counts as a failure here, means that none is ignored.
  const output = await runGit({ ...call, stdin }, ['check-ignore', '-z', '--stdin'])
  return new Set(output?.toString('latin1').split('\0').filter(Boolean) ?? [])
}

/** A folder without listed files: empty folders, ignored files, or a repository of its own. */
function addEmptyFolders(root: RawPath, path: RawPath, folders: Map<RawPath, number>): void {
  const stats = lstatOrNull(joinRaw(root, path))
  if (stats?.isDirectory() !== true || lstatOrNull(joinRaw(root, `${path}/.git`)) !== null) return
  folders.set(path, stats.mode & 0o7777)
  for (const child of readableSubfolders(root, path)) addEmptyFolders(root, child, folders)
}

function readableSubfolders(root: RawPath, path: RawPath): RawPath[] {
  try {
    return subfolders(root, path)
  } catch {
    return []
  }
}

/** Lists everything below a folder. */
export function scanFolder(
  root: RawPath,
  limits: ScanLimits,
  isExcluded: (path: RawPath) => boolean,
): Exclude<ScanResult, undefined> {
  const files = new Map<RawPath, Stats>()
  const folders = new Map<RawPath, number>()
  let bytes = 0
  const open: RawPath[] = ['']
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    for (const name of namesIn(joinRaw(root, folder))) {
      const path = folder === '' ? name : `${folder}/${name}`
      if (isExcluded(path)) continue
      const stats = lstatOrNull(joinRaw(root, path))
      if (stats === null) continue
      if (stats.isDirectory()) {
        folders.set(path, stats.mode & 0o7777)
        open.push(path)
        continue
      }
      files.set(path, stats)
      if (stats.isFile()) bytes += stats.size
      if (files.size > limits.files || bytes > limits.bytes) {
        return { tooLarge: tooLargeText(files.size, bytes, limits, 'files') }
      }
    }
  }
  return { files, unsaved: new Set(files.keys()), folders, isComplete: true, ignored: [] }
}

/** Empty for a folder that cannot be read: its contents cannot be restored. */
function namesIn(raw: RawPath): RawPath[] {
  try {
    return readdirSync(pathBuffer(raw), { encoding: 'buffer' }).map((name) =>
      name.toString('latin1'),
    )
  } catch {
    return []
  }
}

function tooLargeText(files: number, bytes: number, limits: ScanLimits, what: string): string {
  if (files > limits.files) return `the project has more than ${limits.files} ${what}`
  return `the ${what} of the project need more than ${Math.round(limits.bytes / 1024 / 1024)} MiB`
}
