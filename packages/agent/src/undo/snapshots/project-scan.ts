// Lists the files and folders of a project with their stats: what git tracks and does not ignore, or
// everything outside a repository, up to a limit.
import type { Stats } from 'node:fs'
import { readdirSync } from 'node:fs'
import type { GitCall } from './git.ts'
import { runGit } from './git.ts'
import { gitStatus } from './git-scan.ts'
import { largeIndexFolders, trackedPaths } from './index-file.ts'
import type { FolderScan, ScanLimits } from './folder-scan.ts'
import { scanFolder, tooLargeText } from './folder-scan.ts'
import { scanNested } from './nested.ts'
import type { RawPath } from './raw-path.ts'
import { foldersOf, joinRaw, parentOf, pathBuffer } from './raw-path.ts'
import { lstatOrNull } from './state.ts'

/** In a large repository `files` holds only the dirty and the untracked ones. */
export interface ProjectScan extends FolderScan {
  /** Paths of `files` that no blob of the index equals; all of them outside a repository. */
  unsaved: Set<RawPath>
  /** Whether `files` holds every file. */
  isComplete: boolean
  /** Paths that git ignores. */
  ignored: RawPath[]
}

/** Limits of the files that a snapshot copies. */
export const snapshotLimits: ScanLimits = { files: 20_000, bytes: 256 * 1024 * 1024 }

/**
 * Scans a working tree against the index file; undefined if git failed. Above `maxTrackedFiles` clean files
 * are not listed.
 */
export async function scanRepository(
  call: GitCall,
  root: RawPath,
  indexFile: string,
  maxTrackedFiles: number,
  isExcluded: (path: RawPath) => boolean,
): Promise<ProjectScan | undefined> {
  const [status, { large, listed }] = await Promise.all([
    gitStatus(call),
    readIndex(call, indexFile, maxTrackedFiles),
  ])
  if (status === undefined || (large ?? listed) === undefined) return undefined
  const tracked = listed?.paths ?? []
  const isComplete = large === undefined && tracked.length <= maxTrackedFiles
  const untracked = status.untracked.filter((path) => !isExcluded(path))
  const files = new Map<RawPath, Stats>()
  const unsaved = new Set<RawPath>([...status.dirty, ...untracked])
  for (const path of isComplete ? [...tracked, ...untracked] : unsaved) {
    const stats = lstatOrNull(joinRaw(root, path))
    if (stats !== null && !stats.isDirectory()) files.set(path, stats)
  }
  const candidates = foldersOf([...tracked, ...untracked])
  for (const path of large?.folders ?? []) candidates.add(path)
  const submodules = large?.submodules ?? listed?.submodules ?? []
  const { folders, repositories } = await repositoryFolders(call, root, candidates, isExcluded)
  const inner = [...status.repositories, ...submodules, ...repositories]
  const left = { files: snapshotLimits.files - unsaved.size, bytes: snapshotLimits.bytes }
  const nested = await scanNested(call, root, inner, left, isExcluded)
  for (const [path, stats] of nested.files) {
    files.set(path, stats)
    unsaved.add(path)
  }
  for (const [path, mode] of nested.folders) folders.set(path, mode)
  return { files, unsaved, folders, isComplete, ignored: [...status.ignored, ...nested.leftOut] }
}

/** The folders of a large index, or the paths of another one. */
async function readIndex(call: GitCall, indexFile: string, maxTrackedFiles: number) {
  const large = largeIndexFolders(call, indexFile, maxTrackedFiles)
  const listed = large === undefined ? await trackedPaths(call, indexFile) : undefined
  return { large, listed }
}

/** Says which limit the files of a repository exceed that a snapshot must copy. */
export function exceededLimit(
  { unsaved, files }: ProjectScan,
  limits: ScanLimits,
): string | undefined {
  const size = [...unsaved].reduce((sum, path) => sum + (files.get(path)?.size ?? 0), 0)
  if (unsaved.size <= limits.files && size <= limits.bytes) return undefined
  return tooLargeText(unsaved.size, size, limits, 'changed and untracked files')
}

/** The folders that hold listed files, and those that git does not list because they are empty. */
async function repositoryFolders(
  call: GitCall,
  root: RawPath,
  known: ReadonlySet<RawPath>,
  isExcluded: (path: RawPath) => boolean,
): Promise<{ folders: Map<RawPath, number>; repositories: RawPath[] }> {
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
  const repositories = suspects.map(([path]) => path).filter((path) => isRepository(root, path))
  for (const path of unlisted) {
    if (!ignored.has(path)) addEmptyFolders(root, path, folders, repositories)
  }
  return { folders, repositories }
}

/** Whether the folder, other than the top level, has a `.git`. */
function isRepository(root: RawPath, path: RawPath): boolean {
  return path !== '' && lstatOrNull(joinRaw(root, `${path}/.git`)) !== null
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
  // A name may start with a colon, which has a meaning in git.
  const stdin = paths.map((path) => `./${path}\0`).join('')
  // Exit code 1, which counts as a failure here, means that none is ignored.
  const output = await runGit({ ...call, stdin }, ['check-ignore', '-z', '--stdin'])
  const listed = output?.toString('latin1').split('\0') ?? []
  return new Set(listed.map((path) => path.slice(2)))
}

/** A folder without listed files: empty folders, ignored files, or a repository of its own. */
function addEmptyFolders(
  root: RawPath,
  path: RawPath,
  folders: Map<RawPath, number>,
  repositories: RawPath[],
): void {
  const stats = lstatOrNull(joinRaw(root, path))
  if (stats?.isDirectory() !== true) return
  if (isRepository(root, path)) {
    repositories.push(path)
    return
  }
  folders.set(path, stats.mode & 0o7777)
  for (const child of readableSubfolders(root, path)) {
    addEmptyFolders(root, child, folders, repositories)
  }
}

function readableSubfolders(root: RawPath, path: RawPath): RawPath[] {
  try {
    return subfolders(root, path)
  } catch {
    return []
  }
}

/** Scans a folder that is not a repository. */
export function scanPlain(
  root: RawPath,
  limits: ScanLimits,
  isExcluded: (path: RawPath) => boolean,
): ProjectScan | { tooLarge: string } {
  const scan = scanFolder(root, limits, isExcluded)
  if ('tooLarge' in scan) return scan
  return { ...scan, unsaved: new Set(scan.files.keys()), isComplete: true, ignored: [] }
}
