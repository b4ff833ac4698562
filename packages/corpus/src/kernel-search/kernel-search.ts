// Literal search of texts in the kernel's memory, in the main thread. The kernel writes matching lines, with their
// numbers and offsets, as words.
import type { PlainNeedle } from '../finder/finder.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { lineBytes } from './line-words.ts'

export { KernelHits } from './kernel-hits.ts'
export type { KernelTexts } from './kernel-hits.ts'
export { lineBytes, unknownOffset, wordsPerLine } from './line-words.ts'
export { HitWriter } from './writer.ts'

const maxNeedleBytes = 4096

/** Memory of a search for its needle and for the lines of one text. */
export function searchBytes(maxLines: number): number {
  return 2 * maxNeedleBytes + maxLines * lineBytes
}

export class KernelSearch {
  readonly #kernel: Kernel
  readonly #needleAt: number
  readonly #linesAt: number
  /** Lines of one text that there is memory for. */
  readonly #maxLines: number
  #needle: PlainNeedle | undefined

  /** `scratch` is the address of `searchBytes(maxLines)` bytes. */
  constructor(kernel: Kernel, scratch: number, maxLines: number) {
    this.#maxLines = maxLines
    this.#kernel = kernel
    this.#needleAt = scratch
    this.#linesAt = scratch + 2 * maxNeedleBytes
  }

  /** Sets the needle; false if it is too long. */
  prepare(needle: PlainNeedle): boolean {
    const { bytes, masks } = needle
    if (needle === this.#needle) return true
    if (bytes.length > maxNeedleBytes) return false
    this.#kernel.bytes().set(bytes, this.#needleAt)
    this.#kernel.bytes().set(masks, this.#needleAt + bytes.length)
    this.#needle = needle
    return true
  }

  /** Address of the lines that `find` found, as the kernel's words. */
  get linesAt(): number {
    return this.#linesAt
  }

  /** Finds matching lines of a text and returns how many; undefined if there is no memory for all of them. */
  find(address: number, length: number, limit: number): number | undefined {
    const { bytes, rarestOffset, secondOffset } = this.#needle as PlainNeedle
    const max = Math.min(limit, this.#maxLines)
    // Arguments are spelled out: this runs for every file, and a spread costs as much as a small file.
    const count = this.#kernel.findLines(
      address,
      address + length,
      this.#needleAt,
      bytes.length,
      rarestOffset,
      secondOffset,
      address,
      1,
      this.#linesAt,
      max,
    )
    return count === max && max < limit ? undefined : count
  }
}
