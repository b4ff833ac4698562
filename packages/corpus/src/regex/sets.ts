// Character sets as JavaScript writes them, for a subject that is all ASCII and for any other.
import type { Fold, SetItem } from './ast.ts'
import { foldRange } from './fold.ts'

export interface CharSet {
  items: SetItem[]
  negated: boolean
  fold: Fold
}

const LF = 10
const unicodeSpace = String.raw`\t-\r\x1c-\x20\x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000`
const unicodeClasses = { d: String.raw`\p{Nd}`, s: unicodeSpace, w: String.raw`\p{L}\p{N}_` }
const asciiClasses = { d: '0-9', s: String.raw`\t-\r\x20`, w: 'A-Za-z0-9_' }

/** Every ASCII character that belongs to the set; `\n` never does when the subject is lines. */
export function asciiMembers(set: CharSet, lines: boolean): boolean[] {
  const members = Array.from({ length: 128 }, () => set.negated)
  for (const item of set.items) {
    for (let code = 0; code < 128; code++) {
      if (itemHasAscii(item, set.fold, code)) members[code] = !set.negated
    }
  }
  if (lines) members[LF] = false
  return members
}

/** The set for a subject that is all ASCII. */
export function asciiSet(set: CharSet, lines: boolean): string {
  const members = asciiMembers(set, lines)
  let text = ''
  for (let low = 0; low < 128; low++) {
    if (!members[low]) continue
    let high = low
    while (members[high + 1]) high++
    text += high === low ? hex(low) : `${hex(low)}-${hex(high)}`
    low = high
  }
  return `[${text}]`
}

/** The set for any subject, in the notation of the `v` flag. */
export function unicodeSet(set: CharSet, lines: boolean): string {
  const text = set.items.map((item) => unicodeItem(item, set.fold)).join('')
  if (set.negated) return lines ? `[^${text}\\n]` : `[^${text}]`
  return lines ? `[[${text}]--\\n]` : `[${text}]`
}

/** A member as text between brackets. */
function unicodeItem(item: SetItem, fold: Fold): string {
  if (item.kind === 'class') {
    const text = (item.ascii ? asciiClasses : unicodeClasses)[item.name]
    return item.negated ? `[^${text}]` : text
  }
  return foldRange(item.low, item.high, fold)
    .map(([low, high]) => (low === high ? point(low) : `${point(low)}-${point(high)}`))
    .join('')
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

export function hex(code: number): string {
  return `\\x${code.toString(16).padStart(2, '0')}`
}

export function point(code: number): string {
  return `\\u{${code.toString(16)}}`
}
