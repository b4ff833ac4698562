// Removes the folder of an attempt. Synchronous calls take a third of the CPU time of `fs.promises.rm`.
import { chmodSync, existsSync, lstatSync, readdirSync, renameSync } from 'node:fs'
import { rmdirSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import type { Steps } from './steps.ts'

/** Also removes folders that their owner made read-only, and trees deeper than the longest path. */
export function* removeSteps(folder: string): Steps<void> {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === true) {
    try {
      yield* removeFolder(folder)
    } catch {
      // Another process still writes, a folder is read-only, or a path is too long.
      makeRemovable(folder)
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

/** Far below the longest path of any system, so that every entry of such a folder has a valid path. */
const maxPathBytes = 1500

/** Makes every folder writable and moves those with a long path up to the root. */
function makeRemovable(root: string): void {
  const folders = [root]
  let moved = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) continue
    chmodSync(folder, 0o700)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (!entry.isDirectory()) continue
      const inner = join(folder, entry.name)
      if (Buffer.byteLength(inner) <= maxPathBytes) folders.push(inner)
      else folders.push(moveUp(inner, root, () => String(moved++)))
    }
  }
}

function moveUp(folder: string, root: string, nextName: () => string): string {
  let target = join(root, nextName())
  while (existsSync(target)) target = join(root, nextName())
  chmodSync(folder, 0o700)
  renameSync(folder, target)
  return target
}
