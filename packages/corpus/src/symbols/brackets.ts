// Small steps over blanked text: matching brackets and what lies between.
import { nextMark } from './marks.ts'
import type { SymbolSink } from './sink.ts'

/** 1 for what opens, 2 for what closes, by character code. */
const brackets = new Uint8Array(256)
for (const char of '([{') brackets[char.charCodeAt(0)] = 1
for (const char of ')]}') brackets[char.charCodeAt(0)] = 2

/** More than any file has, and together with an offset in one still a small integer. */
const noLimit = 2 ** 29

/**
 * Offset behind the bracket that closes the one at `at`; the end of the text when none does, or how far
 * was looked when that is limited.
 */
export function closing(text: string, at: number, limit = noLimit): number {
  const end = Math.min(text.length, at + limit)
  let depth = 0
  for (let place = at; place < end; place++) {
    const bracket = brackets[text.charCodeAt(place)]
    if (bracket === 0) continue
    if (bracket === 1) depth++
    else if (--depth === 0) return place + 1
  }
  return end
}

/** The same in the bytes of a file, which is faster over long ways. */
export function closingByte(bytes: Buffer, at: number, limit = noLimit): number {
  const end = Math.min(bytes.length, at + limit)
  let depth = 0
  for (let place = at; place < end; place = nextMark(bytes, brackets, place + 1)) {
    if (brackets[bytes[place] as number] === 1) depth++
    else if (--depth === 0) return place + 1
  }
  return end
}

/** No head of a definition is longer; text that goes on beyond it is not one. */
export const longestHead = 4000

/** Offset behind the `>` that closes the `<` at `at`; `at` when it is no bracket. */
export function closingAngle(text: string, at: number): number {
  const end = Math.min(text.length, at + longestHead)
  let depth = 0
  for (let place = at; place < end; place++) {
    const char = text.charCodeAt(place)
    if (char === 0x3c) depth++
    else if (char === 0x3e) {
      const before = text.charCodeAt(place - 1)
      // Not an arrow.
      if (before !== 0x3d && before !== 0x2d && --depth === 0) return place + 1
    } else if (brackets[char] === 1) place = closing(text, place, longestHead) - 1
    else if (brackets[char] === 2 || char === 0x3b) return at
  }
  return at
}

/** Keeps work in proportion to the text: blocks in blocks in blocks are not looked at for ever. */
export class Effort {
  readonly #sink: SymbolSink
  #left: number

  constructor(text: string, sink: SymbolSink) {
    this.#sink = sink
    this.#left = text.length * 50 + 100_000
  }

  /** False when there was too much of it: what would have come is left out. */
  allowsMore(): boolean {
    if (this.#left > 0) return true
    this.#sink.leaveOut()
    return false
  }

  spend(amount: number): void {
    this.#left -= amount
  }
}

/** More than any list of definitions has: longer ones are tables, of which the rest is left out. */
const mostPieces = 500_000

/** Pieces of a text between commas that are in no bracket, with their offsets. */
export function commaPieces(text: string, sink: SymbolSink): { text: string; at: number }[] {
  const pieces: { text: string; at: number }[] = []
  let from = 0
  for (let place = 0; place < text.length; place++) {
    const char = text.charCodeAt(place)
    if (brackets[char] === 1) place = closing(text, place) - 1
    else if (char === 0x2c) {
      pieces.push({ text: text.slice(from, place), at: from })
      from = place + 1
      if (pieces.length < mostPieces) continue
      sink.leaveOut()
      return pieces
    }
  }
  pieces.push({ text: text.slice(from), at: from })
  return pieces
}
