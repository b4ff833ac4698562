// The part of WebAssembly that is used here; Node's types leave it to the browser's.

export interface WasmMemory {
  readonly buffer: SharedArrayBuffer
  /** Gives the number of pages before; throws when there is no room. */
  grow(pages: number): number
}

/** Compiled code; it may be sent to other threads. */
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
