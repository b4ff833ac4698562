// The words in which the logs of runners are read: one collector for each format takes lines as they
// come, whatever they hold, and says at the end what it understood.
import { asObject } from '../json/json.ts'

/** A line of a log or a part of one: anything may stand in it. */
export type Loose = Readonly<Record<string, unknown>>

/** Everything is absent when the log does not say it; 0 is a fact, not a default. */
export interface RunnerNumbers {
  model?: string
  modelProvider?: string
  turnCount?: number
  totalTokens?: number
  inputTokens?: number
  outputTokens?: number
  cachedInputTokens?: number
  reasoningOutputTokens?: number
  modelContextWindow?: number
  toolCalls?: number
}

export interface RunnerReading {
  /** Lines that this format knows; a log without one is not a log of this runner. */
  usableLines: number
  threadId?: string
  sessionId?: string
  /** What the user said before the first answer. */
  firstUserTexts: readonly string[]
  numbers: RunnerNumbers
}

export interface Collector {
  addLine(line: Loose): void
  reading(): RunnerReading
}

export interface RunnerFormat {
  name: string
  /** Folders in which this runner keeps its logs. */
  roots(env: Readonly<Record<string, string | undefined>>): string[]
  /** How deep below a root they lie, folders included. */
  depth: number
  isLog(fileName: string): boolean
  /** Whether the name of the file tells the session, or that of its folder. */
  namedBy: 'file' | 'folder'
  /** How to tell the newer of two logs; the path itself unless the runner's names carry no time. */
  newestBy: 'path' | 'modified'
  collector(): Collector
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function nonEmptyText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** A count of something; anything that cannot be one is absent. */
export function asCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

/** Adds up what is known; undefined when nothing is. */
export function sumDefined(values: Iterable<number | undefined>): number | undefined {
  let sum: number | undefined
  for (const value of values) if (value !== undefined) sum = (sum ?? 0) + value
  return sum
}

/** Leaves out what is undefined, so that it is absent in the artifact too. */
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
