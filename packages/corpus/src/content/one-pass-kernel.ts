// The kernel for texts that are read, counted and searched once, and given up: some WebAssembly with memory of
// its own, so that a file is read straight into that. Where there is none, memory.ts does without it.
import { pageBytes, wasm } from '../wasm/wasm.ts'
import type { WasmModule } from '../wasm/wasm.ts'
import { onePassModule } from './one-pass-module.ts'

export interface OnePassKernel {
  /** Where files are read to; there is room for the bytes asked for. */
  buffer: Buffer
  /** Puts zeroes behind a text that stands at the beginning; where they end, a multiple of sixteen. */
  endText(length: number): number
  /** Line ends among the first bytes; these have to be ended. */
  countLineEnds(length: number): number
  /** Counts from one place to another, both multiples of sixteen, with a zero before the second. */
  countSurplus(from: number, to: number): Surplus
  /** What `find` looks for, of at most MOST_NEEDLE bytes. */
  setNeedle(needle: SoughtBytes): void
  /** Where it begins first at or after one place and ends by another; -1 for nowhere. */
  find(from: number, to: number): number
}

export interface SoughtBytes {
  bytes: Uint8Array
  /** Places of its two rarest bytes. */
  rare: number
  other: number
}

export interface Surplus {
  /** Bytes that begin no character: those that go on with one, and an LF behind a CR. */
  bytes: number
  ascii: boolean
}

export const mostNeedle = 256

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

/** The needle and its masks, which are all zeroes, stand before the texts. */
const needleAt = 16
const textsAt = 1024
/** The kernel reads, but never uses, a little of what is behind a text. */
const marginBytes = 64

/** A kernel with room for texts of this size; undefined when the system has none for it. */
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
  const before = new Uint8Array(memory, needleAt, textsAt - needleAt)
  let needle: SoughtBytes = { bytes: before, rare: 0, other: 0 }
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
      return { bytes: count >>> 1, ascii: (count & 1) === 0 }
    },
    setNeedle: (sought) => {
      needle = sought
      before.fill(0)
      before.set(sought.bytes)
    },
    find: (from, to) => {
      const { bytes, rare, other } = needle
      const [first, end] = [textsAt + from, textsAt + to]
      const at = functions.find(first, end, needleAt, bytes.length, rare, other)
      return at === 0 ? -1 : at - textsAt
    },
  }
}
