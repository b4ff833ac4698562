// Finds the end of a `[...]` set in a glob.

/**
 * Offset of the `]` that closes the set opened at `at`. A `]` in first position is a member. The
 * caller computes `lastClose`, the offset of the last `]`, once, so that many unclosed `[` stay
 * cheap.
 */
export function setEnd(
  codes: readonly number[],
  at: number,
  lastClose: number,
): number | undefined {
  if (at >= lastClose) return undefined
  let from = at + 1
  if (codes[from] === 0x21) from++
  if (codes[from] === 0x5d) from++
  const end = codes.indexOf(0x5d, from)
  return end === -1 ? undefined : end
}
