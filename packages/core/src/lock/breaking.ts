// Removes the lock of a holder that is gone, so that of many breakers exactly one does it.
//
// The right to break is itself taken exclusively, under a name that carries the dead holder's key
// (`.name.<key>.<key>.break`). A key never comes back, so whoever is late finds another key in the
// lock and breaks nothing. A breaker that died passes its right on under its own key.
import { linkSync, renameSync } from 'node:fs'
import { errnoOf } from '../errors/errors.ts'
import { removeQuietly, siblingPath, siblingSuffixes, tempPathFor } from '../files/files.ts'
import { LockAttempt, readLock, type SeenLock } from './file.ts'

const claimName = /^([^.]+)\.[^.]+\.break$/

/** True when this call removed the lock that was seen; false when somebody else is at it. */
export function breakLock(attempt: LockAttempt, seen: SeenLock): boolean {
  const claims = claimRight(attempt, seen)
  const own = claims?.at(-1)
  if (claims === undefined || own === undefined) return false
  try {
    const broken = readLock(attempt.path)?.key === seen.key && moveAway(attempt.path, seen)
    // That key is gone for good, so every claim to it is void, also those of dead breakers.
    for (const claim of claims) removeQuietly(claim)
    return broken
  } finally {
    removeQuietly(own)
  }
}

/**
 * Removes claims whose lock is gone; to be called by the holder of the lock. `names` are those of its
 * folder.
 */
export function sweepVoidClaims(path: string, ownKey: string, names: readonly string[]): void {
  for (const suffix of siblingSuffixes(path, names)) {
    const key = claimName.exec(suffix)?.[1]
    if (key !== undefined && key !== ownKey) removeQuietly(siblingPath(path, suffix))
  }
}

/** The claims from the first breaker's down to ours; undefined when a live breaker is at work. */
function claimRight(attempt: LockAttempt, seen: SeenLock): string[] | undefined {
  const claims: string[] = []
  let heir = seen.key
  for (;;) {
    const claim = siblingPath(attempt.path, `${seen.key}.${heir}.break`)
    claims.push(claim)
    if (takeClaim(claim, attempt.path)) return claims
    const other = readLock(claim)
    if (other === undefined || !attempt.isAbandoned(other)) return undefined
    heir = other.key
  }
}

function takeClaim(path: string, lockPath: string): boolean {
  const claim = new LockAttempt(path, { beside: lockPath })
  try {
    return claim.take()
  } finally {
    claim.discard()
  }
}

/** Renames first and looks then: what was moved is known, whatever happened in between. */
function moveAway(path: string, seen: SeenLock): boolean {
  const aside = tempPathFor(path)
  try {
    renameSync(path, aside)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw error
  }
  const moved = readLock(aside)
  if (moved?.key !== seen.key) putBack(aside, path)
  removeQuietly(aside)
  return moved?.key === seen.key
}

/** Only a holder that was untouched for 30 s and came back can get here; it keeps its lock. */
function putBack(aside: string, path: string): void {
  try {
    linkSync(aside, path)
  } catch {
    // Somebody took the lock meanwhile; the one that was moved finds out by `isHeld`.
  }
}
