// Folders that appear whole: built under a private name, then renamed into place. What a killed
// builder left is removed by the next one, which holds the lock that the builder held.
import { promises } from 'node:fs'
import path from 'node:path'
import { writeFileAtomic } from '@zee/core/atomic-file'
import { errnoOf } from '@zee/core/errors'
import { randomHex } from '@zee/core/ids'

export interface NewFolder {
  /** Where it appears. */
  target: string
  /** Content of its files, by name; a name may lead into folders of its own. */
  files: Readonly<Record<string, string | Uint8Array>>
  subfolders?: readonly string[]
  /** The folder for the private name, on the same disk; the caller holds its lock. */
  stagingParent: string
  /** Start of the private name, such as `.creating-`. */
  prefix: string
}

/** Makes a folder, all of it on disk; false when something is there already. */
export async function createFolderAtomically(wanted: NewFolder): Promise<boolean> {
  await sweepFolders(wanted.stagingParent, wanted.prefix)
  const building = path.join(wanted.stagingParent, `${wanted.prefix}${randomHex(6)}`)
  await promises.mkdir(building)
  try {
    for (const name of wanted.subfolders ?? []) await promises.mkdir(path.join(building, name))
    // Durable writes, so that the folder's entries are on disk before it gets its name.
    for (const [name, content] of Object.entries(wanted.files)) {
      const file = path.join(building, name)
      if (name.includes('/')) await promises.mkdir(path.dirname(file), { recursive: true })
      await writeFileAtomic(file, content)
    }
    await promises.rename(building, wanted.target)
  } catch (error) {
    await promises.rm(building, { recursive: true, force: true })
    if (errnoOf(error) === 'ENOTEMPTY' || errnoOf(error) === 'EEXIST') return false
    throw error
  }
  await syncEntries(path.dirname(wanted.target))
  return true
}

/** Removes what killed builders (or removers) left under such names. */
export async function sweepFolders(folder: string, prefix: string): Promise<void> {
  for (const name of await promises.readdir(folder)) {
    if (!name.startsWith(prefix)) continue
    await promises.rm(path.join(folder, name), { recursive: true, force: true })
  }
}

/** The new name survives a power cut, where the file system can promise that. */
async function syncEntries(folder: string): Promise<void> {
  const handle = await promises.open(folder, 'r')
  try {
    await handle.sync().catch(() => undefined)
  } finally {
    await handle.close()
  }
}
