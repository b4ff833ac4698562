// What is asked of a thread that searches, and what it answers; plain data that crosses a thread border.
import type { PlainNeedle } from '../../../finder/finder.ts'
import type { WasmMemory, WasmModule } from '../../../wasm/wasm.ts'

export interface QuerySetup {
  memory: WasmMemory
  module: WasmModule
  /** Address of the control area. */
  control: number
  /** What the thread may take for an automaton, and for lines that nobody has taken over yet. */
  tableBytes: number
  linesBytes: number
}

export type Sought =
  | { kind: 'literal'; needle: PlainNeedle }
  | { kind: 'regex'; pattern: string; ignoreCase: boolean }

export interface QueryJob {
  sought: Sought
  /** Address of the items, and how many there may be; how many there are is said later. */
  items: number
  room: number
  /** Items that a thread takes at once. */
  group: number
  /** Lines of a text that are worth finding. */
  limit: number
  /** Only how many lines there are is wanted. */
  counts: boolean
}

/** The item that is waited for is there, or the thread needs room; it has nothing to do any more. */
export type QueryNews = 'news' | 'left'
