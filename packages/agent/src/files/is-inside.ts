// Whether a path lies in a folder, judged by the names alone: whoever follows links does so first.
import path from 'node:path'

/** A folder lies in itself. */
export function isInside(folder: string, candidate: string): boolean {
  const relative = path.relative(folder, candidate)
  return relative.split(path.sep)[0] !== '..' && !path.isAbsolute(relative)
}
