// Memory to read files into that counts and searches fast what it holds. Kernels are few and used again: each
// holds a large range of addresses, so they must not be made per request.
import { isUtf8 } from 'node:buffer'
import { countChars, countText } from '../text/text.ts'
import type { TextCount } from '../text/text.ts'
import { createOnePassKernel, mostNeedle } from './one-pass-kernel.ts'
import type { OnePassKernel, SoughtBytes } from './one-pass-kernel.ts'

export interface TextMemory {
  buffer: Buffer
  /** Counts the first `length` bytes. */
  count(length: number): TextCount
  countChars(length: number): number
  /**
   * Characters from one place to another, both multiples of sixteen, where several texts stand with
   * zeroes behind each; the zeroes count, too. Undefined when some of it is no UTF-8.
   */
  countCharsBetween(from: number, to: number): number | undefined
  /** From now on `find` looks for this. */
  lookFor(needle: SoughtBytes): void
  /** Where it begins first at or after one place and ends by another; -1 for nowhere. */
  find(from: number, to: number): number
  /** Gives the memory back; nothing may use it afterwards. */
  release(): void
}

const smallestBytes = 2 << 20
const mostIdle = 4

const idle: OnePassKernel[] = []

/** Memory for at least this many bytes. */
export function textMemory(size: number): TextMemory {
  const kernel = takeIdle(size) ?? createOnePassKernel(Math.max(size, smallestBytes))
  if (kernel === undefined) return plainMemory(size)
  const { buffer } = kernel
  return {
    buffer,
    count: (length) => {
      const chars = charsOf(kernel, length)
      return { lineEnds: kernel.countLineEnds(length), chars }
    },
    countChars: (length) => charsOf(kernel, length),
    countCharsBetween: (from, to) => {
      const surplus = kernel.countSurplus(from, to)
      if (!surplus.ascii && !isUtf8(buffer.subarray(from, to))) return undefined
      return to - from - surplus.bytes
    },
    ...searchIn(buffer, kernel),
    release: () => {
      if (idle.length < mostIdle) idle.push(kernel)
    },
  }
}

function takeIdle(size: number): OnePassKernel | undefined {
  const at = idle.findIndex((kernel) => kernel.buffer.length >= size)
  return at === -1 ? undefined : idle.splice(at, 1)[0]
}

/** Only a text that is no UTF-8 has to be decoded to be counted. */
function charsOf(kernel: OnePassKernel, length: number): number {
  const surplus = kernel.countSurplus(0, kernel.endText(length))
  const bytes = kernel.buffer.subarray(0, length)
  return surplus.ascii || isUtf8(bytes) ? length - surplus.bytes : countChars(bytes)
}

function searchIn(buffer: Buffer, kernel?: OnePassKernel): Pick<TextMemory, 'lookFor' | 'find'> {
  let needle: Uint8Array = buffer.subarray(0, 0)
  let isKernels = false
  return {
    lookFor: (sought) => {
      needle = sought.bytes
      isKernels = kernel !== undefined && needle.length <= mostNeedle
      if (isKernels) kernel?.setNeedle(sought)
    },
    find: (from, to) =>
      isKernels
        ? (kernel as OnePassKernel).find(from, to)
        : buffer.subarray(0, to).indexOf(needle, from),
  }
}

/** Memory of exactly this size, without a kernel. */
export function plainMemory(size: number): TextMemory {
  const buffer = Buffer.allocUnsafeSlow(size)
  return {
    buffer,
    count: (length) => countText(buffer.subarray(0, length)),
    countChars: (length) => countChars(buffer.subarray(0, length)),
    countCharsBetween: (from, to) => {
      const bytes = buffer.subarray(from, to)
      return isUtf8(bytes) ? countChars(bytes) : undefined
    },
    ...searchIn(buffer),
    release: () => {},
  }
}
