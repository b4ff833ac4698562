// Puts a folder of an attempt in order after its agent ended.
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'

const ownerMode = 0o700

/** A link or a file becomes an empty folder, so that the harness follows no link out of it. */
export function restoreFolder(folder: string): void {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats?.isDirectory() === true) {
    if ((stats.mode & ownerMode) !== ownerMode) chmodSync(folder, stats.mode | ownerMode)
    return
  }
  rmSync(folder, { force: true })
  mkdirSync(folder, { mode: ownerMode })
}
