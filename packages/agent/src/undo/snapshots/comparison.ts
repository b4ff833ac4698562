// Compares the state of a project with a snapshot: the changes of files, links, modes and folders.
import type { Stats } from 'node:fs'
import type { GitCall } from './git.ts'
import { runGit } from './git.ts'
import type { IndexEntry } from './index-file.ts'
import { indexEntries, trackedPaths } from './index-file.ts'
import type { Manifest, SavedFile } from './manifest.ts'
import { equalSignatures, signatureOf } from './manifest.ts'
import type { ProjectScan } from './project-scan.ts'
import type { RawPath } from './raw-path.ts'
import { joinRaw, parentOf } from './raw-path.ts'
import type { PathState } from './state.ts'
import { belowLinks, equalStates, hasContents, lstatOrNull, stateAt, unknownSize } from './state.ts'

/** A change of one path, absolute and raw. */
export interface ShellChange {
  path: RawPath
  before: PathState
  after: PathState
  /** The path was changed after the turn had ended. */
  isLater: boolean
}

/** Undefined if git failed. A path that changed after `endedMs` is marked. */
export async function changesSince(
  manifest: Manifest,
  scan: ProjectScan,
  call: GitCall | undefined,
  endedMs: number,
): Promise<ShellChange[] | undefined> {
  const changes = await compare(manifest, scan, call)
  return changes
    ?.filter((change) => !isCreatedAfter(change, endedMs))
    .map((change) => ({ ...change, isLater: isLater(change, endedMs) }))
}

type Comparison = Omit<ShellChange, 'isLater'>

async function compare(
  manifest: Manifest,
  scan: ProjectScan,
  call: GitCall | undefined,
): Promise<Comparison[] | undefined> {
  const vanished = await inVanishedFolders(manifest, scan, call)
  const touched = [...new Set([...touchedFiles(manifest, scan), ...vanished])]
  const clean = touched.filter((path) => savedFile(manifest, path)?.state === undefined)
  const entries =
    call?.index === undefined
      ? new Map<RawPath, IndexEntry>()
      : await indexEntries(call, call.index, clean)
  if (entries === undefined) return undefined
  const wasIgnored = ignoredBefore(manifest)
  const vanishedFolders = Object.keys(manifest.folders).filter((each) => !scan.folders.has(each))
  const isHidden = belowLinks(vanishedFolders.map((each) => joinRaw(manifest.root, each)))
  const changes: Comparison[] = []
  for (const path of touched) {
    const raw = joinRaw(manifest.root, path)
    const saved = savedFile(manifest, path)
    const mode = saved?.mode ?? unchangedMode(manifest, scan.files.get(path))
    const before = saved?.state ?? (await blobState(manifest, path, mode, entries.get(path), call))
    const after = isHidden(raw) ? null : stateAt(raw)
    if (isSame(raw, before, after)) continue
    if (before === null && after?.kind === 'folder') continue
    // A file that was ignored before the turn is not a file that the turn created.
    if (before === null && wasIgnored(path)) continue
    changes.push({ path: raw, before, after })
  }
  return [...changes, ...folderChanges(manifest, scan, changes, isHidden)]
}

/**
 * Tracked files of folders that are gone. git does not report them as deleted if a link to itself is in the
 * place of the folder, and a large repository has no list of files.
 */
async function inVanishedFolders(
  { isComplete, folders }: Manifest,
  scan: ProjectScan,
  call: GitCall | undefined,
): Promise<RawPath[]> {
  if (isComplete || call?.index === undefined) return []
  const gone = new Set(Object.keys(folders).filter((folder) => !scan.folders.has(folder)))
  if (gone.size === 0) return []
  const tracked = await trackedPaths(call, call.index)
  return tracked?.paths.filter((path) => gone.has(parentOf(path))) ?? []
}

function ignoredBefore({ ignored }: Manifest): (path: RawPath) => boolean {
  const names = new Set(ignored)
  return (path) => {
    if (names.has(path)) return true
    for (let slash = path.indexOf('/'); slash !== -1; slash = path.indexOf('/', slash + 1)) {
      if (names.has(path.slice(0, slash + 1))) return true
    }
    return false
  }
}

