// Enforces a budget: a request is capped to the remaining budget; with none left it is refused.
import { isObject } from '@zee/core/json'
import { budgetKinds } from './budget.ts'
import type { BudgetKind, BudgetLimits } from './budget.ts'

type Args = Record<string, unknown>

export interface Budget {
  /** Caps the arguments to the remaining budget, or says why the request is refused. */
  admit(op: string, args: Args): { args: Args } | { refusal: string }
  /** Deducts the cost of an answer; `args` are the client's, before `admit` capped them. */
  charge(op: string, args: Args, result: Record<string, unknown>): void
  left(): BudgetLimits
}

const defaultLines = { max_lines: 400, head_lines: 60, tail_lines: 60 }
const defaultHits = 200
const maxCursors = 1000
/** An estimate: models differ, and so do languages. */
const charsPerToken = 4

export function createBudget(limits: BudgetLimits): Budget {
  const used = { ops: 0, lines: 0, hits: 0, chars: 0, tokens: 0 }
  const pageCosts = new PageCosts()
  const remaining = (kind: BudgetKind): number => {
    const limit = limits[kind]
    return limit === undefined ? Number.POSITIVE_INFINITY : Math.max(0, limit - used[kind])
  }
  return {
    admit(op, args) {
      const spent = requiredKinds(op).find((kind) => remaining(kind) === 0)
      if (spent !== undefined) {
        return { refusal: `budget spent: ${spent} (${used[spent]} of ${limits[spent]} used)` }
      }
      used.ops++
      // `max_lines` and `max_hits` count over all pages of an answer, except for ranges.
      const before = isRange(args) ? 0 : pageCosts.spentBefore(args)
      const tokenChars = (limits.tokens ?? Infinity) * charsPerToken - used.chars
      const left: Remaining = {
        // The engine counts the lines of `read_many` per page.
        lines: remaining('lines') + (op === 'read_many' ? 0 : before),
        hits: remaining('hits') + before,
        chars: Math.min(remaining('chars'), tokenChars),
      }
      return { args: capChars(op, capArgs(op, args, left), left.chars) }
    },
    charge(op, args, result) {
      const lines = countLines(op, result)
      const hits = op === 'grep' ? listLength(result.hits) : 0
      used.lines += lines
      used.hits += hits
      used.chars += countChars(result)
      used.tokens = Math.ceil(used.chars / charsPerToken)
      pageCosts.add(args, result, lines + hits - countSplitLines(op, result))
    },
    left() {
      const kinds = budgetKinds.filter((kind) => limits[kind] !== undefined)
      return Object.fromEntries(kinds.map((kind) => [kind, remaining(kind)]))
    },
  }
}

/** Cost of the pages before each cursor, for the newest 1,000 cursors. */
class PageCosts {
  readonly #spent = new Map<unknown, number>()

  spentBefore({ cursor }: Args): number {
    return this.#spent.get(cursor) ?? 0
  }

  add(args: Args, { next_cursor: next }: Record<string, unknown>, amount: number): void {
    if (typeof next !== 'string') return
    this.#spent.set(next, this.spentBefore(args) + amount)
    const [oldest] = this.#spent.keys()
    if (this.#spent.size > maxCursors) this.#spent.delete(oldest)
  }
}

function requiredKinds(op: string): BudgetKind[] {
  if (op === 'grep') return ['ops', 'hits', 'chars', 'tokens']
  const reads = op === 'read_file' || op === 'peek' || op === 'read_many'
  return reads ? ['ops', 'lines', 'chars', 'tokens'] : ['ops']
}

interface Remaining {
  lines: number
  hits: number
  chars: number
}

/** Limits the text of an answer. A search and several reads share the limit between their items. */
function capChars(op: string, args: Args, chars: number): Args {
  if (chars === Number.POSITIVE_INFINITY) return args
  if (op === 'grep' || op === 'read_many') return { ...args, max_text_chars: chars }
  if (op !== 'read_file' && op !== 'peek') return args
  return capNumber(args, 'max_chars', Number.POSITIVE_INFINITY, chars)
}

function capArgs(op: string, args: Args, { lines, hits }: Remaining): Args {
  switch (op) {
    case 'grep':
      return hits === Number.POSITIVE_INFINITY
        ? args
        : capNumber(args, 'max_hits', defaultHits, hits)
    case 'read_file':
      return capRead(args, lines)
    case 'peek': {
      const head = capLines(args, 'head_lines', lines)
      return capLines(
        head,
        'tail_lines',
        lines - numberOr(head.head_lines, defaultLines.head_lines),
      )
    }
    case 'read_many':
      // The engine counts the lines of each read, which depend on the file.
      return lines === Number.POSITIVE_INFINITY ? args : { ...args, max_total_lines: lines }
    default:
      return args
  }
}

/** A character or byte range has no default line limit. */
function capRead(args: Args, max: number): Args {
  if (max === Number.POSITIVE_INFINITY) return args
  const defaultMax = isRange(args) ? Number.POSITIVE_INFINITY : defaultLines.max_lines
  return capNumber(args, 'max_lines', defaultMax, max)
}

function isRange(args: Args): boolean {
  const ends = ['start_char', 'end_char', 'start_byte', 'end_byte']
  return ends.some((end) => (args[end] ?? undefined) !== undefined)
}

function capLines(args: Args, key: keyof typeof defaultLines, max: number): Args {
  return max === Number.POSITIVE_INFINITY ? args : capNumber(args, key, defaultLines[key], max)
}

/** Values that are not numbers stay unchanged; the engine rejects them with its own message. */
function capNumber(args: Args, key: string, defaultValue: number, max: number): Args {
  return numberOr(args[key], defaultValue) > max ? { ...args, [key]: Math.max(0, max) } : args
}

/** Coerces numbers and numeric strings like the engine does; other values count as 0. */
function numberOr(value: unknown, defaultValue: number): number {
  if (value === undefined || value === null) return defaultValue
  const number = typeof value === 'string' ? Number(value.replaceAll('_', '')) : Number(value)
  return Number.isFinite(number) ? Math.trunc(number) : 0
}

function countLines(op: string, result: Record<string, unknown>): number {
  if (op === 'peek') return countSliceLines(result.head) + countSliceLines(result.tail)
  const { metrics } = result
  return isObject(metrics) && typeof metrics.lines_returned === 'number'
    ? metrics.lines_returned
    : 0
}

/** 1 if the page ends inside a line: the next page counts that line again. */
function countSplitLines(op: string, { text, head, tail }: Record<string, unknown>): number {
  const end = op === 'read_file' ? text : op === 'peek' ? sliceText(tail) || sliceText(head) : '\n'
  return String(end).endsWith('\n') ? 0 : 1
}

function sliceText(slice: unknown): string {
  return isObject(slice) ? String(slice.text) : ''
}

/** Counts the lines of a slice from its `start_line` and `end_line`. */
function countSliceLines(value: unknown): number {
  if (!isObject(value)) return 0
  const { start_line: start, end_line: end } = value
  if (typeof start !== 'number' || typeof end !== 'number') return 0
  return Math.max(0, end - start + 1)
}

/** Characters of every text in a result, at any depth. */
function countChars(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, each) => sum + countChars(each), 0)
  if (!isObject(value)) return 0
  let chars = 0
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'object') chars += countChars(inner)
    else if (name === 'text' && typeof inner === 'string') chars += Array.from(inner).length
  }
  return chars
}

function listLength(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}
