// Creates folders atomically: builds them under a temporary name, then renames them. The next
// builder, which holds the same lock, removes the leftovers of a killed one.
import { promises } from 'node:fs'
import path from 'node:path'
import { flushFolder, writeFileAtomic } from '@zee/core/atomic-file'
import { errnoOf } from '@zee/core/errors'
import { ensureDurableFolder } from '@zee/core/folders'
import { randomHex } from '@zee/core/ids'

export interface NewFolder {
  /** Final path. */
  target: string
  /** Content of its files by name; a name may contain subfolders. */
  files: Readonly<Record<string, string | Uint8Array>>
  subfolders?: readonly string[]
  /** Parent of the temporary folder, on the same file system; the caller holds its lock. */
  stagingParent: string
  /** Prefix of the temporary name, such as `.creating-`. */
  prefix: string
}

/** Creates a folder and flushes it to disk; false if the target already exists. */
export async function createFolderAtomically(folder: NewFolder): Promise<boolean> {
  await sweepFolders(folder.stagingParent, folder.prefix)
  const building = path.join(folder.stagingParent, `${folder.prefix}${randomHex(6)}`)
  await promises.mkdir(building)
  try {
    for (const name of folder.subfolders ?? []) await promises.mkdir(path.join(building, name))
    // Durable writes: the content is on disk before the folder gets its name.
    for (const [name, content] of Object.entries(folder.files)) {
      const file = path.join(building, name)
      if (name.includes('/')) ensureDurableFolder(path.dirname(file))
      await writeFileAtomic(file, content)
    }
    await promises.rename(building, folder.target)
  } catch (error) {
    await promises.rm(building, { recursive: true, force: true })
    if (errnoOf(error) === 'ENOTEMPTY' || errnoOf(error) === 'EEXIST') return false
    throw error
  }
  const parent = path.dirname(folder.target)
  await flushFolder(parent)
  // A rename changes both folders; POSIX promises it only when both are flushed.
  if (path.resolve(folder.stagingParent) !== path.resolve(parent)) {
    await flushFolder(folder.stagingParent)
  }
  return true
}

/** Removes folders with this prefix that killed processes left. */
export async function sweepFolders(folder: string, prefix: string): Promise<void> {
  for (const name of await promises.readdir(folder)) {
    if (!name.startsWith(prefix)) continue
    await promises.rm(path.join(folder, name), { recursive: true, force: true })
  }
}
