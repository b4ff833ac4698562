// Creates a folder and its missing parents. Node's recursive mkdir never returns in /proc, where
// creating a folder fails with ENOENT although its parent exists.
import { existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { errnoOf } from '../errors/errors.ts'

/** Creates the folder if needed; `mode` applies to every created folder. Throws the system error. */
export function ensureFolder(folder: string, mode?: number): void {
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

function isFolder(file: string): boolean {
  return statSync(file, { throwIfNoEntry: false })?.isDirectory() === true
}
