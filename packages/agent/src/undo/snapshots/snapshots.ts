// Snapshots of a project around the shell commands of a turn: opened before the first command, closed
// after the last one, which yields the changes that the commands made.
import {
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { ensureDurableFolder } from '@zee/core/folders'
import type { ShellChange } from './comparison.ts'
import { changesSince } from './comparison.ts'
import type { GitCall, GitFolder } from './git.ts'
import { BlockedGit, findRepository } from './git.ts'
import { statDirtyPaths } from './git-scan.ts'
import { changedEntries, recentEntries } from './index-changes.ts'
import { maxIndexBytes, readIndexFile, trackedPaths } from './index-file.ts'
import { keptFolder } from './kept-objects.ts'
import type { KnownCopies, Manifest, SavedFile, Signature } from './manifest.ts'
import {
  equalSignatures,
  readKnownCopies,
  readManifest,
  removeManifest,
  signatureOf,
  writeKnownCopies,
  writeManifest,
} from './manifest.ts'
import type { ProjectScan } from './project-scan.ts'
import { exceededLimit, scanPlain, scanRepository, snapshotLimits } from './project-scan.ts'
import type { RawPath } from './raw-path.ts'
import { displayPath, joinRaw, rawPath } from './raw-path.ts'
import type { FileState } from './state.ts'
import { lstatOrNull, stateAt } from './state.ts'
import { openCopies } from './store.ts'
export { runGit, findRepository } from './git.ts'
export { keepObjects, keptFolder, mayLoseObjects } from './kept-objects.ts'
export type { RawPath } from './raw-path.ts'
export { displayPath, parentOf, pathBuffer, rawPath } from './raw-path.ts'
export type { FileState, PathState } from './state.ts'
export {
  belowLinks,
  blobId,
  hasState,
  lstatOrNull,
  stateAt,
  unknownMode,
  unknownSize,
} from './state.ts'
export { openCopies, readCopy } from './store.ts'

export interface SnapshotContext {
  /** The folder of the session's undo data. */
  folder: string
  env: Readonly<Record<string, string | undefined>>
  signal: AbortSignal
  /** Above this number of tracked files, clean files are neither listed nor stored. */
  maxTrackedFiles?: number | undefined
}

const defaultTrackedFiles = 20_000

export type OpenedSnapshot =
  | { name: string; isLarge: boolean; ignored: string[] }
  | { tooLarge: string }

/** The state of a project from which a snapshot is saved. */
export interface SnapshotScan {
  name: string
  startedMs: number
  /** The folder that was scanned. */
  root: RawPath
  git?: Manifest['git']
  scan: ProjectScan | { tooLarge: string }
  /** An earlier snapshot that is still open, and the tracked files that were touched since. */
  earlier?: { name: string; touched: ReadonlySet<RawPath> } | undefined
}

/** A call of git with its own copy of the index. */
type IndexCall = GitCall & { index: string }

/**
 * Scans the project that contains `root`. `base` is the folder of the program, which is left out. In a large
 * repository one run of `git status` also finds the changes since `earlier`, a snapshot that is still open.
 */
export async function scanProject(
  context: SnapshotContext,
  root: string,
  base: string,
  earlier?: string,
): Promise<SnapshotScan> {
  ensureDurableFolder(context.folder, 0o700)
  const name = freeName(context.folder)
  const startedMs = fileSystemTime(context.folder)
  const { maxTrackedFiles = defaultTrackedFiles } = context
  const found = findRepository(root)
  const isExcluded = excludes(found?.top ?? root, base)
  if (found !== undefined) {
    const { top, folder } = found
    const previous = openManifest(context.folder, earlier, found)
    const index = `${name}.index`
    const git = { folder, index, source: copyIndex(context.folder, index, folder, previous?.git) }
    const call: IndexCall = { ...gitCall(context, top, git), refreshesIndex: true }
    const scan = await scanRepository(
      call,
      rawPath(top),
      call.index,
      maxTrackedFiles,
      isExcluded,
    ).catch(noneIfBlocked)
    if (scan !== undefined) {
      const touched = scan.isComplete ? undefined : touchedSince(context.folder, previous, call)
      const since = touched === undefined ? undefined : { name: earlier ?? '', touched }
      return { name, startedMs, root: rawPath(top), git, scan, earlier: since }
    }
    rmSync(call.index, { force: true })
    // Git may have failed because of the interrupt.
    context.signal.throwIfAborted()
  }
  const scan = scanPlain(rawPath(root), snapshotLimits, isExcluded)
  return { name, startedMs, root: rawPath(root), scan }
}

/** Without git, a small project can be copied as a whole. */
function noneIfBlocked(error: unknown): undefined {
  if (!(error instanceof BlockedGit)) throw error
}

/** The manifest of an earlier snapshot of the same large repository. */
function openManifest(
  folder: string,
  name: string | undefined,
  { folder: repository, top }: GitFolder,
): Manifest | undefined {
  const manifest = name === undefined ? undefined : readManifest(folder, `${name}.json`)
  if (manifest?.git?.folder !== repository || manifest.root !== rawPath(top)) return undefined
  return manifest.isComplete ? undefined : manifest
}

/** Undefined without an earlier snapshot, or if an index has a format that only git can read. */
function touchedSince(
  folder: string,
  earlier: Manifest | undefined,
  call: IndexCall,
): Set<RawPath> | undefined {
  if (earlier?.git === undefined) return undefined
  const file = path.join(folder, earlier.git.index)
  if (isSameFile(file, call.index)) return new Set()
  const before = readIndexFile(call, file)
  const after = readIndexFile(call, call.index)
  return before === undefined || after === undefined ? undefined : changedEntries(before, after)
}

function isSameFile(first: string, second: string): boolean {
  const [one, other] = [first, second].map((file) => statSync(file, { throwIfNoEntry: false }))
  return one !== undefined && one.ino === other?.ino
}

/** Saves what git does not hold. Durable when the promise resolves. */
export async function saveSnapshot(
  { folder }: SnapshotContext,
  { name, startedMs, root, git, scan }: SnapshotScan,
): Promise<OpenedSnapshot> {
  if ('tooLarge' in scan) return scan
  const tooLarge = git === undefined ? undefined : exceededLimit(scan, snapshotLimits)
  if (git !== undefined && tooLarge !== undefined) {
    rmSync(path.join(folder, git.index), { force: true })
    return { tooLarge }
  }
  const manifest = saveFiles(folder, name, root, scan)
  await writeManifest(folder, `${name}.json`, { ...manifest, git, startedMs })
  return { name, isLarge: !scan.isComplete, ignored: scan.ignored.map(displayPath) }
}

/** The time that the file system gives to a change made now. */
export function fileSystemTime(folder: string): number {
  const file = path.join(folder, 'clock')
  writeFileSync(file, '', { mode: 0o600 })
  return statSync(file).ctimeMs
}

function freeName(folder: string): string {
  for (let number = 1; ; number++) {
    const name = `snapshot-${number}`
    const taken = ['', '.json', '.index'].some((end) => existsSync(path.join(folder, name + end)))
    if (!taken) return name
  }
}

/** Evidence of zcl, which grows while the tools run and must not be undone. */
const evidenceFolder = '.zcl'

/** The folder of the program, if it is in the project, and evidence. */
function excludes(top: string, base: string): (path: RawPath) => boolean {
  const folders = [evidenceFolder, path.relative(top, base)].map(rawPath)
  return (each) => folders.some((folder) => each === folder || each.startsWith(`${folder}/`))
}

/**
 * Copies the repository's index. If that has not changed since an earlier copy, the copy is linked: git has
 * stored the stats of clean files in it, and git replaces an index and never writes into it. Returns the
 * signature of the original.
 */
function copyIndex(
  folder: string,
  name: string,
  repository: string,
  earlier: Manifest['git'],
): Signature | undefined {
  const original = path.join(repository, 'index')
  const stats = statSync(original, { throwIfNoEntry: false })
  if (stats?.isFile() !== true || stats.size > maxIndexBytes) return undefined
  const signature = signatureOf(stats)
  const target = path.join(folder, name)
  const isSame = earlier?.source !== undefined && equalSignatures(earlier.source, signature)
  if (isSame && isLinked(path.join(folder, earlier.index), target)) return signature
  copyFileSync(original, target, constants.COPYFILE_FICLONE)
  chmodSync(target, 0o600)
  // git compares the time of the index with the times of files to detect racy changes.
  const seconds = Math.floor(stats.mtimeMs) / 1000
  utimesSync(target, seconds, seconds)
  return signature
}

/** False on a file system without links. */
function isLinked(file: string, target: string): boolean {
  try {
    linkSync(file, target)
    return true
  } catch {
    return false
  }
}

function gitCall(
  context: SnapshotContext,
  top: string,
  git: NonNullable<Manifest['git']>,
): IndexCall {
  return {
    repository: { top, folder: git.folder },
    env: context.env,
    signal: context.signal,
    index: path.join(context.folder, git.index),
    kept: keptFolder(context.folder, top),
  }
}

function saveFiles(
  folder: string,
  name: string,
  root: RawPath,
  scan: ProjectScan,
): Omit<Manifest, 'git' | 'startedMs'> {
  const known = readKnownCopies(folder)
  const copies = openCopies(folder, name)
  const files: Record<RawPath, SavedFile> = {}
  for (const [path, stats] of scan.files) {
    const entry: SavedFile = { mode: stats.mode & 0o7777, signature: signatureOf(stats) }
    if (stats.isSymbolicLink()) {
      const state = stateAt(joinRaw(root, path))
      if (state?.kind === 'link') entry.state = state
    } else if (stats.isFile() && scan.unsaved.has(path)) {
      const state = knownState(known, path, entry) ?? copied(copies.add(joinRaw(root, path)), entry)
      if (state !== undefined) entry.state = state
    }
    files[path] = entry
  }
  copies.finish()
  const absent = [...scan.unsaved].filter((path) => !scan.files.has(path))
  const folders = Object.fromEntries(scan.folders)
  return { root, isComplete: scan.isComplete, files, absent, ignored: scan.ignored, folders }
}

function knownState(known: KnownCopies, path: RawPath, entry: SavedFile): FileState | undefined {
  const found = Object.hasOwn(known, path) ? known[path] : undefined
  if (found === undefined || !equalSignatures(found.signature, entry.signature)) return undefined
  return { ...found.state, mode: entry.mode }
}

function copied(
  copy: Pick<FileState, 'hash' | 'size' | 'copy'> | undefined,
  { mode }: SavedFile,
): FileState | undefined {
  return copy === undefined ? undefined : { kind: 'file', mode, ...copy }
}

/**
 * The changes since the snapshot was opened; undefined if it cannot be read. A path that changed after
 * `endedMs` is marked. If `scanned` does not show the changes, the project is scanned again.
 */
export async function snapshotChanges(
  context: SnapshotContext,
  name: string,
  base: string,
  endedMs: number,
  scanned?: SnapshotScan,
): Promise<ShellChange[] | undefined> {
  const manifest = readManifest(context.folder, `${name}.json`)
  if (manifest === undefined) return undefined
  const { git, root } = manifest
  const call = git === undefined ? undefined : gitCall(context, displayPath(root), git)
  const scan =
    call !== undefined && scanned?.earlier?.name === name && !('tooLarge' in scanned.scan)
      ? withTouched(manifest, call, scanned.scan, scanned.earlier.touched)
      : await scanAgain(manifest, call, base)
  return scan === undefined ? undefined : changesSince(manifest, scan, call, endedMs)
}

async function scanAgain(
  manifest: Manifest,
  call: IndexCall | undefined,
  base: string,
): Promise<ProjectScan | undefined> {
  const { root, isComplete } = manifest
  if (lstatOrNull(root) === null) return emptyScan(manifest, call)
  const isExcluded = excludes(displayPath(root), base)
  if (call === undefined) {
    const scan = scanPlain(root, { files: Infinity, bytes: Infinity }, isExcluded)
    return 'tooLarge' in scan ? undefined : scan
  }
  const tracked = isComplete ? Infinity : 0
  const scan = await scanRepository(call, root, call.index, tracked, isExcluded)
  if (scan === undefined || isComplete) return scan
  const touched = await statDirtyPaths(call)
  return touched === undefined ? undefined : withTouched(manifest, call, scan, touched)
}

/** The scan of a project whose folder is gone. */
async function emptyScan(
  { isComplete }: Manifest,
  call: IndexCall | undefined,
): Promise<ProjectScan> {
  const tracked = call === undefined ? undefined : await trackedPaths(call, call.index)
  const unsaved = new Set(isComplete ? [] : tracked?.paths)
  return { files: new Map(), folders: new Map(), unsaved, isComplete, ignored: [] }
}

/**
 * Adds the files that a scan of a large repository left out: those that were saved, and clean ones that may have
 * been touched. git finds them with a quarter of the CPU time that 78,000 calls of lstat take in Node.
 */
function withTouched(
  { files: saved, root, startedMs }: Manifest,
  call: IndexCall,
  scan: ProjectScan,
  touched: Iterable<RawPath>,
): ProjectScan {
  const files = new Map(scan.files)
  const unsaved = new Set(scan.unsaved)
  const index = readIndexFile(call, call.index)
  const recent = index === undefined ? [] : recentEntries(index, Math.floor(startedMs / 1000))
  for (const path of [...touched, ...recent, ...Object.keys(saved)]) {
    if (files.has(path)) continue
    const stats = lstatOrNull(joinRaw(root, path))
    if (stats === null || stats.isDirectory()) unsaved.add(path)
    else files.set(path, stats)
  }
  return { ...scan, files, unsaved }
}

/** Forgets the snapshot; copies of unchanged files are remembered for the next one. */
export async function closeSnapshot(folder: string, name: string): Promise<void> {
  const manifest = readManifest(folder, `${name}.json`)
  if (manifest === undefined) return
  const known: KnownCopies = {}
  for (const [path, { state, signature }] of Object.entries(manifest.files)) {
    if (state?.kind === 'file' && state.hash !== undefined) known[path] = { signature, state }
  }
  await writeKnownCopies(folder, known)
  removeManifest(folder, `${name}.json`, manifest)
}
