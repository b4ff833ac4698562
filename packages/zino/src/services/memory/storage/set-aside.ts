// A damaged file is never overwritten: it is put, or copied, beside its place under a name of its own.
import { constants, copyFileSync, existsSync, renameSync } from 'node:fs'

/** Moves the file away; returns its new path. */
export function moveAside(file: string): string {
  const aside = freeName(file)
  renameSync(file, aside)
  return aside
}

export function copyAside(file: string): string {
  const aside = freeName(file)
  copyFileSync(file, aside, constants.COPYFILE_EXCL)
  return aside
}

function freeName(file: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${file}.damaged-${number}`
    if (!existsSync(name)) return name
  }
}
