// Cuts a real source tree into many small files, so that an index has to tell real texts apart.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** A piece ends at the first line end after this length. */
const pieceBytes = 1900
const folderFiles = 20
/** Each further round through the tree starts this much later in each file. */
const shiftBytes = 617
const maxFileBytes = 2_000_000
const newlineByte = 0x0a

/**
 * Writes `files` files below `to` and returns their total bytes. Yields, so that signals get
 * through.
 */
export async function cutTree(from: string, to: string, files: number): Promise<number> {
  let made = 0
  let bytes = 0
  for (let round = 0; made < files; round++) {
    const before = made
    for (const file of filesBelow(from)) {
      await nextTurn()
      const text = readFileSync(file)
      for (let start = round * shiftBytes; start < text.length && made < files;) {
        const newline = text.indexOf(newlineByte, start + pieceBytes)
        const end = newline === -1 ? text.length : newline + 1
        writeFileSync(path.join(folderOf(to, made), `piece${made}.c`), text.subarray(start, end))
        made++
        bytes += end - start
        start = end
      }
      if (made === files) break
    }
    if (made === before) throw new Error(`${from} is too small to cut ${files} files from it`)
  }
  return bytes
}

function folderOf(to: string, file: number): string {
  const number = Math.floor(file / folderFiles)
  const folder = path.join(to, `part${Math.floor(number / 1000)}`, `folder${number}`)
  if (file % folderFiles === 0) mkdirSync(folder, { recursive: true })
  return folder
}

function* filesBelow(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const entryPath = path.join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(entryPath)
    else if (entry.isFile() && statSync(entryPath).size <= maxFileBytes) yield entryPath
  }
}
