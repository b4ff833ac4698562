// Copies the files of a verifier into a workspace after the agent ended. Whatever the agent put in
// their place is removed first, so that it can neither replace a test nor redirect the copy.
import { promises, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Verification } from '@zee/evidence/suite'
import { zclError } from '../../errors/errors.ts'
import { copyTree, removeTree } from '../workspace/workspace.ts'

export interface VerifierFile {
  /** Absolute, without links. */
  source: string
  /** Relative to the workspace. */
  target: string
  isFolder: boolean
}

/** Copied when a verification names no files and the folder of the suite has it. */
const defaultFolder = 'verifier'

/** The files of all verifications; throws if one is missing. */
export function verifierFiles(
  verifications: readonly Verification[],
  baseFolder: string,
): VerifierFile[] {
  const names = verifications.flatMap(({ files }) => files ?? defaultFiles(baseFolder))
  return [...new Set(names)].map((name) => {
    const source = path.resolve(baseFolder, name)
    const stats = statSync(source, { throwIfNoEntry: false })
    if (stats === undefined) {
      throw zclError('ZCL_E_VERIFY_ERROR', `the verifier file ${name} does not exist`)
    }
    const relative = path.relative(baseFolder, source)
    const isOutside = relative === '' || relative.startsWith('..') || path.isAbsolute(relative)
    return {
      source: realpathSync(source),
      target: isOutside ? path.basename(source) : relative,
      isFolder: stats.isDirectory(),
    }
  })
}

function defaultFiles(baseFolder: string): string[] {
  const folder = path.join(baseFolder, defaultFolder)
  const isThere = statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true
  return isThere ? [defaultFolder] : []
}

export async function placeVerifierFiles(
  files: readonly VerifierFile[],
  workspace: string,
): Promise<void> {
  for (const { source, target, isFolder } of files) {
    await clearParents(workspace, target)
    const absolute = path.join(workspace, target)
    await removeTree(absolute)
    if (isFolder) await copyTree(source, absolute)
    else await promises.copyFile(source, absolute)
  }
}

/** Makes every parent of `target` a real folder. */
async function clearParents(workspace: string, target: string): Promise<void> {
  let folder = workspace
  for (const name of path.dirname(target).split(path.sep)) {
    if (name === '.' || name === '') continue
    folder = path.join(folder, name)
    const stats = await promises.lstat(folder).catch(() => undefined)
    if (stats?.isDirectory() === true) continue
    await promises.rm(folder, { force: true })
    await promises.mkdir(folder)
  }
}
