// When times tell nothing: what is changed twice within one tick of the file system's clock has the same time
// both times, so a time that is too young when something is read does not show the next change.

/** Far above what the clocks of usual file systems tick in. */
const TICK_NS = 100_000_000n
/** Some count in whole seconds, or in two. */
const COARSE_TICK_NS = 2_500_000_000n
const SECOND_NS = 1_000_000_000n

/** Whether what was last changed at this time may be changed now without another time to show for it. */
export function isRacy(changedNs: bigint, nowNs: bigint): boolean {
  const tick = changedNs % SECOND_NS === 0n ? COARSE_TICK_NS : TICK_NS
  return nowNs - changedNs < tick
}
