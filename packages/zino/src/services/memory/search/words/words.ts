// Cuts text into words: runs of letters and digits, NFC, lower-case. Most text is ASCII and is cut as
// bytes, without a string for each word; the rest goes through the pattern that defines a word.

export { isStopWord, stopWords } from './stop-words.ts'
export { stemOf } from './stem.ts'

/** A word is its bytes in UTF-8 and their hash; valid during the call only. */
export type OnWord = (bytes: Uint8Array, start: number, end: number, hash: number) => void

/** Longer ones (keys, encoded data) are known by their beginning. */
export const maxWordBytes = 64

const wordPattern = /[\p{L}\p{N}]+/gu
/** The lower-case byte of an ASCII letter or digit, 0 for anything else. */
const wordByte = new Uint8Array(256)
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyz0123456789')) wordByte[byte] = byte
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')) wordByte[byte] = byte + 32

const firstHash = 0x811c9dc5
const prime = 0x01000193

const scratchBytes = 64 * 1024
const scratch = Buffer.alloc(scratchBytes)
const single = Buffer.alloc(maxWordBytes)

export function eachWord(text: string, onWord: OnWord): void {
  const bytes = text.length * 3 <= scratchBytes ? scratch : Buffer.allocUnsafe(text.length * 3)
  const length = bytes.write(text)
  // As many bytes as characters: all of them are ASCII.
  if (length === text.length) scanAscii(bytes, length, onWord)
  else scanPattern(text, onWord)
}

/** The words of a text as strings. */
export function splitWords(text: string): string[] {
  return text.normalize('NFC').toLowerCase().match(wordPattern) ?? []
}

/** One word that is cut out and folded already. */
export function emitWord(word: string, onWord: OnWord): void {
  const end = Math.min(single.write(word), maxWordBytes)
  onWord(single, 0, end, hashOf(single, end))
}

function scanAscii(bytes: Uint8Array, length: number, onWord: OnWord): void {
  let at = 0
  while (at < length) {
    let byte = wordByte[bytes[at] as number] as number
    if (byte === 0) {
      at += 1
      continue
    }
    const start = at
    const most = start + maxWordBytes
    let hash = firstHash
    while (byte !== 0) {
      if (at < most) {
        bytes[at] = byte
        hash = Math.imul(hash ^ byte, prime)
      }
      at += 1
      byte = at < length ? (wordByte[bytes[at] as number] as number) : 0
    }
    onWord(bytes, start, Math.min(at, most), mixHash(hash))
  }
}

function scanPattern(text: string, onWord: OnWord): void {
  for (const word of splitWords(text)) emitWord(word, onWord)
}

function hashOf(bytes: Uint8Array, end: number): number {
  let hash = firstHash
  for (let at = 0; at < end; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), prime)
  return mixHash(hash)
}

/** The low bits choose a place in the table, so the high ones must reach them. */
function mixHash(hash: number): number {
  return (hash ^ (hash >>> 15)) >>> 0
}
