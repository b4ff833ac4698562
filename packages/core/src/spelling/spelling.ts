// The name someone probably meant.

const farthest = 2

/** The known name within two slips of the pen; undefined when none is that close. */
export function closestName(word: string, known: readonly string[]): string | undefined {
  let best: string | undefined
  let fewest = Math.min(farthest, Math.floor(word.length / 2)) + 1
  for (const name of known) {
    if (Math.abs(name.length - word.length) >= fewest) continue
    const slips = slipsBetween(word, name)
    if (slips < fewest) {
      fewest = slips
      best = name
    }
  }
  return best
}

/** Letters to add, drop or change; two that changed places count once. */
export function slipsBetween(from: string, to: string): number {
  let before: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_none, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      let least = Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (swapped) least = Math.min(least, (before[j - 2] ?? 0) + 1)
      next.push(least)
    }
    before = row
    row = next
  }
  return row[to.length] ?? 0
}
