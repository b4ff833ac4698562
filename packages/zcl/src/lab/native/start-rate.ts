// Limits how often native runners start: attempts of a run are processes of their own, so the time of the
// latest start is in a file of the run's scratch folder, under a lock.
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '@zee/core/clock'
import { ensureFolder } from '@zee/core/folders'
import { withLock } from '@zee/core/lock'

/** Waits until `intervalMs` have passed since the latest start in `folder`, and notes this start. */
export async function waitForStart(
  folder: string,
  intervalMs: number,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<void> {
  if (intervalMs <= 0) return
  ensureFolder(folder)
  const file = path.join(folder, 'native-start')
  const nextStart = await withLock(`${file}.lock`, { signal }, () => {
    const now = clock.now().getTime()
    const latest = Math.min(latestStart(file), now + maxQueuedMs)
    const next = Math.max(now, latest + intervalMs)
    writeFileSync(file, String(next))
    return next
  })
  await sleep(Math.max(0, nextStart - clock.now().getTime()), undefined, { signal })
}

/** A damaged file, or a clock that was set back, delays starts by a day at most. */
const maxQueuedMs = 24 * 60 * 60 * 1000

function latestStart(file: string): number {
  try {
    const time = Number(readFileSync(file, 'utf8'))
    return Number.isFinite(time) ? time : 0
  } catch {
    return 0
  }
}
