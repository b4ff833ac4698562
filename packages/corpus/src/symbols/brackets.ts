// Steps over blanked text: matching brackets and the text between them.
import { nextMark } from './marks.ts'
import type { SymbolSink } from './sink.ts'

/** By character code: 1 for opening brackets, 2 for closing ones. */
const brackets = new Uint8Array(256)
for (const char of '([{') brackets[char.charCodeAt(0)] = 1
for (const char of ')]}') brackets[char.charCodeAt(0)] = 2

/** Larger than any file; the sum with an offset is still a small integer in V8. */
const noLimit = 2 ** 29

/**
 * Offset after the bracket that closes the one at `at`. Without one: the end of the text, or `at +
 * limit`.
 */
export function afterClosing(text: string, at: number, limit = noLimit): number {
  const end = Math.min(text.length, at + limit)
  let depth = 0
  for (let offset = at; offset < end; offset++) {
    const bracket = brackets[text.charCodeAt(offset)]
    if (bracket === 0) continue
    if (bracket === 1) depth++
    else if (--depth === 0) return offset + 1
  }
  return end
}

/** The same on bytes, which is faster over long distances. */
export function afterClosingByte(bytes: Buffer, at: number, limit = noLimit): number {
  const end = Math.min(bytes.length, at + limit)
  let depth = 0
  for (let offset = at; offset < end; offset = nextMark(bytes, brackets, offset + 1)) {
    if (brackets[bytes[offset] as number] === 1) depth++
    else if (--depth === 0) return offset + 1
  }
  return end
}

/** Maximum length of the head of a definition; longer text is not a head. */
export const maxHeadChars = 4000

/** Offset after the `>` that closes the `<` at `at`; `at` if it is not a bracket. */
export function afterClosingAngle(text: string, at: number): number {
  const end = Math.min(text.length, at + maxHeadChars)
  let depth = 0
  for (let offset = at; offset < end; offset++) {
    const char = text.charCodeAt(offset)
    if (char === 0x3c) depth++
    else if (char === 0x3e) {
      const before = text.charCodeAt(offset - 1)
      // `=>` and `->` are arrows.
      if (before !== 0x3d && before !== 0x2d && --depth === 0) return offset + 1
    } else if (brackets[char] === 1) offset = afterClosing(text, offset, maxHeadChars) - 1
    else if (brackets[char] === 2 || char === 0x3b) return at
  }
  return at
}

/** Blanks template and type arguments. */
export function withoutAngles(text: string): string {
  let clean = text
  for (let at = clean.indexOf('<'); at !== -1; at = clean.indexOf('<', at + 1)) {
    const end = afterClosingAngle(clean, at)
    if (end > at) clean = clean.slice(0, at) + ' '.repeat(end - at) + clean.slice(end)
  }
  return clean
}

/** Bounds the work in proportion to the text, because nested blocks are scanned repeatedly. */
export class WorkBudget {
  readonly #sink: SymbolSink
  #left: number

  constructor(text: string, sink: SymbolSink) {
    this.#sink = sink
    this.#left = text.length * 50 + 100_000
  }

  /** Whether budget is left. Marks the result as truncated when there is none. */
  canContinue(): boolean {
    if (this.#left > 0) return true
    this.#sink.markTruncated()
    return false
  }

  spend(amount: number): void {
    this.#left -= amount
  }
}

/** Longer lists are data tables; their rest is omitted. */
const maxPieces = 500_000

/** Splits a text at the commas outside of brackets; `at` is the offset of each piece. */
export function splitAtCommas(text: string, sink: SymbolSink): { text: string; at: number }[] {
  const pieces: { text: string; at: number }[] = []
  let from = 0
  for (let offset = 0; offset < text.length; offset++) {
    const char = text.charCodeAt(offset)
    if (brackets[char] === 1) offset = afterClosing(text, offset) - 1
    else if (char === 0x2c) {
      pieces.push({ text: text.slice(from, offset), at: from })
      from = offset + 1
      if (pieces.length < maxPieces) continue
      sink.markTruncated()
      return pieces
    }
  }
  pieces.push({ text: text.slice(from), at: from })
  return pieces
}
