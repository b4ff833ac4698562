// The types of log readers, and helpers for untyped lines. Each log format has a collector that
// receives all lines and returns what it understood.
import { asObject } from '../json/json.ts'

/** An untyped line of a log, or a part of one. */
export type Loose = Readonly<Record<string, unknown>>

/** Numbers from a log. A number that the log does not contain is absent, never 0. */
export interface RunnerNumbers {
  model?: string
  modelProvider?: string
  turnCount?: number
  totalTokens?: number
  inputTokens?: number
  outputTokens?: number
  cachedInputTokens?: number
  cacheWriteTokens?: number
  reasoningOutputTokens?: number
  modelContextWindow?: number
  /** Answers of the model. */
  modelCalls?: number
  toolCalls?: number
}

export interface RunnerReading {
  /** Lines that match the format; a log without any is not a log of this runner. */
  usableLines: number
  threadId?: string
  sessionId?: string
  /** Texts of the user before the first answer. */
  firstUserTexts: readonly string[]
  numbers: RunnerNumbers
}

export interface Collector {
  addLine(line: Loose): void
  reading(): RunnerReading
}

export interface RunnerFormat {
  name: string
  /** Folders with the logs of this runner. */
  roots(env: Readonly<Record<string, string | undefined>>): string[]
  /** Depth of the logs below a root; 1 for files in the root. */
  depth: number
  isLog(fileName: string): boolean
  /** Whether the file name or the folder name contains the session id. */
  namedBy: 'file' | 'folder'
  /** Sort key for the newest log: the path if it contains a time, else the modification time. */
  newestBy: 'path' | 'modified'
  collector(): Collector
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The value if it is a non-negative safe integer, else undefined. */
export function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** The sum of the defined values; undefined if there is none. */
export function sumDefined(values: Iterable<number | undefined>): number | undefined {
  let sum: number | undefined
  for (const value of values) if (value !== undefined) sum = (sum ?? 0) + value
  return sum
}

/** The object without its undefined fields, so that the artifact omits them. */
export function withoutUndefined<T extends object>(
  fields: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** The text of a message whose content is a string or a list of parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return asList(content)
    .map((part) => nonEmptyText(asObject(part).text) ?? '')
    .join('')
}
