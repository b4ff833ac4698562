// Ranks a symbol for a query whose characters it must contain in order, in any case.

/** 0 if the symbol does not contain the query; higher for matches at starts of words and in one piece. */
export function fuzzyScore(symbol: string, query: string): number {
  const [text, wanted] = [symbol.toLowerCase(), query.toLowerCase()]
  if (text === wanted) return 1000
  if (text.startsWith(wanted)) return 900 - Math.min(99, text.length - wanted.length)
  const inside = text.indexOf(wanted)
  if (inside !== -1)
    return 700 + (isWordStart(symbol, inside) ? 100 : 0) - Math.min(99, text.length)
  let [at, starts] = [0, 0]
  for (const char of wanted) {
    const found = nextOf(symbol, text, char, at)
    if (found === -1) return 0
    if (isWordStart(symbol, found)) starts++
    at = found + 1
  }
  return 1 + Math.floor((500 * starts) / wanted.length) + Math.max(0, 99 - text.length)
}

/** Prefers the start of a word to an earlier place inside one, if the rest still follows. */
function nextOf(symbol: string, text: string, char: string, from: number): number {
  const first = text.indexOf(char, from)
  for (let at = first; at !== -1; at = text.indexOf(char, at + 1)) {
    if (isWordStart(symbol, at)) return at - first > 24 ? first : at
  }
  return first
}

function isWordStart(symbol: string, at: number): boolean {
  if (at === 0) return true
  const [before, here] = [symbol[at - 1] as string, symbol[at] as string]
  return /[_.:$-]/.test(before) || (/[A-Z]/.test(here) && !/[A-Z]/.test(before))
}
