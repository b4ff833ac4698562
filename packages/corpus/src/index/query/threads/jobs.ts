// The jobs of query threads and their messages: plain data that is posted between threads.
import type { PlainNeedle } from '../../../finder/finder.ts'
import type { WasmMemory, WasmModule } from '../../../wasm/wasm.ts'

export interface QuerySetup {
  memory: WasmMemory
  module: WasmModule
  /** Address of the control area. */
  control: number
  /** Memory of the thread for an automaton, and for lines that are not collected yet. */
  tableBytes: number
  linesBytes: number
}

export type QueryPattern =
  | { kind: 'literal'; needle: PlainNeedle }
  | { kind: 'regex'; pattern: string; ignoreCase: boolean }

export interface QueryJob {
  pattern: QueryPattern
  /** Address of the items. They are published later, at most `maxItems`. */
  items: number
  maxItems: number
  /** Items that a thread claims at once. */
  group: number
  /** Lines per text that are worth finding. */
  limit: number
  /** The lines are only counted. */
  countsOnly: boolean
}

/** `progress`: the awaited item is done, or the thread waits for the main thread. `idle`: the job is done. */
export type ThreadMessage = 'progress' | 'idle'
