// Where a program is that would be started by its name.
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

/** The first executable file of this name on PATH; undefined when there is none. */
export function findOnPath(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const folders = (env.PATH ?? '').split(path.delimiter)
  return folders.map((folder) => path.join(folder, name)).find(isExecutable)
}

export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
