// Finds the common prefix and suffix of two lists of lines.

/** Number of equal lines at the start, and of the remaining lines at the end. */
export function commonEnds(
  old: readonly string[],
  next: readonly string[],
): { start: number; end: number } {
  let start = 0
  while (start < old.length && start < next.length && old[start] === next[start]) start++
  let end = 0
  while (
    end < old.length - start &&
    end < next.length - start &&
    old.at(-1 - end) === next.at(-1 - end)
  ) {
    end++
  }
  return { start, end }
}
