// Suggestions for misspelled names.

const maxEdits = 2

/** The closest of `names` within two edits of `word`; undefined when none is that close. */
export function closestName(word: string, names: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Math.min(maxEdits, Math.floor(word.length / 2)) + 1
  for (const name of names) {
    if (Math.abs(name.length - word.length) >= bestDistance) continue
    const distance = editDistance(word, name)
    if (distance < bestDistance) {
      bestDistance = distance
      best = name
    }
  }
  return best
}

/** The most similar of `names`, however different; undefined only for an empty list. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  let best: string | undefined
  let bestDistance = Infinity
  for (const name of names) {
    const distance = editDistance(word, name)
    if (distance < bestDistance) {
      bestDistance = distance
      best = name
    }
  }
  return best
}

/** Optimal string alignment distance: insertions, deletions, substitutions and adjacent swaps. */
export function editDistance(from: string, to: string): number {
  let previous: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_none, index) => index)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const change = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      let cost = Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (swapped) cost = Math.min(cost, (previous[j - 2] ?? 0) + 1)
      next.push(cost)
    }
    previous = row
    row = next
  }
  return row[to.length] ?? 0
}
