// Preserves a damaged file under the name `<file>.damaged-<n>` before it is overwritten.
import { constants, copyFileSync, existsSync, renameSync } from 'node:fs'

/** Renames the file and returns its new path. */
export function moveAside(file: string): string {
  const aside = unusedName(file)
  renameSync(file, aside)
  return aside
}

/** Copies the file and returns the path of the copy. */
export function copyAside(file: string): string {
  const aside = unusedName(file)
  copyFileSync(file, aside, constants.COPYFILE_EXCL)
  return aside
}

function unusedName(file: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${file}.damaged-${number}`
    if (!existsSync(name)) return name
  }
}
