// Orders paths by code point, with `/` as an ordinary character. For well-formed text this is UTF-8
// byte order. JavaScript's string order differs for code points above U+FFFF.

const outOfOrder = /[\ud800-\uffff]/

export function comparePaths(a: string, b: string): number {
  if (a === b) return 0
  if (!outOfOrder.test(a) || !outOfOrder.test(b)) return a < b ? -1 : 1
  return compareCodePoints(a, b)
}

/** Whether UTF-16 order may differ from code point order for some name in a text. */
export function needsCodePointOrder(text: string): boolean {
  return outOfOrder.test(text)
}

/** Sorts the names of one folder in place. */
export function sortNames(names: string[]): string[] {
  return needsCodePointOrder(names.join('')) ? names.sort(compareCodePoints) : sortByUnits(names)
}

/**
 * Sorts names whose UTF-16 order is the code point order. Most folders come sorted from the system.
 */
export function sortByUnits(names: string[]): string[] {
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
    return codePointContaining(a, at) - codePointContaining(b, at)
  }
  return a.length - b.length
}

/** The code point that contains the UTF-16 unit at this index. */
function codePointContaining(text: string, at: number): number {
  const isLow = (text.charCodeAt(at) & 0xfc00) === 0xdc00
  const afterHigh = at > 0 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
  return text.codePointAt(isLow && afterHigh ? at - 1 : at) as number
}
