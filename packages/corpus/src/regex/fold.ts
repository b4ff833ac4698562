// Which characters are equal when case does not matter: those with the same lower case of their
// upper case, one character each, as Python compares them (so `i` also equals dotless and dotted I).

import type { Fold } from './ast.ts'

/** All characters equal to this one, itself included. */
export function caseVariants(code: number, fold: Fold): readonly number[] {
  if (fold === 'none' || (fold === 'ascii' && code > 0x7f)) return [code]
  if (fold === 'ascii') return asciiVariants(code).filter((one) => one < 0x80)
  if (code < 0x80) return asciiVariants(code)
  return classes().get(foldKey(code)) ?? [code]
}

/** The members of a range and everything equal to one of them, as ranges. */
export function foldRange(low: number, high: number, fold: Fold): [number, number][] {
  const found: [number, number][] = [[low, high]]
  if (fold === 'none') return found
  if (high < 0x80 || fold === 'ascii') {
    for (let code = low; code <= Math.min(high, 0x7f); code++) {
      for (const other of caseVariants(code, fold)) if (other !== code) found.push([other, other])
    }
    return found
  }
  for (const members of classes().values()) {
    if (!members.some((code) => low <= code && code <= high)) continue
    for (const code of members) if (code < low || code > high) found.push([code, code])
  }
  return found
}

/** Whether two characters are equal. */
export function sameFolded(a: number, b: number, fold: Fold): boolean {
  if (a === b) return true
  if (fold === 'none' || (fold === 'ascii' && (a > 0x7f || b > 0x7f))) return false
  return foldKey(a) === foldKey(b)
}

/** One number per set of equal characters. */
function foldKey(code: number): number {
  if (code < 0x80) return code >= 0x41 && code <= 0x5a ? code + 32 : code
  if (code === 0x130) return 0x69
  return oneChar(
    code,
    (char) => char.toUpperCase(),
    (upper) =>
      oneChar(
        upper,
        (char) => char.toLowerCase(),
        (lower) => lower,
      ),
  )
}

/** A case mapping that gives one character, or the character unchanged. */
function oneChar(
  code: number,
  map: (char: string) => string,
  then: (code: number) => number,
): number {
  const mapped = map(String.fromCodePoint(code))
  const first = mapped.codePointAt(0) as number
  return then(mapped.length === (first > 0xffff ? 2 : 1) ? first : code)
}

const beyondAscii: ReadonlyMap<number, readonly number[]> = new Map([
  [0x69, [0x130, 0x131]],
  [0x6b, [0x212a]],
  [0x73, [0x17f]],
])

function asciiVariants(code: number): readonly number[] {
  const lower = foldKey(code)
  if (lower < 0x61 || lower > 0x7a) return [code]
  return [lower - 32, lower, ...(beyondAscii.get(lower) ?? [])]
}

let known: Map<number, number[]> | undefined

/** Every set of two or more equal characters; made on first use, in a few hundredths of a second. */
function classes(): Map<number, number[]> {
  if (known !== undefined) return known
  known = new Map()
  for (let code = 0x41; code < 0x1f000; code++) {
    // Nothing between these has case: CJK, Hangul, surrogates, private use.
    if (code === 0x3000) code = 0xa600
    else if (code === 0xac00) code = 0xfb00
    const char = String.fromCodePoint(code)
    if (char.toLowerCase() === char && char.toUpperCase() === char) continue
    const key = foldKey(code)
    const members = known.get(key)
    if (members === undefined) known.set(key, [code])
    else members.push(code)
  }
  return known
}
