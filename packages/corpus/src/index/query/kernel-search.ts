// Literal search in contents that lie in the kernel's memory: matching lines with their numbers and places
// come back as words, several at once.
import type { PlainNeedle } from '../../finder/finder.ts'
import type { Kernel } from '../../kernel/kernel.ts'

const mostNeedle = 4096
const linesAtOnce = 2048
const wordsPerLine = 4

/** What a search needs for its needle and for what it finds. */
export const searchBytes = 2 * mostNeedle + linesAtOnce * wordsPerLine * 4

export class KernelSearch {
  readonly #kernel: Kernel
  readonly #needleAt: number
  readonly #linesAt: number
  #needle: PlainNeedle | undefined

  /** `scratch` is the address of SEARCH_BYTES for this search alone. */
  constructor(kernel: Kernel, scratch: number) {
    this.#kernel = kernel
    this.#needleAt = scratch
    this.#linesAt = scratch + 2 * mostNeedle
  }

  /** Looks for this from now on; false when it is too long. */
  prepare(needle: PlainNeedle): boolean {
    const { bytes, masks } = needle
    if (bytes.length > mostNeedle) return false
    this.#kernel.bytes().set(bytes, this.#needleAt)
    this.#kernel.bytes().set(masks, this.#needleAt + bytes.length)
    this.#needle = needle
    return true
  }

  /** Where `find` puts lines, as the kernel's words. */
  get linesAt(): number {
    return this.#linesAt
  }

  /** Lines of the text at an address as words; undefined when there are too many for that. */
  find(address: number, length: number, limit: number): number | undefined {
    const { bytes, rare, other } = this.#needle as PlainNeedle
    const most = Math.min(limit, linesAtOnce)
    // One by one: this is asked of every file, and a spread costs as much as a small file.
    const count = this.#kernel.findLines(
      address,
      address + length,
      this.#needleAt,
      bytes.length,
      rare,
      other,
      address,
      1,
      this.#linesAt,
      most,
    )
    return count === most && most < limit ? undefined : count
  }
}
