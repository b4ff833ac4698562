// A tree of very many small files cut from those of a real one: their text is real, and so is what an index has
// to tell apart.
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** About as long is a piece, up to the next line end; as many go to a folder. */
const pieceBytes = 1900
const folderFiles = 20
/** Later rounds through the tree begin elsewhere in each file. */
const shiftBytes = 617
const largestBytes = 2_000_000
const NEWLINE = 0x0a

/** Makes a folder with exactly so many files; gives how many bytes they have together. May be interrupted. */
export async function cutTree(from: string, to: string, files: number): Promise<number> {
  let made = 0
  let bytes = 0
  for (let round = 0; made < files; round++) {
    const before = made
    for (const file of filesBelow(from)) {
      await nextTurn()
      const text = readFileSync(file)
      for (let at = round * shiftBytes; at < text.length && made < files;) {
        const newline = text.indexOf(NEWLINE, at + pieceBytes)
        const end = newline === -1 ? text.length : newline + 1
        writeFileSync(path.join(folderOf(to, made), `piece${made}.c`), text.subarray(at, end))
        made++
        bytes += end - at
        at = end
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
    const place = path.join(folder, entry.name)
    if (entry.isDirectory()) yield* filesBelow(place)
    else if (entry.isFile() && statSync(place).size <= largestBytes) yield place
  }
}
