// Path comparison with symbolic links resolved.
import { realpathSync } from 'node:fs'
import path from 'node:path'

/** Resolves the links of a path, also if its last components do not exist. */
export function resolveLinks(file: string): string {
  try {
    return realpathSync.native(file)
  } catch {
    const parent = path.dirname(file)
    return parent === file ? file : path.join(resolveLinks(parent), path.basename(file))
  }
}

/** Reports whether `file` is `folder` or below it. Both must have their links resolved. */
export function isWithin(folder: string, file: string): boolean {
  const relative = path.relative(folder, file)
  return relative !== '..' && !relative.startsWith(`..${path.sep}`)
}
