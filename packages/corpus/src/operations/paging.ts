// One answer of bounded size, and the cursor to go on from it. A request with `max_chars` gets as much
// as fits; sent again with `cursor`, it goes on behind it. All pages together are the whole answer.
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
  /** Characters that the answer's items or text may have; undefined when nobody asked. */
  maxChars: number | undefined
  /** Where the page before ended. */
  at: unknown
  /** The cursor for the page after one that ends at this place. */
  seal(at: unknown): string
}

/** Reads `max_chars` and `cursor`. A cursor holds for the very request that it came from. */
export function pagingOf(op: string, args: Arguments): Paging {
  const seal = (at: unknown): string =>
    Buffer.from(JSON.stringify([fingerprint(op, args), at])).toString('base64url')
  const cursor = textArgument(args, 'cursor')
  const maxChars = optionalNumber(args, 'max_chars')
  return { maxChars, seal, at: cursor === undefined ? undefined : unseal(op, args, cursor) }
}

function unseal(op: string, args: Arguments, cursor: string): unknown {
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

/** How much is wanted, at once or at all. */
const amounts: ReadonlySet<string> = new Set(['cursor', 'max_chars', 'max_hits', 'max_lines'])

/** What the request asks for, apart from how much of it. */
function fingerprint(op: string, args: Arguments): string {
  const asked = Object.entries(args)
    .filter(([name]) => !amounts.has(name))
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return sha256Hex(JSON.stringify([op, asked])).slice(0, 16)
}

export interface Page<Item> {
  items: Item[]
  /** Whether something was left for a further page. */
  cut: boolean
}

/** The items that fit, at least one, so that every page but an empty one goes on. */
export function takePage<Item>(items: Item[], maxChars: number | undefined): Page<Item> {
  if (maxChars === undefined) return { items, cut: false }
  let chars = 0
  let count = 0
  for (const item of items) {
    chars += JSON.stringify(item).length
    if (chars > maxChars && (count > 0 || maxChars === 0)) break
    count++
  }
  return { items: items.slice(0, count), cut: count < items.length }
}

/** A whole number out of a cursor, or the start. */
export function placeNumber(at: unknown): number {
  return typeof at === 'number' && Number.isSafeInteger(at) && at >= 0 ? at : 0
}
