// A copy of a project in a temporary folder, limited in size.
import { ZeeError } from '@zee/core/errors'
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'

const maxFiles = 50_000
const maxBytes = 1024 * 1024 * 1024

export interface WorkingCopy {
  /** The folder that stands for the project. */
  folder: string
  remove(): void
}

/** Copies the project if it exists; otherwise the folder is empty. */
export function copyProject(project: string): WorkingCopy {
  const temporary = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zdx-replay-')))
  const folder = path.join(temporary, path.basename(project) || 'project')
  const remove = () => rmSync(temporary, { recursive: true, force: true })
  try {
    if (existsSync(project)) {
      checkSize(project)
      cpSync(project, folder, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true })
    } else cpSync(temporary, folder, { recursive: true, filter: (source) => source === temporary })
    return { folder, remove }
  } catch (error) {
    remove()
    throw error
  }
}

function checkSize(project: string): void {
  let [files, bytes] = [0, 0]
  const folders = [project]
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const file = path.join(folder, entry.name)
      if (entry.isDirectory()) folders.push(file)
      files += 1
      bytes += lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
      if (files > maxFiles || bytes > maxBytes) {
        throw new ZeeError('replay_too_large', `${project} has more than 50,000 files or 1 GiB`)
      }
    }
  }
}
