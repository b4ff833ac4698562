// Places on the disk as they really are, whatever they are called.
import { realpathSync } from 'node:fs'
import path from 'node:path'

/** Without links, as far as it is there. */
export function resolveLinks(place: string): string {
  try {
    return realpathSync.native(place)
  } catch {
    const parent = path.dirname(place)
    return parent === place ? place : path.join(resolveLinks(parent), path.basename(place))
  }
}

/** Whether a place is a folder or lies in it; both without links. */
export function isWithin(folder: string, place: string): boolean {
  const way = path.relative(folder, place)
  return way !== '..' && !way.startsWith(`..${path.sep}`)
}
