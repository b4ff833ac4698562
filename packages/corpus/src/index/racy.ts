// When times tell nothing: what is changed twice within one tick of the file system's clock has the same time
// both times, so a time that is too young when something is read does not show the next change.

/** Far above what the clocks of usual file systems tick in. */
const tickNs = 100_000_000n
/** Some count in whole seconds, or in two. */
const coarseTickNs = 2_500_000_000n
const secondNs = 1_000_000_000n

/** Whether what was last changed at this time may be changed now without another time to show for it. */
export function isRacy(changedNs: bigint, nowNs: bigint): boolean {
  const tick = changedNs % secondNs === 0n ? coarseTickNs : tickNs
  return nowNs - changedNs < tick
}
