// Removes the lock of a holder that is gone, so that of many breakers exactly one does it.
//
// The right to break is itself taken exclusively, under a name that carries the dead holder's key
// (`.name.<key>.<key>.break`). A key never comes back, so whoever is late finds another key in the
// lock and breaks nothing. A breaker that died passes its right on under its own key.
import { linkSync, renameSync } from 'node:fs'
import { errnoOf } from '../errors/errors.ts'
import { removeQuietly, siblingPath, siblingSuffixes, tempPathFor } from '../files/files.ts'
import { LockAttempt, readLock, type LockSnapshot } from './file.ts'

const claimName = /^([^.]+)\.[^.]+\.break$/

/** True when this call removed the lock that was seen; false when somebody else is at it. */
export function breakLock(attempt: LockAttempt, snapshot: LockSnapshot): boolean {
  const claims = claimBreak(attempt, snapshot)
  const lastClaim = claims?.at(-1)
  if (claims === undefined || lastClaim === undefined) return false
  try {
    const broken =
      readLock(attempt.path)?.key === snapshot.key && removeByRename(attempt.path, snapshot)
    // That key is gone for good, so every claim to it is void, also those of dead breakers.
    for (const claim of claims) removeQuietly(claim)
    return broken
  } finally {
    removeQuietly(lastClaim)
  }
}

/**
 * Removes claims whose lock is gone; to be called by the holder of the lock. `names` are those of its
 * folder.
 */
export function sweepStaleClaims(path: string, ownKey: string, names: readonly string[]): void {
  for (const suffix of siblingSuffixes(path, names)) {
    const key = claimName.exec(suffix)?.[1]
    if (key !== undefined && key !== ownKey) removeQuietly(siblingPath(path, suffix))
  }
}

/** The claims from the first breaker's down to ours; undefined when a live breaker is at work. */
function claimBreak(attempt: LockAttempt, snapshot: LockSnapshot): string[] | undefined {
  const claims: string[] = []
  let claimant = snapshot.key
  for (;;) {
    const claim = siblingPath(attempt.path, `${snapshot.key}.${claimant}.break`)
    claims.push(claim)
    if (tryClaim(claim, attempt.path)) return claims
    const other = readLock(claim)
    if (other === undefined || !attempt.isAbandoned(other)) return undefined
    claimant = other.key
  }
}

function tryClaim(path: string, lockPath: string): boolean {
  const claim = new LockAttempt(path, { beside: lockPath })
  try {
    return claim.tryAcquire()
  } finally {
    claim.discard()
  }
}

/** Renames first and looks then: what was moved is known, whatever happened in between. */
function removeByRename(path: string, snapshot: LockSnapshot): boolean {
  const tempPath = tempPathFor(path)
  try {
    renameSync(path, tempPath)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw error
  }
  const moved = readLock(tempPath)
  if (moved?.key !== snapshot.key) restore(tempPath, path)
  removeQuietly(tempPath)
  return moved?.key === snapshot.key
}

/** Only a holder that was untouched for 30 s and came back can get here; it keeps its lock. */
function restore(tempPath: string, path: string): void {
  try {
    linkSync(tempPath, path)
  } catch {
    // Somebody took the lock meanwhile; the one that was moved finds out by `isHeld`.
  }
}
