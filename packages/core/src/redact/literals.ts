// Finds the values of secret-looking environment variables, also escaped for JSON or URLs and in base64.
// One pass over the text for any number of values.
import { isSecretUnder } from './secret-names.ts'
import type { TextRange } from './spans.ts'

export interface LiteralSearch {
  find(text: string): Iterable<TextRange>
  /** Number of characters at the end of the text that are an incomplete value. */
  partialAtEnd(text: string): number
}

/** Shorter values occur too often by chance. */
const minLength = 8

/** Values are indexed by a key of at most this length; the rest is compared after a match. */
const keyLength = 256

/** Their names end like that of a password (`_PWD`). Every shell sets them, so they are not examined. */
const folderNames: ReadonlySet<string> = new Set(['PWD', 'OLDPWD'])

/** Returns undefined if the environment has no secret values. */
export function literalSearch(
  environment: Readonly<Record<string, string | undefined>>,
): LiteralSearch | undefined {
  const literals = new Set<string>()
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value.length < minLength || folderNames.has(name)) continue
    for (const form of [value, value.trim()]) {
      if (isSecretValue(name, form)) addForms(form, literals)
    }
  }
  return searchForLiterals(literals)
}

/** A search for these values; undefined without a value of sufficient length. */
export function searchForLiterals(values: Iterable<string>): LiteralSearch | undefined {
  const sorted = [...values].filter((value) => value.length >= minLength).sort()
  return sorted.length === 0 ? undefined : searchFor(sorted)
}

/** The value as it appears in JSON, in URLs and in base64. */
export function literalForms(value: string): Set<string> {
  const forms = new Set<string>()
  addForms(value, forms)
  return forms
}

const commonValues: ReadonlySet<string> = new Set(
  'production development localhost password changeme postgres username disabled required'.split(
    ' ',
  ),
)

function isSecretValue(name: string, value: string): boolean {
  if (value.length < minLength || commonValues.has(value.toLowerCase())) return false
  return isSecretUnder(name, value) && !isPathOrUrl(name, value)
}

/** Whether the value is a path or a URL without credentials: redacting it makes logs unreadable. */
function isPathOrUrl(name: string, value: string): boolean {
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
 * The encoded value, and its stable middle part after other bytes, as in `base64(user:password)`: the
 * characters at both ends depend on the neighbouring bytes.
 */
function base64Forms(bytes: Buffer): string[] {
  const forms: string[] = []
  for (const encoding of ['base64', 'base64url'] as const) {
    forms.push(bytes.toString(encoding))
    for (const [offset, skipped] of [0, 2, 3].entries()) {
      const text = Buffer.concat([Buffer.alloc(offset), bytes])
        .toString(encoding)
        .replace(/=+$/, '')
      const end = (offset + bytes.length) % 3 === 0 ? text.length : text.length - 1
      forms.push(text.slice(skipped, end))
    }
  }
  return forms
}

/**
 * Multi-pattern search after Wu and Manber: skips by the character pairs that occur in the first
 * characters of any value, and looks up the remaining positions in the sorted list.
 */
function searchFor(sorted: string[]): LiteralSearch {
  const skips = skipTable(sorted)
  const beginnings = new Set(sorted.map((literal) => literal.slice(0, minLength)))
  const prefixes = longestPrefixes(sorted)
  return {
    *find(text) {
      let covered = 0
      for (let index = minLength - 1; index < text.length;) {
        const skip = skips[pairAt(text, index)] ?? 1
        index += Math.max(1, skip)
        if (skip > 0) continue
        const start = index - minLength
        if (!beginnings.has(text.slice(start, index))) continue
        const literal = longestAt(text, start, sorted, prefixes)
        if (literal === undefined) continue
        const end =
          start < covered ? start + keyOf(literal).length : endOfMatch(text, start, literal)
        covered = Math.max(covered, end)
        yield [start, end]
      }
    },
    partialAtEnd: (text) => partialLengthAtEnd(text, sorted),
  }
}

function keyOf(literal: string): string {
  return literal.length > keyLength ? literal.slice(0, keyLength) : literal
}

function pairAt(text: string, index: number): number {
  return ((text.charCodeAt(index - 1) & 0xff) << 8) | (text.charCodeAt(index) & 0xff)
}

function skipTable(literals: string[]): Uint8Array {
  const last = minLength - 1
  const skips = new Uint8Array(65_536).fill(last)
  for (const literal of literals) {
    for (let index = 1; index <= last; index++) {
      const pair = pairAt(literal, index)
      skips[pair] = Math.min(skips[pair] ?? last, last - index)
    }
  }
  return skips
}

/** For each value the index of the longest other value that is its prefix, or -1. */
function longestPrefixes(sorted: string[]): Int32Array {
  const prefixes = new Int32Array(sorted.length).fill(-1)
  const enclosing: number[] = []
  for (const [index, literal] of sorted.entries()) {
    while (enclosing.length > 0 && !literal.startsWith(sorted[enclosing.at(-1) ?? 0] ?? '')) {
      enclosing.pop()
    }
    prefixes[index] = enclosing.at(-1) ?? -1
    enclosing.push(index)
  }
  return prefixes
}

/** The longest value whose key matches at `start`. */
function longestAt(
  text: string,
  start: number,
  sorted: string[],
  prefixes: Int32Array,
): string | undefined {
  const here = text.slice(start, start + keyLength)
  let index = lastNotAfter(sorted, here)
  // Values longer than the key sort after it.
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

/** A long value matches from its key on, as far as the text equals it. */
function endOfMatch(text: string, start: number, literal: string): number {
  if (literal.length <= keyLength || text.startsWith(literal, start)) return start + literal.length
  let length = keyLength
  while (text.charCodeAt(start + length) === literal.charCodeAt(length)) length++
  return start + length
}

function partialLengthAtEnd(text: string, sorted: string[]): number {
  for (let length = Math.min(keyLength, text.length); length >= 3; length--) {
    const end = text.slice(-length)
    const next = sorted[lastNotAfter(sorted, end) + 1]
    if (next !== undefined && next.length > length && next.startsWith(end)) return length
  }
  return 0
}
