// Types for the part of WebAssembly that corpus uses; Node's types do not include it.

export interface WasmMemory {
  readonly buffer: SharedArrayBuffer
  /** Returns the previous number of pages; throws when the memory cannot grow. */
  grow(pages: number): number
}

/** Compiled code, which can be sent to other threads. */
export type WasmModule = object & { readonly wasmModule?: never }

interface WasmEngine {
  Memory: {
    new (pages: { initial: number; maximum: number; shared: true }): WasmMemory
    new (pages: { initial: number; maximum: number }): { readonly buffer: ArrayBuffer }
  }
  Module: new (bytes: Uint8Array) => WasmModule
  Instance: new (module: WasmModule, imports: object) => { exports: Record<string, unknown> }
  validate(bytes: Uint8Array): boolean
}

export const pageBytes = 65_536

export const wasm = (globalThis as unknown as { WebAssembly: WasmEngine }).WebAssembly
