// Hits of texts in the kernel's memory, written as JSON without being made first. Lines that are long, or hold
// more than ASCII, are left to those who make hits one by one.
import type { Kernel } from '../../kernel/kernel.ts'
import { reserve } from '../../kernel/shared-memory.ts'
import { LINE_BYTES } from '../query-threads/query-area.ts'

/** What a writer needs: for the beginning of a hit, for hits, and two words. */
const HEAD_BYTES = 16 << 10
const HITS_BYTES = 512 << 10
const WORDS_BYTES = 64

/** Longer lines are not worth it. */
const MOST_LINE_BYTES = 16 << 10

/** Bytes that stand for themselves in JSON. */
const plainPath = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/

/** Why the kernel ended: there is no more room. */
const NO_ROOM = 1

export interface WrittenLines {
  /** Objects with commas between them. */
  json: string
  /** How many lines that are; the one behind them is not for here, if there is one. */
  count: number
}

export class HitWriter {
  readonly #kernel: Kernel
  readonly #headAt: number
  readonly #hitsAt: number
  readonly #wordsAt: number
  #headLength = 0

  /** Undefined when there is no memory for one. */
  static in(kernel: Kernel): HitWriter | undefined {
    const at = reserve(kernel.memory, HEAD_BYTES + HITS_BYTES + WORDS_BYTES)
    return at === undefined ? undefined : new HitWriter(kernel, at)
  }

  constructor(kernel: Kernel, at: number) {
    this.#kernel = kernel
    this.#headAt = at
    this.#hitsAt = at + HEAD_BYTES
    this.#wordsAt = at + HEAD_BYTES + HITS_BYTES
  }

  /** Hits of this file come next; false when they are not for here. */
  begin(path: string): boolean {
    if (path.length > HEAD_BYTES / 2 || !plainPath.test(path)) return false
    const head = `{"path":"${path}","line":`
    this.#headLength = this.#kernel.bytes().write(head, this.#headAt, 'latin1')
    return true
  }

  /** Lines of the text at an address, given as words. */
  write(text: number, words: number, count: number, maxLineChars: number): WrittenLines {
    const parts: string[] = []
    let written = 0
    for (;;) {
      const at = words + written * LINE_BYTES
      const { json, lines, isFull } = this.#writeSome(text, at, count - written, maxLineChars)
      if (lines > 0) parts.push(json)
      written += lines
      if (!isFull || lines === 0) return { json: parts.join(','), count: written }
    }
  }

  #writeSome(
    text: number,
    words: number,
    count: number,
    maxLineChars: number,
  ): { json: string; lines: number; isFull: boolean } {
    const kernel = this.#kernel
    const end = kernel.writeHits(
      ...([text, words, count, this.#headAt, this.#headLength] as const),
      ...([this.#hitsAt, this.#hitsAt + HITS_BYTES] as const),
      Math.min(maxLineChars, MOST_LINE_BYTES),
      this.#wordsAt,
    )
    const [lines, reason] = new Uint32Array(kernel.memory.buffer, this.#wordsAt, 2)
    // Without the last comma.
    const json =
      lines === 0 ? '' : kernel.bytes().toString('latin1', this.#hitsAt, (end >>> 0) - 1)
    return { json, lines: lines as number, isFull: reason === NO_ROOM }
  }
}
