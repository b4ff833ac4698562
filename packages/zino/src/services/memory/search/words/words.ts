// Splits text into words: runs of letters and digits in NFC and lower case. ASCII text is scanned as
// bytes, without a string per word; other text goes through the regular expression.

import type { OnWord } from './word-bytes.ts'
import { emitBytes, firstHash, maxWordBytes, mixHash, prime } from './word-bytes.ts'

export { isStopWord, stopWords } from './stop-words.ts'
export { numberWords, timeWords } from './trait-words.ts'
export { eachOneEdit } from './one-edit.ts'
export { stemOf } from './stem.ts'
export type { OnWord } from './word-bytes.ts'
export { maxWordBytes } from './word-bytes.ts'

const wordPattern = /[\p{L}\p{N}]+/gu
/** The lower-case byte of an ASCII letter or digit, 0 for anything else. */
const wordByte = new Uint8Array(256)
for (const byte of Buffer.from('abcdefghijklmnopqrstuvwxyz0123456789')) wordByte[byte] = byte
for (const byte of Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZ')) wordByte[byte] = byte + 32

const scratchBytes = 64 * 1024
const scratch = Buffer.alloc(scratchBytes)
const single = Buffer.alloc(maxWordBytes)

export function eachWord(text: string, onWord: OnWord): void {
  const maxBytes = text.length * 3
  const bytes = maxBytes <= scratchBytes ? scratch : Buffer.allocUnsafe(maxBytes)
  const length = bytes.write(text)
  // Equal numbers of bytes and characters mean ASCII.
  if (length === text.length) scanAscii(bytes, length, onWord)
  else scanPattern(text, onWord)
}

/** The words of a text as strings; runs of Chinese, Japanese or Korean give overlapping pairs. */
export function splitWords(text: string): string[] {
  const words = text.normalize('NFC').toLowerCase().match(wordPattern) ?? []
  return words.some((word) => unspaced.test(word)) ? words.flatMap(splitUnspaced) : words
}

/** Scripts without spaces between words: every two adjacent characters count as a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]/u
const unspacedRuns =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]+|[^\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u30fc]+/gu

function splitUnspaced(word: string): string[] {
  return (word.match(unspacedRuns) ?? []).flatMap((run) => {
    if (!unspaced.test(run)) return [run]
    const characters = [...run]
    if (characters.length < 3) return [run]
    return characters.slice(1).map((character, at) => `${characters[at]}${character}`)
  })
}

/** Emits one word that is already in normal form. */
export function emitWord(word: string, onWord: OnWord): void {
  const end = Math.min(single.write(word), maxWordBytes)
  emitBytes(single, end, onWord)
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
    const maxEnd = start + maxWordBytes
    let hash = firstHash
    while (byte !== 0) {
      if (at < maxEnd) {
        bytes[at] = byte
        hash = Math.imul(hash ^ byte, prime)
      }
      at += 1
      byte = at < length ? (wordByte[bytes[at] as number] as number) : 0
    }
    onWord(bytes, start, Math.min(at, maxEnd), mixHash(hash))
  }
}

function scanPattern(text: string, onWord: OnWord): void {
  for (const word of splitWords(text)) emitWord(word, onWord)
}
