// Memory for file contents, with fast counting and searching. Kernels are pooled: each reserves a large range of
// addresses, so they must not be created per request.
import { isUtf8 } from 'node:buffer'
import { countChars, countText } from '../text/text.ts'
import type { TextCount } from '../text/text.ts'
import { createOnePassKernel, maxNeedleBytes } from './one-pass-kernel.ts'
import type { ByteNeedle, OnePassKernel } from './one-pass-kernel.ts'

export interface TextMemory {
  buffer: Buffer
  /** Counts the first `length` bytes. */
  count(length: number): TextCount
  countChars(length: number): number
  /**
   * Characters between two offsets, both multiples of 16, of several texts with padding zeroes after each. The zeroes
   * count, too. Undefined unless all texts are UTF-8.
   */
  countCharsBetween(from: number, to: number): number | undefined
  /** Sets what `find` searches for. */
  setNeedle(needle: ByteNeedle): void
  /** The offset of the first occurrence that lies between two offsets; -1 without one. */
  find(from: number, to: number): number
  /** Returns the memory to the pool; the caller must not use it afterwards. */
  release(): void
}

const minKernelBytes = 2 << 20
const maxIdle = 4

const idle: OnePassKernel[] = []

/** Memory for at least `size` bytes. */
export function allocateTextMemory(size: number): TextMemory {
  const kernel = takeIdle(size) ?? createOnePassKernel(Math.max(size, minKernelBytes))
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
      if (!surplus.isAscii && !isUtf8(buffer.subarray(from, to))) return undefined
      return to - from - surplus.bytes
    },
    ...searchIn(buffer, kernel),
    release: () => {
      if (idle.length < maxIdle) idle.push(kernel)
    },
  }
}

function takeIdle(size: number): OnePassKernel | undefined {
  const index = idle.findIndex((kernel) => kernel.buffer.length >= size)
  return index === -1 ? undefined : idle.splice(index, 1)[0]
}

/** Decodes the text only if it is not UTF-8. */
function charsOf(kernel: OnePassKernel, length: number): number {
  const surplus = kernel.countSurplus(0, kernel.endText(length))
  const bytes = kernel.buffer.subarray(0, length)
  return surplus.isAscii || isUtf8(bytes) ? length - surplus.bytes : countChars(bytes)
}

function searchIn(buffer: Buffer, kernel?: OnePassKernel): Pick<TextMemory, 'setNeedle' | 'find'> {
  let bytes: Uint8Array = buffer.subarray(0, 0)
  let usesKernel = false
  return {
    setNeedle: (needle) => {
      bytes = needle.bytes
      usesKernel = kernel !== undefined && bytes.length <= maxNeedleBytes
      if (usesKernel) kernel?.setNeedle(needle)
    },
    find: (from, to) =>
      usesKernel
        ? (kernel as OnePassKernel).find(from, to)
        : buffer.subarray(0, to).indexOf(bytes, from),
  }
}

/** Memory of exactly `size` bytes, without a kernel. */
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
