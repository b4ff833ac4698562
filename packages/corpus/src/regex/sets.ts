// Character sets in JavaScript syntax, for ASCII subjects and for all others.
import type { Fold, SetItem } from './ast.ts'
import { pairsOf, rangesOf } from './code-points.ts'
import { foldRange } from './fold.ts'

export interface CharSet {
  items: SetItem[]
  negated: boolean
  fold: Fold
}

const lf = 10
const unicodeSpace = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`
const unicodeClasses = { d: String.raw`\p{Nd}`, s: unicodeSpace, w: String.raw`\p{L}\p{N}_` }
const asciiClasses = { d: '0-9', s: String.raw`\t-\r\x20`, w: 'A-Za-z0-9_' }

/** Membership of each ASCII character. In `lines` mode `\n` is never a member. */
export function asciiMembers(set: CharSet, lines: boolean): boolean[] {
  const members = Array.from({ length: 128 }, () => set.negated)
  for (const item of set.items) {
    for (let code = 0; code < 128; code++) {
      if (itemHasAscii(item, set.fold, code)) members[code] = !set.negated
    }
  }
  if (lines) members[lf] = false
  return members
}

/** The set for ASCII subjects. */
export function asciiSet(set: CharSet, lines: boolean): string {
  const members = asciiMembers(set, lines)
  let text = ''
  for (let low = 0; low < 128; low++) {
    if (!members[low]) continue
    let high = low
    while (members[high + 1]) high++
    text += high === low ? hexEscape(low) : `${hexEscape(low)}-${hexEscape(high)}`
    low = high
  }
  return `[${text}]`
}

/** The set for any subject, in the syntax of the `u` flag. */
export function unicodeSet(set: CharSet, lines: boolean): string {
  const only = set.items.length === 1 ? set.items[0] : undefined
  if (only?.kind === 'class' && only.negated && !set.negated) {
    return unicodeSet({ ...set, items: [{ ...only, negated: false }], negated: true }, lines)
  }
  const isPlain = set.items.every((item) => item.kind === 'range' || !item.negated)
  if (!isPlain) return `[${rangeTexts(pairsOf(rangesOf({ kind: 'set', ...set })), lines)}]`
  const members = set.items.map((item) => unicodeItem(item, set.fold, lines)).join('')
  return set.negated ? `[^${members}${lines ? '\\n' : ''}]` : `[${members}]`
}

/** One set item, without the brackets. */
function unicodeItem(item: SetItem, fold: Fold, lines: boolean): string {
  if (item.kind === 'range') return rangeTexts(foldRange(item.low, item.high, fold), lines)
  const text = (item.ascii ? asciiClasses : unicodeClasses)[item.name]
  return lines ? text.replace(String.raw`\t-\r`, String.raw`\t\v-\r`) : text
}

function rangeTexts(ranges: readonly [number, number][], lines: boolean): string {
  return ranges
    .flatMap(([low, high]) => (lines ? withoutLineFeed(low, high) : [[low, high] as const]))
    .map(([low, high]) =>
      low === high ? codePointEscape(low) : `${codePointEscape(low)}-${codePointEscape(high)}`,
    )
    .join('')
}

function withoutLineFeed(low: number, high: number): [number, number][] {
  if (low > lf || high < lf) return [[low, high]]
  const parts: [number, number][] = [
    [low, lf - 1],
    [lf + 1, high],
  ]
  return parts.filter((part) => part[0] <= part[1])
}

function itemHasAscii(item: SetItem, fold: Fold, code: number): boolean {
  if (item.kind === 'class') return asciiClassHas(item.name, item.ascii, code) !== item.negated
  return foldRange(item.low, item.high, fold).some(([low, high]) => low <= code && code <= high)
}

function asciiClassHas(name: 'd' | 's' | 'w', ascii: boolean, code: number): boolean {
  const digit = code >= 0x30 && code <= 0x39
  if (name === 'd') return digit
  if (name === 'w') return digit || code === 0x5f || isLetter(code)
  return code === 0x20 || (code >= 9 && code <= 13) || (!ascii && code >= 0x1c && code <= 0x1f)
}

function isLetter(code: number): boolean {
  return (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

export function hexEscape(code: number): string {
  return `\\x${code.toString(16).padStart(2, '0')}`
}

export function codePointEscape(code: number): string {
  return `\\u{${code.toString(16)}}`
}
