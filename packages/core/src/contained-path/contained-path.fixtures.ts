// Shared by the tests of contained paths: a root with a secret beside it, and readers.
import { closeSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import { temporaryFolder } from '../process/process.fixtures.ts'
import {
  type ContainedFolder,
  type ContainedRoot,
  openBelow,
  openContained,
  openFolder,
  openRoot,
} from './contained-path.ts'

export interface TestRoot {
  root: ContainedRoot
  inside: string
  outside: string
}

/** Makes a root with files, and a folder with a secret beside it. */
export function makeRoot(hasProc = true): TestRoot {
  const folder = realpathSync(temporaryFolder())
  const inside = path.join(folder, 'root')
  const outside = path.join(folder, 'root2')
  mkdirSync(path.join(inside, 'folder'), { recursive: true })
  mkdirSync(outside)
  writeFileSync(path.join(inside, 'file.txt'), 'inside')
  writeFileSync(path.join(inside, 'folder/secret.txt'), 'inside')
  writeFileSync(path.join(outside, 'secret.txt'), 'outside')
  return { root: openRoot(inside, hasProc), inside, outside }
}

/** The path and content of a file, or `! ` and the failure. */
export function read(root: ContainedRoot, name: string | Buffer): string {
  const file = openContained(root, name)
  if (file.failure !== undefined) return `! ${file.failure}`
  try {
    return `${file.path}: ${readFileSync(file.fd, 'utf8')}`
  } finally {
    closeSync(file.fd)
  }
}

export function folderIn(root: ContainedRoot, name: string): ContainedFolder {
  const folder = openFolder(root, name)
  if (folder.failure !== undefined) throw new Error(folder.failure)
  onTestFinished(() => closeSync(folder.fd))
  return folder
}

export function readBelow(folder: ContainedFolder, name: string | Buffer): string {
  const file = openBelow(folder, name)
  if (file.failure !== undefined) return `! ${file.failure}`
  try {
    return `${file.path}: ${readFileSync(file.fd, 'utf8')}`
  } finally {
    closeSync(file.fd)
  }
}
