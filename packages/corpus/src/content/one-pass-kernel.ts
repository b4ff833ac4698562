// The kernel for texts that are read, counted and searched once: WebAssembly with its own memory, into which files are
// read directly. Without WebAssembly memory, memory.ts falls back to plain buffers.
import { pageBytes, wasm } from '../wasm/wasm.ts'
import type { WasmModule } from '../wasm/wasm.ts'
import { onePassModule } from './one-pass-module.ts'

export interface OnePassKernel {
  /** The memory that files are read into, of at least the requested size. */
  buffer: Buffer
  /** Pads a text at offset 0 with at least one zero. Returns the end of the padding, a multiple of 16. */
  endText(length: number): number
  /** Line ends of the first `length` bytes. `endText` must have padded them. */
  countLineEnds(length: number): number
  /** Counts between two offsets, both multiples of 16, with a zero before the second. */
  countSurplus(from: number, to: number): Surplus
  /** Sets what `find` searches for, of at most `maxNeedleBytes`. */
  setNeedle(needle: ByteNeedle): void
  /** The offset of the first occurrence that lies between two offsets; -1 without one. */
  find(from: number, to: number): number
}

export interface ByteNeedle {
  bytes: Uint8Array
  /** Offsets of its two rarest bytes, which the kernel compares first. */
  rarestOffset: number
  secondOffset: number
}

export interface Surplus {
  /** Bytes that do not start a character: UTF-8 continuation bytes, and an LF after a CR. */
  bytes: number
  isAscii: boolean
}

export const maxNeedleBytes = 256

interface Functions {
  countLineEnds(from: number, to: number): number
  countSurplus(from: number, to: number): number
  find(
    from: number,
    to: number,
    needle: number,
    length: number,
    rare: number,
    other: number,
  ): number
}

/** Addresses of the needle, followed by its masks, which are all zero, and of the texts. */
const needleAt = 16
const textsAt = 1024
/** The kernel loads, but ignores, up to this many bytes after a text. */
const marginBytes = 64

/** A kernel with memory for `size` bytes; undefined if the system refuses the memory. */
export function createOnePassKernel(size: number): OnePassKernel | undefined {
  try {
    const pages = Math.ceil((textsAt + size + marginBytes) / pageBytes)
    const memory = new wasm.Memory({ initial: pages, maximum: pages })
    compiled ??= new wasm.Module(Buffer.from(onePassModule, 'base64'))
    const { exports } = new wasm.Instance(compiled, { env: { memory } })
    return kernelOf(memory.buffer, exports as unknown as Functions, size)
  } catch {
    return undefined
  }
}

let compiled: WasmModule | undefined

function kernelOf(memory: ArrayBuffer, functions: Functions, size: number): OnePassKernel {
  const texts = new Uint8Array(memory, textsAt)
  const needleMemory = new Uint8Array(memory, needleAt, textsAt - needleAt)
  let needle: ByteNeedle = { bytes: needleMemory, rarestOffset: 0, secondOffset: 0 }
  return {
    buffer: Buffer.from(memory, textsAt, size),
    endText: (length) => {
      const end = (length + 16) & ~15
      texts.fill(0, length, end)
      return end
    },
    countLineEnds: (end) => functions.countLineEnds(textsAt, textsAt + end),
    countSurplus: (from, to) => {
      const count = functions.countSurplus(textsAt + from, textsAt + to)
      return { bytes: count >>> 1, isAscii: (count & 1) === 0 }
    },
    setNeedle: (newNeedle) => {
      needle = newNeedle
      needleMemory.fill(0)
      needleMemory.set(newNeedle.bytes)
    },
    find: (from, to) => {
      const { bytes, rarestOffset, secondOffset } = needle
      const [first, end] = [textsAt + from, textsAt + to]
      const at = functions.find(first, end, needleAt, bytes.length, rarestOffset, secondOffset)
      return at === 0 ? -1 : at - textsAt
    },
  }
}
