// Removes the folder of an attempt. Synchronous calls take a third of the CPU time of `fs.promises.rm`.
import { chmodSync, lstatSync, readdirSync, rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Steps } from './steps.ts'

/** Also removes folders that their owner made read-only. */
export function* removeSteps(folder: string): Steps<void> {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) {
    try {
      yield* removeFolder(folder)
    } catch {
      // Another process still writes, or a folder is read-only.
      makeWritable(folder)
    }
  }
  yield { remove: folder }
}

function* removeFolder(folder: string): Steps<void> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const inner = join(folder, entry.name)
    if (entry.isDirectory()) yield* removeFolder(inner)
    else unlinkSync(inner)
    yield
  }
  rmdirSync(folder)
}

function makeWritable(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return
  chmodSync(folder, 0o700)
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) makeWritable(join(folder, entry.name))
  }
}
