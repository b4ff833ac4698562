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
  /** Maximum bytes of the answer as ASCII JSON; a longer one is cut and has a cursor. */
  max_answer?: number | undefined
  /** Maximum characters of all texts together; the last one is cut. */
  max_text_chars?: number | undefined
}

export interface Paging {
  /** Maximum characters of the result's items or text; undefined for no limit. */
  maxChars: number | undefined
  /** Maximum bytes of the result as ASCII JSON; undefined for no limit. */
  maxAnswer: number | undefined
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
    maxAnswer: optionalNumber(args, 'max_answer'),
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
const amounts: ReadonlySet<string> = new Set([
  ...['cursor', 'max_chars', 'max_hits', 'max_lines'],
  ...['max_answer', 'max_text_chars', 'max_total_lines'],
])

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

/** The size of an item as JSON. */
export interface JsonSize {
  chars: number
  /** With characters outside ASCII escaped. */
  bytes: number
}

/** The items that fit into a page, but at least one, so that paging always advances. */
export function cutPage<Item>(
  items: Item[],
  { maxChars = Infinity, maxAnswer = Infinity }: Pick<Paging, 'maxChars' | 'maxAnswer'>,
  sizeOf: (item: Item) => JsonSize = jsonSize,
): Page<Item> {
  if (maxChars === Infinity && areSmall(items, maxAnswer)) return { items, isCut: false }
  let chars = 0
  let bytes = 0
  let count = 0
  for (const item of items) {
    const size = sizeOf(item)
    chars += size.chars
    bytes += size.bytes + 1
    if ((chars > maxChars || bytes > maxAnswer) && (count > 0 || maxChars === 0)) break
    count++
  }
  return { items: items.slice(0, count), isCut: count < items.length }
}

export function jsonSize(item: unknown): JsonSize {
  const json = JSON.stringify(item)
  return { chars: json.length, bytes: asciiBytesOf(json) }
}

/** Characters that JSON escapes, or that the answer escapes because they are outside printable ASCII. */
const escapedChars = /[^ !#-[\]-~]/

/** Whether strings fit, decided without writing each as JSON: all as they are, or even with every character escaped. */
function areSmall(items: readonly unknown[], maxBytes: number): boolean {
  if (maxBytes === Infinity) return true
  let chars = 0
  for (const item of items) {
    if (typeof item !== 'string') return false
    chars += item.length
  }
  const others = 3 * items.length
  if (6 * chars + others <= maxBytes) return true
  return chars + others <= maxBytes && !escapedChars.test(items.join(''))
}

const nonAscii = /[\u007f-\uffff]/

/** Bytes of a JSON text in which characters outside ASCII are written as \\uXXXX. */
export function asciiBytesOf(json: string): number {
  let bytes = json.length
  if (!nonAscii.test(json)) return bytes
  for (let at = 0; at < json.length; at++) if (json.charCodeAt(at) > 0x7e) bytes += 5
  return bytes
}

/**
 * Characters of a text that fit into a page: at most `maxChars` of them, and at most `maxAnswer` bytes as JSON.
 */
export function charsThatFit(text: string, maxBytes: number): number {
  let bytes = 2
  let chars = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.codePointAt(at) as number
    if (code > 0xffff) at++
    bytes += escapedBytes(code)
    if (bytes > maxBytes) return chars
    chars++
  }
  return chars
}

function escapedBytes(code: number): number {
  if (code > 0xffff) return 12
  if (code > 0x7e) return 6
  if (code >= 0x20) return code === 0x22 || code === 0x5c ? 2 : 1
  return code === 0x0a || code === 0x0d || code === 0x09 || code === 0x08 || code === 0x0c ? 2 : 6
}

/** The offset in a cursor, or 0. */
export function offsetFrom(position: unknown): number {
  return Number.isSafeInteger(position) && (position as number) >= 0 ? (position as number) : 0
}
