// Finds the values of secret-looking environment variables wherever they occur, also escaped for
// JSON, for URLs and in base64. One pass over the text however many values there are.
import { isHarmless, isSecretName } from './secret-names.ts'
import type { Place } from './spans.ts'

export interface LiteralSearch {
  find(text: string): Iterable<Place>
  /** How many characters at the end of the text begin one of the values without ending it. */
  openAtEnd(text: string): number
}

/** Shorter values are too likely to occur by accident. */
const minimumLength = 8

/** Beyond this a value is compared only where its beginning matched. */
const keyLength = 256

/** Undefined when the environment holds nothing to look for. */
export function literalSearch(
  environment: Readonly<Record<string, string | undefined>>,
): LiteralSearch | undefined {
  const literals = new Set<string>()
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || !isSecretName(name)) continue
    for (const form of [value, value.trim()]) {
      if (isSecretValue(name, form)) addForms(form, literals)
    }
  }
  return literals.size === 0 ? undefined : searchFor([...literals].sort())
}

const commonValues: ReadonlySet<string> = new Set(
  'production development localhost password changeme postgres username disabled required'.split(
    ' ',
  ),
)

function isSecretValue(name: string, value: string): boolean {
  if (value.length < minimumLength || commonValues.has(value.toLowerCase())) return false
  return !isHarmless(name, value) && !isPlace(name, value)
}

/** A path or an address: naming it everywhere in a log says nothing, hiding it hurts. */
function isPlace(name: string, value: string): boolean {
  const nameSaysPath = /(?:file|path|dir|home|root|sock|socket)$/i.test(name)
  if (/^(?:~|\.{0,2})\//.test(value)) return nameSaysPath || commonRoots.test(value)
  if (/^[A-Za-z]:\\/.test(value)) return true
  return /(?:url|uri|endpoint)$/i.test(name) && /^https?:\/\/[^@]*$/.test(value)
}

const commonRoots =
  /^(?:~|\.{1,2})\/|^\/(?:usr|etc|home|var|tmp|opt|root|run|Users|private|mnt|srv|proc|dev|Library|Volumes)\//

function addForms(value: string, literals: Set<string>): void {
  literals.add(value)
  literals.add(JSON.stringify(value).slice(1, -1))
  const bytes = Buffer.from(value)
  const encoded = encodeURIComponent(bytes.toString())
  literals.add(encoded)
  literals.add(encoded.replaceAll('%20', '+'))
  for (const form of base64Forms(bytes)) literals.add(form)
}

/**
 * The value alone, and what is sure of it when it stands behind other bytes, as in
 * `base64(user:password)`: the characters at the edges depend on the neighbours.
 */
function base64Forms(bytes: Buffer): string[] {
  const forms: string[] = []
  for (const encoding of ['base64', 'base64url'] as const) {
    forms.push(bytes.toString(encoding))
    for (const [offset, unsure] of [0, 2, 3].entries()) {
      const text = Buffer.concat([Buffer.alloc(offset), bytes])
        .toString(encoding)
        .replace(/=+$/, '')
      const end = (offset + bytes.length) % 3 === 0 ? text.length : text.length - 1
      forms.push(text.slice(unsure, end))
    }
  }
  return forms
}

/**
 * Skips ahead by the pairs of characters that occur at the beginning of any value (Wu and Manber's
 * method), and looks the few places left up in the sorted list.
 */
function searchFor(sorted: string[]): LiteralSearch {
  const skips = skipTable(sorted)
  const beginnings = new Set(sorted.map((literal) => literal.slice(0, minimumLength)))
  const prefixes = longestPrefixes(sorted)
  return {
    *find(text) {
      let covered = 0
      for (let at = minimumLength - 1; at < text.length;) {
        const skip = skips[pairAt(text, at)] ?? 1
        at += Math.max(1, skip)
        if (skip > 0) continue
        const start = at - minimumLength
        if (!beginnings.has(text.slice(start, at))) continue
        const literal = longestAt(text, start, sorted, prefixes)
        if (literal === undefined) continue
        const end =
          start < covered ? start + keyOf(literal).length : endOfMatch(text, start, literal)
        covered = Math.max(covered, end)
        yield [start, end]
      }
    },
    openAtEnd: (text) => openAtEnd(text, sorted),
  }
}

function keyOf(literal: string): string {
  return literal.length > keyLength ? literal.slice(0, keyLength) : literal
}

function pairAt(text: string, at: number): number {
  return ((text.charCodeAt(at - 1) & 0xff) << 8) | (text.charCodeAt(at) & 0xff)
}

function skipTable(literals: string[]): Uint8Array {
  const last = minimumLength - 1
  const skips = new Uint8Array(65_536).fill(last)
  for (const literal of literals) {
    for (let at = 1; at <= last; at++) {
      const pair = pairAt(literal, at)
      skips[pair] = Math.min(skips[pair] ?? last, last - at)
    }
  }
  return skips
}

/** For each value the place of the longest other one that it starts with, or -1. */
function longestPrefixes(sorted: string[]): Int32Array {
  const prefixes = new Int32Array(sorted.length).fill(-1)
  const open: number[] = []
  for (const [index, literal] of sorted.entries()) {
    while (open.length > 0 && !literal.startsWith(sorted[open.at(-1) ?? 0] ?? '')) open.pop()
    prefixes[index] = open.at(-1) ?? -1
    open.push(index)
  }
  return prefixes
}

/** The longest value whose key stands at `start`. */
function longestAt(
  text: string,
  start: number,
  sorted: string[],
  prefixes: Int32Array,
): string | undefined {
  const here = text.slice(start, start + keyLength)
  let index = lastNotAfter(sorted, here)
  // Values that differ only beyond the key sort after it and share it.
  const next = sorted[index + 1]
  if (next !== undefined && next.startsWith(here) && here.length === keyLength) return next
  while (index >= 0) {
    const literal = sorted[index] ?? ''
    if (here.startsWith(keyOf(literal))) return literal
    index = prefixes[index] ?? -1
  }
  return undefined
}

function lastNotAfter(sorted: string[], text: string): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? '') <= text) low = middle + 1
    else high = middle
  }
  return low - 1
}

/** A long value counts from its key on, as far as the text agrees with it. */
function endOfMatch(text: string, start: number, literal: string): number {
  if (literal.length <= keyLength || text.startsWith(literal, start)) return start + literal.length
  let length = keyLength
  while (text.charCodeAt(start + length) === literal.charCodeAt(length)) length++
  return start + length
}

function openAtEnd(text: string, sorted: string[]): number {
  for (let length = Math.min(keyLength, text.length); length >= 3; length--) {
    const end = text.slice(-length)
    const next = sorted[lastNotAfter(sorted, end) + 1]
    if (next !== undefined && next.length > length && next.startsWith(end)) return length
  }
  return 0
}
