// What a folder that somebody named is: a run, an attempt, or neither. A damaged one is still
// recognised by its place and its name, so that the damage can be told.
import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'
import { isRunId } from '@zee/core/ids'
import { isFolder, isInside } from '../artifact/artifact.ts'
import {
  artifactName,
  attemptsFolderName,
  parseAttemptId,
  runFolderOfAttempt,
} from '../layout/layout.ts'

export type Target =
  | {
      kind: 'attempt'
      /** Real path of the attempt's folder. */
      folder: string
      /** The name by which it was reached; a link may give an attempt another one. */
      name: string
      /** Real path of the run, when the attempt lies in one; no artifact may leave it. */
      runFolder: string | undefined
      /** The place where it was named is in a run, and a link leads from there out of that run. */
      leavesRun: boolean
    }
  | { kind: 'run'; folder: string; name: string }
  | { kind: 'unknown' }

export function findTarget(given: string): Target {
  if (!isFolder(given)) return { kind: 'unknown' }
  const resolved = path.resolve(given)
  const folder = realpathSync.native(resolved)
  const name = path.basename(resolved)
  const holds = (file: string) => existsSync(path.join(folder, file))
  if (holds(artifactName.attempt)) return attempt(resolved, folder)
  if (holds(artifactName.run)) return { kind: 'run', folder, name }
  if (runFolderOfAttempt(resolved) !== undefined || parseAttemptId(name) !== undefined) {
    return attempt(resolved, folder)
  }
  if (isRunId(name) || isFolder(path.join(folder, attemptsFolderName))) {
    return { kind: 'run', folder, name }
  }
  const evidence = [artifactName.trace, artifactName.feedback, artifactName.report]
  return evidence.some(holds) ? attempt(resolved, folder) : { kind: 'unknown' }
}

function attempt(resolved: string, folder: string): Target {
  const named = runFolderOfAttempt(resolved)
  const leavesRun = named !== undefined && !isInside(realpathSync.native(named), folder)
  const runFolder = runFolderOfAttempt(folder)
  return { kind: 'attempt', folder, name: path.basename(resolved), runFolder, leavesRun }
}
