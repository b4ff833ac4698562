// Fits requests and answers to agents, which cut a tool result at about 10,000 characters: default caps, reads from a
// path alone, and where to go on.
import { isObject } from '@zee/core/json'
import type { Result } from '../engine/engine.ts'

type Args = Record<string, unknown>

/** Characters of an answer without `max_chars`, and the most that a call can ask for. */
export const defaultChars = 10_000
const maxChars = 100_000
/** The part of an answer besides its items or text. */
const envelopeChars = 600
const defaultLines = 400

/** Adds the defaults of MCP to the arguments of a call. */
export function withDefaults(op: string, args: Args): Args {
  if (op === 'event') return args
  const asked =
    typeof args.max_chars === 'number' && op !== 'chunks' ? args.max_chars : defaultChars
  const chars = Math.max(1, Math.min(asked, maxChars) - envelopeChars)
  const capped = op === 'chunks' ? args : { ...args, max_chars: chars }
  switch (op) {
    case 'grep':
      return { format: 'text', ...capped }
    case 'read_file':
      return { ...wholeLines(capped), max_answer: chars }
    case 'read_many': {
      const reads = Array.isArray(args.reads) ? args.reads : []
      const each = reads.map((read) =>
        isObject(read) ? { max_chars: chars, ...wholeLines(read) } : read,
      )
      return { ...capped, reads: each, max_answer: chars }
    }
    default:
      return { ...capped, max_answer: chars }
  }
}

const rangeNames = ['start_char', 'end_char', 'start_byte', 'end_byte', 'end_line']

/** A path alone, or with a start, reads up to `max_lines`. */
function wholeLines(args: Args): Args {
  if (rangeNames.some((name) => args[name] !== undefined)) return args
  const start = typeof args.start_line === 'number' ? Math.max(1, args.start_line) : 1
  const lines = typeof args.max_lines === 'number' ? args.max_lines : defaultLines
  return { ...args, start_line: start, end_line: start + Math.max(1, lines) - 1 }
}

/** The text that the agent sees: JSON, except for hits. */
export function answerText(op: string, result: Result): string {
  if (op === 'grep' && typeof result.text === 'string') return hitsText(result)
  return JSON.stringify(op === 'read_file' ? withNext(result) : result)
}

/** `next` says where to go on. A range that ends past the end of the file is not truncated. */
export function withNext(result: Result): Result {
  const { end_line: end, total_lines: total, next_cursor: cursor } = result
  if (typeof end !== 'number' || typeof total !== 'number') return result
  const isCut = result.truncated === true && (cursor !== undefined || end < total)
  const hasMore = isCut || (cursor === undefined && end < total)
  return { ...result, truncated: isCut, ...(hasMore ? { next: nextRead(result, end) } : {}) }
}

/** A line that is longer than an answer goes on by its cursor: its number would return the same part again. */
function nextRead(result: Result, end: number): { start_line: number; cursor?: string } {
  const { next_cursor: cursor, start_line: start } = result
  if (typeof cursor !== 'string' || !isMidLine(result)) return { start_line: end + 1 }
  return start === end ? { start_line: end, cursor } : { start_line: end }
}

/** The page ended inside its last line, so the next read starts with that line again. */
function isMidLine({ text }: Result): boolean {
  return !String(text).endsWith('\n')
}

function hitsText(result: Result): string {
  const { text, metrics, truncated, next_cursor: cursor, warnings: _, ...rest } = result
  const notes: string[] = []
  if (metrics.hits === 0) notes.push('no hits')
  if (truncated === true) {
    const more = typeof cursor === 'string' ? `continue with cursor: ${cursor}` : 'raise max_hits'
    notes.push(`truncated after ${String(metrics.hits)} hits; ${more}`)
  }
  for (const [name, value] of Object.entries(rest)) notes.push(`${name}: ${JSON.stringify(value)}`)
  if (metrics.budget_left !== undefined) {
    notes.push(`budget_left: ${JSON.stringify(metrics.budget_left)}`)
  }
  return notes.length === 0 ? String(text) : `${String(text)}[${notes.join('; ')}]\n`
}
