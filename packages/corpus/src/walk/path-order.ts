// The order of paths: by code point over the whole path, `/` being an ordinary character. For well-formed
// text that is the order of its UTF-8 bytes. JavaScript's own order differs beyond U+FFFF.

const unusual = /[\ud800-\uffff]/

export function comparePaths(a: string, b: string): number {
  if (a === b) return 0
  if (!unusual.test(a) || !unusual.test(b)) return a < b ? -1 : 1
  return compareCodePoints(a, b)
}

/** Whether any of the names has to be compared by code points. */
export function hasUnusual(names: readonly string[]): boolean {
  return unusual.test(names.join(''))
}

/** Sorts names of one folder in place. */
export function sortNames(names: string[]): string[] {
  return hasUnusual(names) ? names.sort(compareCodePoints) : sortUsual(names)
}

/** The same for names none of which is unusual; most folders come sorted from the system. */
export function sortUsual(names: string[]): string[] {
  for (let at = 1; at < names.length; at++) {
    if ((names[at - 1] as string) > (names[at] as string)) return names.sort(compareUnits)
  }
  return names
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