function savedFile(manifest: Manifest, path: RawPath): SavedFile | undefined {
  return Object.hasOwn(manifest.files, path) ? manifest.files[path] : undefined
}

/** Paths whose signature differs; without signatures, those that changed since the snapshot. */
function touchedFiles(manifest: Manifest, scan: ProjectScan): RawPath[] {
  const touched: RawPath[] = []
  for (const [path, stats] of scan.files) {
    const saved = Object.hasOwn(manifest.files, path) ? manifest.files[path] : undefined
    const isTouched =
      saved === undefined
        ? manifest.isComplete || scan.unsaved.has(path) || stats.ctimeMs >= manifest.startedMs
        : !equalSignatures(saved.signature, signatureOf(stats))
    if (isTouched) touched.push(path)
  }
  const missing = Object.keys(manifest.files).filter((path) => !scan.files.has(path))
  const deleted = [...scan.unsaved].filter((path) => !scan.files.has(path))
  return [...touched, ...new Set([...missing, ...deleted])]
}

/** The mode of a file that was not changed since the snapshot. */
function unchangedMode({ startedMs }: Manifest, stats: Stats | undefined): number | undefined {
  return stats !== undefined && stats.ctimeMs < startedMs ? stats.mode & 0o7777 : undefined
}

/** The state of a clean tracked file. A large repository does not store modes; git knows only two. */
async function blobState(
  manifest: Manifest,
  path: RawPath,
  knownMode: number | undefined,
  entry: IndexEntry | undefined,
  call: GitCall | undefined,
): Promise<PathState> {
  if (entry === undefined || call === undefined) return null
  const saved = savedFile(manifest, path)
  if (saved === undefined && (manifest.isComplete || manifest.absent.includes(path))) return null
  if (entry.mode === 0o120000) {
    const target = await runGit(call, ['cat-file', 'blob', entry.blob])
    return target === undefined ? null : { kind: 'link', target: target.toString('latin1') }
  }
  const mode = knownMode ?? (entry.mode & 0o111 ? 0o777 : 0o666) & ~process.umask()
  return {
    kind: 'file',
    mode,
    size: saved?.signature[1] ?? unknownSize,
    blob: entry.blob,
    top: manifest.root,
  }
}

function isSame(raw: RawPath, before: PathState, after: PathState): boolean {
  if (before?.kind !== 'file' || before.blob === undefined) return equalStates(before, after)
  if (after?.kind !== 'file' || after.mode !== before.mode) return false
  if (before.size !== unknownSize && before.size !== after.size) return false
  return hasContents(raw, before, after.size)
}

function folderChanges(
  manifest: Manifest,
  scan: ProjectScan,
  files: readonly Comparison[],
  isHidden: (raw: RawPath) => boolean,
): Comparison[] {
  const changes: Comparison[] = []
  const replaced = new Map(files.map((change) => [change.path, change]))
  for (const path of new Set([...Object.keys(manifest.folders), ...scan.folders.keys()])) {
    const raw = joinRaw(manifest.root, path)
    const mode = Object.hasOwn(manifest.folders, path) ? manifest.folders[path] : undefined
    const now = isHidden(raw) ? null : lstatOrNull(raw)
    const nowMode = now?.isDirectory() === true ? now.mode & 0o7777 : undefined
    if (mode === nowMode) continue
    const before: PathState = mode === undefined ? null : { kind: 'folder', mode }
    const after: PathState = nowMode === undefined ? null : { kind: 'folder', mode: nowMode }
    // A file in the place of a folder, or a folder in the place of a file, is one change.
    const merged = replaced.get(raw)
    if (merged === undefined) changes.push({ path: raw, before, after })
    else if (before === null) merged.after = after
    else merged.before = before
  }
  return changes
}

/** Every new entry changes the time of its folder, so the times of folders do not count. */
function isLater({ path, after }: Comparison, endedMs: number): boolean {
  if (after === null || after.kind === 'folder') return false
  return (lstatOrNull(path)?.ctimeMs ?? 0) > endedMs
}

/** The turn did not create what did not exist at its end. */
function isCreatedAfter({ path, before, after }: Comparison, endedMs: number): boolean {
  if (before !== null || after === null) return false
  return (lstatOrNull(path)?.birthtimeMs ?? 0) > endedMs
}
