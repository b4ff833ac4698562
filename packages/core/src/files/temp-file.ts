// Names of the temporary files beside a target, and their removal when the writer died. The name
// identifies the writer, so that a sweep need not open the file.
import { lstatSync, readdirSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { errnoOf } from '../errors/errors.ts'
import { currentProcess, isAlive, pidScopeOf } from '../identity/identity.ts'
import { fingerprint, randomHex } from '../ids/ids.ts'

/** Errors of systems without hard links, or of a file with too many. */
const linkRefusals = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV'])

const maxStemBytes = 120
const foreignStaleMs = 60 * 60 * 1000
const tempName = /^([0-9a-f]{12})-(\d+)-(\d*)-[0-9a-f]{12}\.tmp$/

/** `.name.<suffix>` in the target's folder. A long name is hashed to respect the length limit. */
export function siblingPath(target: string, suffix: string): string {
  return path.join(path.dirname(target), siblingPrefix(target) + suffix)
}

/** A new name for a file that will become `target`. It never ends in .json or .jsonl. */
export function tempPathFor(target: string): string {
  const { pid, started } = currentProcess()
  const scope = pidScopeOf(currentProcess())
  return siblingPath(target, `${scope}-${pid}-${started}-${randomHex(6)}.tmp`)
}

/** Suffixes of the existing sibling files of `target`. */
export function siblingSuffixes(target: string, names = siblingNames(target)): string[] {
  const prefix = siblingPrefix(target)
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
}

/** Names in the folder of `target`; empty when it cannot be read. */
export function siblingNames(target: string): readonly string[] {
  try {
    return readdirSync(path.dirname(target))
  } catch {
    return []
  }
}

/**
 * Removes the temporary files of dead writers beside `target`. Files from another machine or boot are
 * removed after an hour, by the clock of the folder's disk. `names` is the folder's listing, if the
 * caller already has it.
 */
export function sweepDeadTemps(
  target: string,
  diskTimeMs: () => number,
  names?: readonly string[],
): void {
  for (const suffix of siblingSuffixes(target, names)) {
    const file = siblingPath(target, suffix)
    if (isDeadTemp(suffix, file, diskTimeMs)) removeQuietly(file)
  }
}

/** Whether the error says that a hard link is not possible here. */
export function isLinkUnsupported(error: unknown): boolean {
  return linkRefusals.has(errnoOf(error) ?? '')
}

export function removeQuietly(file: string): void {
  try {
    unlinkSync(file)
  } catch {
    // Another sweeper removed it, or we lack permission: both are fine.
  }
}

function siblingPrefix(target: string): string {
  const name = path.basename(target)
  if (Buffer.byteLength(name) <= maxStemBytes) return `.${name}.`
  return `.${fingerprint(name)}${fingerprint(`${name}~`)}.`
}

function isDeadTemp(suffix: string, file: string, diskTimeMs: () => number): boolean {
  const match = tempName.exec(suffix)
  if (match === null) return false
  const [, scope, pid, started] = match
  if (scope === pidScopeOf(currentProcess())) {
    return !isAlive({ pid: Number(pid), started: started ?? '' })
  }
  try {
    return diskTimeMs() - lstatSync(file).mtimeMs > foreignStaleMs
  } catch {
    return false
  }
}
