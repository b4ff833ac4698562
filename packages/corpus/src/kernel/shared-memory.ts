// A bump allocator on one WebAssembly memory shared by all threads of an index. The memory grows on
// demand and never shrinks. Its first page holds the words that threads share.
import { pageBytes, wasm } from '../wasm/wasm.ts'
import type { WasmMemory } from '../wasm/wasm.ts'

/** Addresses and lengths are multiples of this. */
const unitBytes = 64
/** SIMD loads read past the end of a text. */
const marginBytes = 64
/** Index of the word that holds the number of units in use. */
const usedWord = 0
const maxPages = 65_536
/** Minimum growth, so that growing is rare. */
const growthPages = 64

/** Creates a memory of at most `maxBytes`; undefined if the system has no shared memory. */
export function createSharedMemory(maxBytes: number): WasmMemory | undefined {
  const maximum = Math.max(2, Math.min(maxPages, Math.ceil(maxBytes / pageBytes)))
  try {
    const memory = new wasm.Memory({ initial: 1, maximum, shared: true })
    new Int32Array(memory.buffer)[usedWord] = pageBytes / unitBytes
    return memory
  } catch {
    return undefined
  }
}

/**
 * Reserves zeroed bytes for the caller and returns their address; undefined when the memory is
 * full.
 */
export function reserve(memory: WasmMemory, bytes: number): number | undefined {
  const units = Math.ceil(Math.max(1, bytes) / unitBytes)
  const words = wordsOf(memory)
  for (;;) {
    const used = Atomics.load(words, usedWord)
    const end = (used + units) * unitBytes
    if (!ensureCapacity(memory, end + marginBytes)) return undefined
    // Retries if another thread reserved in between.
    if (Atomics.compareExchange(words, usedWord, used, used + units) === used)
      return used * unitBytes
  }
}

/** Number of bytes reserved so far. */
export function reservedBytes(memory: WasmMemory): number {
  return Atomics.load(wordsOf(memory), usedWord) * unitBytes
}

/** The words that threads share; their address does not change when the memory grows. */
function wordsOf(memory: WasmMemory): Int32Array {
  return new Int32Array(memory.buffer, 0, 1)
}

function ensureCapacity(memory: WasmMemory, end: number): boolean {
  while (memory.buffer.byteLength < end) {
    const missing = Math.ceil((end - memory.buffer.byteLength) / pageBytes)
    try {
      memory.grow(Math.max(missing, growthPages))
    } catch {
      try {
        memory.grow(missing)
      } catch {
        return false
      }
    }
  }
  return true
}
