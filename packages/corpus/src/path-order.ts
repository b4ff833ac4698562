// The order of paths: by code point over the whole path, `/` being an ordinary character. For well-formed
// text that is the order of its UTF-8 bytes. JavaScript's own order differs beyond U+FFFF.

const unusual = /[\ud800-\uffff]/

export function comparePaths(a: string, b: string): number {
  if (a === b) return 0
  if (!unusual.test(a) || !unusual.test(b)) return a < b ? -1 : 1
  return compareCodePoints(a, b)
}

/** Sorts names of one folder in place; most folders come sorted from the system. */
export function sortNames(names: string[]): string[] {
  let sorted = true
  let plain = true
  for (let at = 0; at < names.length; at++) {
    const name = names[at] as string
    if (at > 0 && sorted && (names[at - 1] as string) > name) sorted = false
    if (plain && unusual.test(name)) plain = false
  }
  if (!plain) return names.sort(compareCodePoints)
  return sorted ? names : names.sort(compareUnits)
}

function compareUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    if (a.charCodeAt(at) === b.charCodeAt(at)) continue
    return wholePoint(a, at) - wholePoint(b, at)
  }
  return a.length - b.length
}

/** The code point that the unit at this place belongs to. */
function wholePoint(text: string, at: number): number {
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00
  const afterHigh = at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
  return text.codePointAt(isLow && afterHigh ? at - 1 : at) as number
}
