// Copies the files of a verifier into a workspace after the agent ended. Whatever the agent put in
// their place is removed first, so that it can neither replace a test nor redirect the copy.
import { promises, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Verification } from '@zee/evidence/suite'
import { zclError } from '../../errors/errors.ts'
import { copyTree, removeTree, restoreFolder } from '../workspace/workspace.ts'
import { fingerprintOf } from './fingerprint.ts'

/** A file that decides about the work, and that an agent without isolation can write to. */
export interface WatchedFile {
  /** Absolute, without links. */
  source: string
  /** Of the source when the attempt started. */
  fingerprint: string
}

export interface VerifierFile extends WatchedFile {
  /** Relative to the workspace. */
  target: string
  isFolder: boolean
}

/** `source` is absolute and without links. */
export function watchFile(source: string): WatchedFile {
  return { source, fingerprint: fingerprintOf(source) }
}

/** Copied when a verification names no files and the folder of the suite has it. */
const defaultFolder = 'verifier'

/** The files of all verifications; throws if one is missing. */
export function verifierFiles(
  verifications: readonly Verification[],
  baseFolder: string,
): VerifierFile[] {
  const byTarget = new Map<string, string>()
  for (const { files } of verifications) {
    for (const [target, name] of filePairs(files ?? defaultFiles(baseFolder), baseFolder)) {
      byTarget.set(target, name)
    }
  }
  return [...byTarget].map(([target, name]) => {
    const source = path.resolve(baseFolder, name)
    const stats = statSync(source, { throwIfNoEntry: false })
    if (stats === undefined) {
      throw zclError('ZCL_E_VERIFY_ERROR', `the verifier file ${name} does not exist`)
    }
    const real = realpathSync(source)
    return { ...watchFile(real), target, isFolder: stats.isDirectory() }
  })
}

/** Pairs of the place in the workspace and the name of the source. */
function filePairs(
  files: NonNullable<Verification['files']>,
  baseFolder: string,
): [string, string][] {
  if (typeof files === 'object' && !Array.isArray(files)) {
    return Object.entries(files).map(([target, name]) => [insideTarget(target), name])
  }
  return [files].flat().map((name) => {
    const source = path.resolve(baseFolder, name)
    const relative = path.relative(baseFolder, source)
    const isInside = isInsidePath(relative)
    return [isInside ? relative : path.basename(source), name]
  })
}

function insideTarget(target: string): string {
  const relative = path.normalize(target)
  if (isInsidePath(relative)) return relative
  throw zclError('ZCL_E_VERIFY_ERROR', `the place ${target} is not in the workspace`)
}

function isInsidePath(relative: string): boolean {
  return (
    relative !== '' &&
    relative !== '.' &&
    !/^\.\.(?:\/|$)/.test(relative) &&
    !path.isAbsolute(relative)
  )
}

function defaultFiles(baseFolder: string): string[] {
  const folder = path.join(baseFolder, defaultFolder)
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  return isThere ? [defaultFolder] : []
}

/** Whether one of the files changed since the attempt started. */
export function isFileChanged(files: readonly WatchedFile[]): boolean {
  return files.some(({ source, fingerprint }) => !hasFingerprint(source, fingerprint))
}

function hasFingerprint(source: string, fingerprint: string): boolean {
  try {
    return fingerprintOf(source) === fingerprint
  } catch {
    return false
  }
}

export async function placeVerifierFiles(
  files: readonly VerifierFile[],
  workspace: string,
): Promise<void> {
  for (const { source, target, isFolder } of files) {
    restoreParents(workspace, target)
    const absolute = path.join(workspace, target)
    await removeTree(absolute)
    if (isFolder) await copyTree(source, absolute)
    else await promises.copyFile(source, absolute)
  }
}

/** Makes every parent of `target` a real folder. */
function restoreParents(workspace: string, target: string): void {
  let folder = workspace
  for (const name of path.dirname(target).split(path.sep)) {
    if (name === '.' || name === '') continue
    folder = path.join(folder, name)
    restoreFolder(folder)
  }
}
