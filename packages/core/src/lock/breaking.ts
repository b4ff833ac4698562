// Removes the lock of a dead holder, so that exactly one of many breakers succeeds.
//
// A breaker first claims the right exclusively, with a file named after the dead holder's key
// (`.name.<key>.<key>.break`). Keys are never reused, so a late breaker finds another key in the lock
// and breaks nothing. If a breaker died, the next one claims under that breaker's key.
import { linkSync, renameSync } from 'node:fs'
import { errnoOf } from '../errors/errors.ts'
import { removeQuietly, siblingPath, siblingSuffixes, tempPathFor } from '../files/files.ts'
import { LockAttempt, readLock, type LockSnapshot } from './file.ts'

const claimName = /^([^.]+)\.[^.]+\.break$/

/** Removes the lock if it is still that of `snapshot`; returns whether this call removed it. */
export function breakLock(attempt: LockAttempt, snapshot: LockSnapshot): boolean {
  const claims = claimBreak(attempt, snapshot)
  const lastClaim = claims?.at(-1)
  if (claims === undefined || lastClaim === undefined) return false
  try {
    const broken =
      isUnchanged(readLock(attempt.path), snapshot) && removeByRename(attempt.path, snapshot)
    // The key is never reused, so every claim to it is stale, also those of dead breakers.
    for (const claim of claims) removeQuietly(claim)
    return broken
  } finally {
    removeQuietly(lastClaim)
  }
}

/**
 * Removes claims to earlier locks. Only the lock holder may call it. `names` is the folder's listing.
 */
export function sweepStaleClaims(path: string, ownKey: string, names: readonly string[]): void {
  for (const suffix of siblingSuffixes(path, names)) {
    const key = claimName.exec(suffix)?.[1]
    if (key !== undefined && key !== ownKey) removeQuietly(siblingPath(path, suffix))
  }
}

/** The chain of claims, ours last; undefined when a live breaker holds one. */
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

/** Renames first and checks the moved file, so that no other process can change it in between. */
function removeByRename(path: string, snapshot: LockSnapshot): boolean {
  const tempPath = tempPathFor(path)
  try {
    renameSync(path, tempPath)
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return false
    throw error
  }
  const isBroken = isUnchanged(readLock(tempPath), snapshot)
  if (!isBroken) restore(tempPath, path)
  removeQuietly(tempPath)
  return isBroken
}

/** A holder that touched its lock since the snapshot is alive. */
function isUnchanged(found: LockSnapshot | undefined, { key, touchedMs }: LockSnapshot): boolean {
  return found?.key === key && found.touchedMs === touchedMs
}

/** Reached only when a holder that was suspended for 30 s resumed; it keeps its lock. */
function restore(tempPath: string, path: string): void {
  try {
    linkSync(tempPath, path)
  } catch {
    // Another process acquired the lock; the old holder learns that from `isHeld`.
  }
}
