// Where a `[...]` set of a glob ends.

/**
 * Offset of the `]` that closes the set begun at `at`; one right at its beginning is a member.
 * `lastClose` is the last `]` of all: asked for once, so that many unclosed `[` stay cheap.
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
