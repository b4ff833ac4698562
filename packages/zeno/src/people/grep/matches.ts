// Finds the matches in a hit for highlighting. The engine has found the line; a pattern that JavaScript
// reads differently is only not highlighted.

/** The ranges of the matches, in order. */
export type FindMatches = (line: string) => [from: number, to: number][]

/** Longer lines are not highlighted: a backtracking expression could take long. */
const maxLineLength = 2000
const maxMatches = 100

export function matchFinder(
  pattern: string,
  { regex, ignoreCase }: { regex: boolean; ignoreCase: boolean },
): FindMatches {
  const source = regex ? pattern : pattern.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
  let expression: RegExp
  try {
    expression = new RegExp(source, ignoreCase ? 'giu' : 'gu')
  } catch {
    return () => []
  }
  return (line) => {
    if (line.length > maxLineLength) return []
    const ranges: [number, number][] = []
    for (const match of line.matchAll(expression)) {
      if (match[0] !== '') ranges.push([match.index, match.index + match[0].length])
      if (ranges.length === maxMatches) break
    }
    return ranges
  }
}
