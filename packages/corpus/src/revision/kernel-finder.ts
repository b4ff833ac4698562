// Finds a literal in blobs with the search kernel. A blob is copied into the kernel's memory, which costs less than one
// call of `indexOf` per matching line.
import { isAscii } from 'node:buffer'
import type { FoundLine, LineFinder, PlainNeedle } from '../finder/finder.ts'
import { createKernel, createSharedMemory, reserve } from '../kernel/kernel.ts'
import type { Kernel } from '../kernel/kernel.ts'

const maxNeedleBytes = 4096
const maxTextBytes = 2 << 20
/** Lines of one text that there is memory for. */
const maxLines = 32 << 10
const wordsPerLine = 4
const memoryBytes = 4 << 20

export class KernelFinder {
  readonly #kernel: Kernel
  readonly #needleAt: number
  readonly #textAt: number
  readonly #lines: Uint32Array
  /** The needle in the kernel's memory. Searches take turns, so it may be that of another one. */
  #placed: PlainNeedle | undefined

  /** Undefined if the system has no shared memory. */
  static create(): KernelFinder | undefined {
    const memory = createSharedMemory(memoryBytes)
    const lineBytes = maxLines * wordsPerLine * 4
    const at = memory && reserve(memory, 2 * maxNeedleBytes + lineBytes + maxTextBytes)
    return memory === undefined || at === undefined
      ? undefined
      : new KernelFinder(createKernel(memory), at)
  }

  constructor(kernel: Kernel, at: number) {
    this.#kernel = kernel
    this.#needleAt = at
    const linesAt = at + 2 * maxNeedleBytes
    this.#lines = new Uint32Array(kernel.memory.buffer, linesAt, maxLines * wordsPerLine)
    this.#textAt = linesAt + this.#lines.byteLength
  }

  /** A finder for a needle; `other` finds the same in texts that the kernel cannot search. */
  finderOf(needle: PlainNeedle, other: LineFinder): LineFinder {
    const { isFolded } = needle
    if (needle.bytes.length > maxNeedleBytes) return other
    return (bytes, limit) => {
      const canSearch = bytes.length <= maxTextBytes && (!isFolded || isAscii(bytes))
      return (canSearch ? this.#find(bytes, needle, limit) : undefined) ?? other(bytes, limit)
    }
  }

  /** Undefined if there are too many lines. */
  #find(bytes: Buffer, needle: PlainNeedle, limit: number): FoundLine[] | undefined {
    const text = this.#textAt
    if (this.#placed !== needle) this.#place(needle)
    this.#kernel.bytes().set(bytes, text)
    const max = Math.min(limit, maxLines)
    const count = this.#kernel.findLines(
      text,
      text + bytes.length,
      this.#needleAt,
      needle.bytes.length,
      needle.rarestOffset,
      needle.secondOffset,
      text,
      1,
      this.#lines.byteOffset,
      max,
    )
    if (count === max && max < limit) return undefined
    const found: FoundLine[] = []
    for (let at = 0; at < count * wordsPerLine; at += wordsPerLine) {
      found.push({
        line: this.#lines[at] as number,
        start: this.#lines[at + 1] as number,
        end: this.#lines[at + 2] as number,
        matchOffset: this.#lines[at + 3] as number,
      })
    }
    return found
  }

  #place(needle: PlainNeedle): void {
    this.#kernel.bytes().set(needle.bytes, this.#needleAt)
    this.#kernel.bytes().set(needle.masks, this.#needleAt + needle.bytes.length)
    this.#placed = needle
  }
}
