// One memory that all threads of an index see: it grows as it is used and never shrinks. The first page holds
// words that threads share; everything behind it is handed out from the bottom up, by any thread.
import { pageBytes, wasm } from '../wasm/wasm.ts'
import type { WasmMemory } from '../wasm/wasm.ts'

/** Addresses and lengths are multiples of this. */
const unit = 64
/** Vectors read a little behind the end of a text. */
const margin = 64
/** Word of the first page that holds how many units are taken. */
const takenWord = 0
const mostPages = 65_536
/** Grown by at least this much, so that growing is rare. */
const growthPages = 64

/** Memory of at most so many bytes; undefined where the system has none to share. */
export function createSharedMemory(mostBytes: number): WasmMemory | undefined {
  const maximum = Math.max(2, Math.min(mostPages, Math.ceil(mostBytes / pageBytes)))
  try {
    const memory = new wasm.Memory({ initial: 1, maximum, shared: true })
    new Int32Array(memory.buffer)[takenWord] = pageBytes / unit
    return memory
  } catch {
    return undefined
  }
}

/** Address of so many bytes for the caller alone, zeroes; undefined when the memory is full. */
export function reserve(memory: WasmMemory, bytes: number): number | undefined {
  const units = Math.ceil(Math.max(1, bytes) / unit)
  const words = wordsOf(memory)
  for (;;) {
    const taken = Atomics.load(words, takenWord)
    const end = (taken + units) * unit
    if (!isRoomFor(memory, end + margin)) return undefined
    // Another thread may have been faster.
    if (Atomics.compareExchange(words, takenWord, taken, taken + units) === taken)
      return taken * unit
  }
}

/** Bytes handed out so far. */
export function reservedBytes(memory: WasmMemory): number {
  return Atomics.load(wordsOf(memory), takenWord) * unit
}

/** The words that threads share; they stay where they are when the memory grows. */
function wordsOf(memory: WasmMemory): Int32Array {
  let words = shared.get(memory)
  if (words === undefined) shared.set(memory, (words = new Int32Array(memory.buffer, 0, 1)))
  return words
}

const shared = new WeakMap<WasmMemory, Int32Array>()

function isRoomFor(memory: WasmMemory, end: number): boolean {
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
