// Memory to read files into that can count what it holds fast. Kernels are few and used again: each holds
// a large range of addresses, so they must not be made per request.
import { isUtf8 } from 'node:buffer'
import { countChars, countCodePoints, countText } from './count.ts'
import type { TextCount } from './count.ts'
import { createCountKernel } from './count-kernel.ts'
import type { CountKernel, RawCount } from './count-kernel.ts'

export interface CountedBuffer {
  buffer: Buffer
  /** Counts the first `length` bytes. */
  count(length: number): TextCount
  countChars(length: number): number
  /**
   * Characters from one place to another, both multiples of sixteen, where several texts stand with
   * zeroes behind each; the zeroes count, too. Undefined when some of it is no UTF-8.
   */
  countCharsBetween(from: number, to: number): number | undefined
  /** Gives the memory back; nothing may use it afterwards. */
  release(): void
}

const SMALLEST_BYTES = 2 << 20
const MOST_IDLE = 4

const idle: CountKernel[] = []

/** Memory for at least this many bytes. */
export function countedBuffer(size: number): CountedBuffer {
  const kernel = takeIdle(size) ?? createCountKernel(Math.max(size, SMALLEST_BYTES))
  if (kernel === undefined) return plainBuffer(size)
  const { buffer } = kernel
  return {
    buffer,
    count: (length) => {
      const raw = kernel.count(length)
      const lineEnds = raw.lineFeeds + raw.returns - raw.pairs
      return { lineEnds, chars: charsOf(buffer, length, raw) }
    },
    countChars: (length) => charsOf(buffer, length, kernel.count(length)),
    countCharsBetween: (from, to) => {
      const raw = kernel.countBetween(from, to)
      if (raw.ascii) return to - from - raw.pairs
      return isUtf8(buffer.subarray(from, to))
        ? to - from - raw.continuations - raw.pairs
        : undefined
    },
    release: () => {
      if (idle.length < MOST_IDLE) idle.push(kernel)
    },
  }
}

function takeIdle(size: number): CountKernel | undefined {
  const at = idle.findIndex((kernel) => kernel.buffer.length >= size)
  return at === -1 ? undefined : idle.splice(at, 1)[0]
}

/** Only a text that is no UTF-8 has to be decoded to be counted. */
function charsOf(buffer: Buffer, length: number, raw: RawCount): number {
  if (raw.ascii) return length - raw.pairs
  const bytes = buffer.subarray(0, length)
  const points = isUtf8(bytes) ? length - raw.continuations : countCodePoints(bytes)
  return points - raw.pairs
}

/** Memory of exactly this size, counted without a kernel. */
export function plainBuffer(size: number): CountedBuffer {
  const buffer = Buffer.allocUnsafeSlow(size)
  return {
    buffer,
    count: (length) => countText(buffer.subarray(0, length)),
    countChars: (length) => countChars(buffer.subarray(0, length)),
    countCharsBetween: (from, to) => {
      const bytes = buffer.subarray(from, to)
      return isUtf8(bytes) ? countChars(bytes) : undefined
    },
    release: () => {},
  }
}
