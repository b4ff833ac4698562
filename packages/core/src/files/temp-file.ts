// Names of the private files that stand beside a target while it is written, and their removal
// when the writer died. The name tells who writes, so nobody has to open a file to judge it.
import { lstatSync, readdirSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { errnoOf } from '../errors/errors.ts'
import { currentProcess, isAlive, pidScopeOf } from '../identity/identity.ts'
import { fingerprint, randomHex } from '../ids/ids.ts'

/** What systems and file systems without hard links answer, or one where there are too many. */
const linkRefusals = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP', 'EMLINK', 'EXDEV'])

const maxStemBytes = 120
const foreignStaleMs = 60 * 60 * 1000
const tempName = /^([0-9a-f]{12})-(\d+)-(\d*)-[0-9a-f]{12}\.tmp$/

/** `.name.<suffix>` in the target's folder; a long name is shortened so that the result fits. */
export function siblingPath(target: string, suffix: string): string {
  return path.join(path.dirname(target), siblingPrefix(target) + suffix)
}

/** A fresh name for a private file that will become `target`; never ends in .json or .jsonl. */
export function tempPathFor(target: string): string {
  const { pid, started } = currentProcess()
  const scope = pidScopeOf(currentProcess())
  return siblingPath(target, `${scope}-${pid}-${started}-${randomHex(6)}.tmp`)
}

/** The names beside `target` that start like its siblings, without that start. */
export function siblingSuffixes(target: string, names = siblingNames(target)): string[] {
  const prefix = siblingPrefix(target)
  return names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
}

/** What the folder of `target` holds; nothing when it cannot be read. */
export function siblingNames(target: string): readonly string[] {
  try {
    return readdirSync(path.dirname(target))
  } catch {
    return []
  }
}

/**
 * Removes what dead writers left beside `target`. Writers of other machines and of earlier boots
 * cannot be asked; theirs go after an hour, by the time of the folder's own disk. `names` are those of the
 * folder, for whoever has just read them.
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

/** The private file cannot get the target's name by a hard link; another way may do. */
export function isLinkUnsupported(error: unknown): boolean {
  return linkRefusals.has(errnoOf(error) ?? '')
}

export function removeQuietly(file: string): void {
  try {
    unlinkSync(file)
  } catch {
    // Another sweeper was faster, or it is not ours to remove: both are fine.
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
