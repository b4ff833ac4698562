// Finds programs on PATH and describes how to start zcl itself.
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

/** Whether `file` is a regular file that this user may execute. */
export function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

/** Command line that starts zcl: the running Node and the program's script. */
export interface Launcher {
  node: string
  script: string
}

/** The launcher of this process; called by the command tree only, which belongs to the entry. */
export function ownLauncher(): Launcher {
  return { node: process.execPath, script: process.argv[1] ?? '' }
}
