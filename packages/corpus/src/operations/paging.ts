// Pages of results. A request with `max_chars` returns as much as fits; the same request with `cursor` continues
// after it. All pages together are the complete result.
import { argumentError, optionalNumber, textArgument } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import { sha256Hex } from '../hash.ts'

/** Arguments of every operation. */
export interface RequestArgs {
  /** Milliseconds after which a search or walk ends with partial results. */
  deadline_ms?: number | undefined
  /** Maximum characters of the result's items or text. */
  max_chars?: number | undefined
  /** `next_cursor` of the previous page. */
  cursor?: string | undefined
}

export interface Paging {
  /** Maximum characters of the result's items or text; undefined for no limit. */
  maxChars: number | undefined
  /** Where the previous page ended. */
  position: unknown
  /** Returns the cursor of the page that starts at a position. */
  cursorAt(position: unknown): string
}

/** Reads `max_chars` and `cursor`. A cursor is valid only for the request that returned it. */
export function pagingOf(op: string, args: Arguments): Paging {
  const cursorAt = (position: unknown): string =>
    Buffer.from(JSON.stringify([fingerprint(op, args), position])).toString('base64url')
  const cursor = textArgument(args, 'cursor')
  const maxChars = optionalNumber(args, 'max_chars')
  return {
    maxChars,
    cursorAt,
    position: cursor === undefined ? undefined : openCursor(op, args, cursor),
  }
}

function openCursor(op: string, args: Arguments, cursor: string): unknown {
  let parts: unknown
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString())
  } catch {
    throw argumentError('cursor is not one that this server gave')
  }
  if (!Array.isArray(parts) || parts.length !== 2) {
    throw argumentError('cursor is not one that this server gave')
  }
  if (parts[0] === fingerprint(op, args)) return parts[1]
  throw argumentError('cursor belongs to another request')
}

/** Arguments that may differ between pages. */
const amounts: ReadonlySet<string> = new Set(['cursor', 'max_chars', 'max_hits', 'max_lines'])

/** Identifies the request, regardless of the amounts. */
function fingerprint(op: string, args: Arguments): string {
  const identifying = Object.entries(args)
    .filter(([name]) => !amounts.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256Hex(JSON.stringify([op, identifying])).slice(0, 16)
}

export interface Page<Item> {
  items: Item[]
  /** Items remain for another page. */
  isCut: boolean
}

/** The items that fit into `maxChars`, but at least one, so that paging always advances. */
export function cutPage<Item>(items: Item[], maxChars: number | undefined): Page<Item> {
  if (maxChars === undefined) return { items, isCut: false }
  let chars = 0
  let count = 0
  for (const item of items) {
    chars += JSON.stringify(item).length
    if (chars > maxChars && (count > 0 || maxChars === 0)) break
    count++
  }
  return { items: items.slice(0, count), isCut: count < items.length }
}

/** The offset in a cursor, or 0. */
export function offsetFrom(position: unknown): number {
  return Number.isSafeInteger(position) && (position as number) >= 0 ? (position as number) : 0
}
