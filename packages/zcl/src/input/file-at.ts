// Tells the name of a file from a text, for settings that take both.
import { realpathSync, statSync } from 'node:fs'
import path from 'node:path'

/** The path without links; undefined if `name` is the name of no file, such as a text. */
export function fileAt(name: string, baseFolder: string): string | undefined {
  try {
    const file = realpathSync(path.resolve(baseFolder, name))
    return statSync(file).isFile() ? file : undefined
  } catch {
    // Also a text that is too long for a name, or that no name can contain.
    return undefined
  }
}
