// Removes the folder of an attempt. Synchronous calls take a third of the CPU time of `fs.promises.rm`; the
// event loop runs between batches of them.
import { chmodSync, lstatSync, promises, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Entries per batch, about 5 ms. */
const batch = 512

/** Also removes folders that their owner made read-only. */
export async function removeTree(folder: string): Promise<void> {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) {
    try {
      await removeFolder(folder, { left: batch })
    } catch {
      // Another process still writes, or a folder is read-only.
      makeWritable(folder)
    }
  }
  await promises.rm(folder, { recursive: true, force: true, maxRetries: 3 })
}

async function removeFolder(folder: string, turn: { left: number }): Promise<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const inner = path.join(folder, entry.name)
    if (entry.isDirectory()) await removeFolder(inner, turn)
    else unlinkSync(inner)
    if (--turn.left > 0) continue
    turn.left = batch
    await nextTurn()
  }
  rmdirSync(folder)
}

function makeWritable(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(path.join(folder, entry.name))
  }
}
