// Whether a child process finds a command on its PATH.
import { accessSync, constants, statSync } from 'node:fs'
import path from 'node:path'

export function isOnPath(command: string, searchPath: string | undefined): boolean {
  const folders = command.includes('/') ? [''] : (searchPath ?? '/usr/bin:/bin').split(':')
  return folders.some((folder) => isExecutable(path.resolve(folder, command)))
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
