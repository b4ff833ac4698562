// Detects racy times: two changes within one tick of the file system's clock leave the same ctime. If a file was
// changed within the last tick before it was read, its ctime cannot reveal the next change.

/** Far above the clock tick of common file systems (1 to 10 ms). */
const tickNs = 100_000_000n
/** Some file systems store times in steps of one second, FAT in steps of two. */
const coarseTickNs = 2_500_000_000n
const secondNs = 1_000_000_000n

/** Whether a change now could leave the same ctime. */
export function isRacy(changedNs: bigint, nowNs: bigint): boolean {
  const tick = changedNs % secondNs === 0n ? coarseTickNs : tickNs
  return nowNs - changedNs < tick
}
