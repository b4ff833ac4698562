// Tests by name whether a path is inside a folder. The caller resolves links first.
import path from 'node:path'

/** True for the folder itself. */
export function isInside(folder: string, candidate: string): boolean {
  const relative = path.relative(folder, candidate)
  return relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative)
}
