// The search kernel on a shared memory. All arguments are addresses and lengths in it. Addresses
// beyond 2 GiB come back negative, so callers apply `>>> 0` to results.
import { scalarModule, simdModule } from './modules.ts'
import { wasm } from '../wasm/wasm.ts'
import type { WasmMemory, WasmModule } from '../wasm/wasm.ts'

export { simdModule } from './modules.ts'
export { createSharedMemory, reserve, reservedBytes } from './shared-memory.ts'

/** Exports of the kernel; its sources (packages/corpus/kernel) document each function. */
export interface KernelFunctions {
  find(
    from: number,
    end: number,
    needle: number,
    length: number,
    rare: number,
    other: number,
  ): number
  findLines(
    start: number,
    end: number,
    needle: number,
    length: number,
    rare: number,
    other: number,
    counted: number,
    line: number,
    out: number,
    limit: number,
  ): number
  writeHits(
    text: number,
    words: number,
    count: number,
    head: number,
    headLength: number,
    cite: number,
    citeLength: number,
    into: number,
    end: number,
    maxLineBytes: number,
    out: number,
  ): number
  lineStart(start: number, at: number): number
  lineEnd(at: number, end: number): number
  countLineEnds(from: number, to: number): number
  countText(from: number, to: number, out: number): void
  trigramHash(trigram: number): number
  /** The text must be in lower case. */
  markTrigrams(from: number, to: number, map: number, size: number): number
  /** Returns 1 when the text is ASCII without a CR. */
  lowerCase(from: number, to: number, out: number): number
  halveMap(map: number, size: number): void
  addToGroup(group: number, map: number, size: number, bit: number): void
  writeGroup(cell: number, rowBytes: number, size: number, group: number): void
  putColumn(block: number, rowBytes: number, column: number, size: number, map: number): void
  filterBlock(
    block: number,
    rowBytes: number,
    hashes: number,
    count: number,
    fold: number,
    out: number,
  ): number
  addToSums(from: number, to: number, sums: number): void
  andBits(into: number, other: number, bytes: number): void
  orBits(into: number, other: number, bytes: number): void
  stepRows(table: number, state: number, from: number, to: number): number
  stepTwoRows(
    table: number,
    state: number,
    at: number,
    otherState: number,
    otherAt: number,
    maxBytes: number,
  ): number
}

export interface Kernel extends KernelFunctions {
  memory: WasmMemory
  /** The memory as bytes. A reservation may replace it, so do not hold it across one. */
  bytes(): Buffer
}

/** The compiled kernel, cached per thread. 'best' uses SIMD if the processor supports it. */
export function kernelModule(form: 'best' | 'scalar' = 'best'): WasmModule {
  if (form === 'scalar') return new wasm.Module(Buffer.from(scalarModule, 'base64'))
  if (bestModule !== undefined) return bestModule
  const vectors = Buffer.from(simdModule, 'base64')
  bestModule = wasm.validate(vectors) ? new wasm.Module(vectors) : kernelModule('scalar')
  return bestModule
}

let bestModule: WasmModule | undefined

export function createKernel(memory: WasmMemory, module: WasmModule = kernelModule()): Kernel {
  const { exports } = new wasm.Instance(module, { env: { memory } })
  let bytes = Buffer.from(memory.buffer)
  return {
    ...(exports as unknown as KernelFunctions),
    memory,
    bytes: () => {
      if (bytes.length !== memory.buffer.byteLength) bytes = Buffer.from(memory.buffer)
      return bytes
    },
  }
}
