// What is asked of the regex worker and what it answers; plain data that crosses a thread border.
import type { RegexProgram } from '../regex.ts'

export interface SearchJob {
  kind: 'search'
  program: RegexProgram
  /** The files' bytes, one after the other. */
  bytes: SharedArrayBuffer
  /** Offset and length of each file in turn. */
  spans: number[]
  /** How many lines to find at most: in any one file, and over all files in their order. */
  perFile: number
  limit: number
}

export interface TestJob {
  kind: 'test'
  program: RegexProgram
  texts: string[]
}

export type RegexJob = SearchJob | TestJob

export type RegexReply =
  /** Per file: line and column in turn. */
  | { kind: 'search'; found: number[][]; ms: number }
  | { kind: 'test'; found: boolean[]; ms: number }
  | { kind: 'failed'; code: string; message: string }
