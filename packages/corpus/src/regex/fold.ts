// Case-insensitive equality as Python defines it. Two characters are equal if lower(upper(c)) is
// the same single character, so `i` also equals dotless and dotted I.

import type { Fold } from './ast.ts'

/** All characters equal to this one, including itself. */
export function caseVariants(code: number, fold: Fold): readonly number[] {
  if (fold === 'none' || (fold === 'ascii' && code > 0x7f)) return [code]
  if (fold === 'ascii') return asciiVariants(code).filter((one) => one < 0x80)
  if (code < 0x80) return asciiVariants(code)
  return caseClasses().get(foldKey(code)) ?? [code]
}

/** Ranges that cover `low` to `high` and every character equal to one of them. */
export function foldRange(low: number, high: number, fold: Fold): [number, number][] {
  const ranges: [number, number][] = [[low, high]]
  if (fold === 'none') return ranges
  if (high < 0x80 || fold === 'ascii') {
    for (let code = low; code <= Math.min(high, 0x7f); code++) {
      for (const other of caseVariants(code, fold)) if (other !== code) ranges.push([other, other])
    }
    return ranges
  }
  for (const members of caseClasses().values()) {
    if (!members.some((code) => low <= code && code <= high)) continue
    for (const code of members) if (code < low || code > high) ranges.push([code, code])
  }
  return ranges
}

/** Whether two characters are equal under `fold`. */
export function equalsFolded(a: number, b: number, fold: Fold): boolean {
  if (a === b) return true
  if (fold === 'none' || (fold === 'ascii' && (a > 0x7f || b > 0x7f))) return false
  return foldKey(a) === foldKey(b)
}

/** Canonical code point of a class of equal characters. */
function foldKey(code: number): number {
  if (code < 0x80) return code >= 0x41 && code <= 0x5a ? code + 32 : code
  if (code === 0x130) return 0x69
  return mapToOneChar(
    code,
    (char) => char.toUpperCase(),
    (upper) =>
      mapToOneChar(
        upper,
        (char) => char.toLowerCase(),
        (lower) => lower,
      ),
  )
}

/** Applies a case mapping. A mapping to several characters is ignored. */
function mapToOneChar(
  code: number,
  map: (char: string) => string,
  then: (code: number) => number,
): number {
  const mapped = map(String.fromCodePoint(code))
  const first = mapped.codePointAt(0) as number
  return then(mapped.length === (first > 0xffff ? 2 : 1) ? first : code)
}

const nonAsciiVariants: ReadonlyMap<number, readonly number[]> = new Map([
  [0x69, [0x130, 0x131]],
  [0x6b, [0x212a]],
  [0x73, [0x17f]],
])

function asciiVariants(code: number): readonly number[] {
  const lower = foldKey(code)
  if (lower < 0x61 || lower > 0x7a) return [code]
  return [lower - 32, lower, ...(nonAsciiVariants.get(lower) ?? [])]
}

let cachedClasses: Map<number, number[]> | undefined

/** All classes of two or more equal characters, built lazily in a few tens of milliseconds. */
function caseClasses(): Map<number, number[]> {
  if (cachedClasses !== undefined) return cachedClasses
  cachedClasses = new Map()
  for (let code = 0x41; code < 0x1f000; code++) {
    // These blocks have no case: CJK, Hangul, surrogates, private use.
    if (code === 0x3000) code = 0xa600
    else if (code === 0xac00) code = 0xfb00
    const char = String.fromCodePoint(code)
    if (char.toLowerCase() === char && char.toUpperCase() === char) continue
    const key = foldKey(code)
    const members = cachedClasses.get(key)
    if (members === undefined) cachedClasses.set(key, [code])
    else members.push(code)
  }
  return cachedClasses
}
