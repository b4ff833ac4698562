// Makes a folder and what is missing above it. Node's own recursive way never ends in /proc, where a
// folder cannot be made although its parent is there.
import { existsSync, mkdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { errnoOf } from '../errors/errors.ts'

/** `mode` is for every folder that is made. Throws what the system says when it cannot be. */
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
