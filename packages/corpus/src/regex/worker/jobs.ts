// Messages to and from the regex worker: plain data.
import type { RegexProgram } from '../regex.ts'

export interface SearchJob {
  kind: 'search'
  program: RegexProgram
  /** The bytes of all files, concatenated. */
  bytes: SharedArrayBuffer
  /** Alternating offset and length of each file. */
  spans: number[]
  /** Maximum number of lines per file, and in total. */
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
  /** Per file: alternating line and column. */
  | { kind: 'search'; found: number[][]; ms: number }
  | { kind: 'test'; found: boolean[]; ms: number }
  | { kind: 'failed'; code: string; message: string }
