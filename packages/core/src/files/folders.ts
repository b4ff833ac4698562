// Creates a folder and its missing parents. Node's recursive mkdir never returns in /proc, where
// creating a folder fails with ENOENT although its parent exists.
import { existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { errnoOf } from '../errors/errors.ts'
import { fsyncFolderSync } from './fsync.ts'

/** Creates the folder if needed; `mode` applies to every created folder. Throws the system error. */
export function ensureFolder(folder: string, mode?: number): void {
  if (isFolder(folder)) return
  try {
    mkdirSync(folder, mode)
  } catch (error) {
    const parent = path.dirname(path.resolve(folder))
    if (errnoOf(error) === 'ENOENT' && !existsSync(parent)) {
      ensureFolder(parent, mode)
      ensureFolder(folder, mode)
    } else if (!isFolder(folder)) throw error
  }
}

/** Same as `ensureFolder`; the created folders also survive a power cut. */
export function ensureDurableFolder(folder: string, mode?: number): void {
  if (isFolder(folder)) return
  const created = missingFolders(path.resolve(folder))
  ensureFolder(folder, mode)
  for (const each of created) fsyncFolderSync(path.dirname(each))
}

/** The folder and its parents that do not exist, innermost first. */
export function missingFolders(folder: string): string[] {
  if (existsSync(folder)) return []
  return [folder, ...missingFolders(path.dirname(folder))]
}

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
}
