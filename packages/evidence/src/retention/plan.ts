// Decides which runs to delete, by age and size. Pure.
import { usageError } from '@zee/core/errors'

export interface StoredRun {
  runId: string
  createdAt: string
  /** Milliseconds since the epoch. */
  createdMs: number
  pinned: boolean
  /** Its age is unknown, so it is kept like a pinned run. */
  unreadable?: boolean
  bytes: number
}

export interface RetentionLimits {
  /** Delete runs strictly older than this. */
  olderThanMs?: number
  /** Then delete the oldest runs until the rest fits. */
  maxBytes?: number
}

export interface RetentionPlan<Run extends StoredRun> {
  deleted: Run[]
  kept: Run[]
  totalBeforeBytes: number
  totalAfterBytes: number
}

export const defaultAgeMs = 30 * 24 * 60 * 60 * 1000

/** Keeps pinned runs but counts their size. Both lists are sorted by age, oldest first. */
export function planRetention<Run extends StoredRun>(
  runs: readonly Run[],
  limits: RetentionLimits,
  nowMs: number,
): RetentionPlan<Run> {
  const oldestFirst = [...runs].sort(byAge)
  const totalBeforeBytes = oldestFirst.reduce((sum, run) => sum + run.bytes, 0)
  let totalAfterBytes = totalBeforeBytes
  const deleted = new Set<Run>()
  const remove = (run: Run) => {
    deleted.add(run)
    totalAfterBytes -= run.bytes
  }
  const { olderThanMs, maxBytes } = limits
  for (const run of oldestFirst) {
    if (olderThanMs === undefined || isProtected(run)) continue
    if (nowMs - run.createdMs > olderThanMs) remove(run)
  }
  for (const run of oldestFirst) {
    if (maxBytes === undefined || totalAfterBytes <= maxBytes) break
    if (!isProtected(run) && !deleted.has(run)) remove(run)
  }
  return {
    deleted: oldestFirst.filter((run) => deleted.has(run)),
    kept: oldestFirst.filter((run) => !deleted.has(run)),
    totalBeforeBytes,
    totalAfterBytes,
  }
}

function isProtected(run: StoredRun): boolean {
  return run.pinned || run.unreadable === true
}

const ageUnits: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
}

/** `14d`, `36h`: a whole number and a unit, in milliseconds. */
export function parseAge(text: string): number {
  const found = /^(\d{1,12})([smhdw])$/i.exec(text)
  const unit = ageUnits[found?.[2]?.toLowerCase() ?? '']
  if (found === null || unit === undefined) {
    throw usageError(`'${text}' is not an age such as 36h, 14d or 2w`)
  }
  return Number(found[1]) * unit
}

const sizeUnits: Readonly<Record<string, number>> = {
  '': 1,
  b: 1,
  kb: 1024,
  mb: 1024 ** 2,
  gb: 1024 ** 3,
  tb: 1024 ** 4,
}

/** `500mb`, `10GB`, `4096`: a whole number and a unit based on 1024, in bytes. */
export function parseSize(text: string): number {
  const found = /^(\d{1,15})(b|kb|mb|gb|tb)?$/i.exec(text)
  const unit = sizeUnits[found?.[2]?.toLowerCase() ?? '']
  if (found === null || unit === undefined) {
    throw usageError(`'${text}' is not a size such as 500mb or 10gb`)
  }
  return Number(found[1]) * unit
}

function byAge(a: StoredRun, b: StoredRun): number {
  return a.createdMs - b.createdMs || (a.runId < b.runId ? -1 : 1)
}
