// Names in a folder as text. A byte that is no UTF-8 becomes the lone surrogate U+DC00 + byte, the form
// in which clients get such names and send them back.
import { readdirSync } from 'node:fs'
import type { Dirent } from 'node:fs'

export interface NamedEntry {
  name: string
  entry: Dirent | Dirent<Buffer>
}

/** Everything in a folder; names are read as bytes only where text would lose something. */
export function readNames(folder: string | Buffer): NamedEntry[] {
  const entries = readdirSync(folder, { withFileTypes: true })
  if (!entries.some((entry) => entry.name.includes('\ufffd'))) {
    return entries.map((entry) => ({ name: entry.name, entry }))
  }
  return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
    name: escapedText(entry.name),
    entry,
  }))
}

/** Bytes as text that leads back to the same bytes. */
export function escapedText(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  if (Buffer.from(text).equals(bytes)) return text
  let escaped = ''
  for (let at = 0; at < bytes.length; ) {
    const length = [1, 2, 3, 4].find((count) => isOneCharacter(bytes.subarray(at, at + count)))
    escaped +=
      length === undefined
        ? String.fromCharCode(0xdc00 + (bytes[at] as number))
        : bytes.toString('utf8', at, at + length)
    at += length ?? 1
  }
  return escaped
}

function isOneCharacter(bytes: Buffer): boolean {
  const text = bytes.toString('utf8')
  return Array.from(text).length === 1 && Buffer.from(text).equals(bytes)
}
