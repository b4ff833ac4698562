// Decides whether a folder is a run, an attempt or neither. A damaged run or attempt is recognised
// by its path and name, so that the validator can report the damage.
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
      /** Last part of the given path; differs from the folder's name if the path is a link. */
      name: string
      /** Real path of the run, if the attempt is in one. */
      runFolder: string | undefined
      /** Whether the given path is a link in a run that leads out of that run. */
      leavesRun: boolean
    }
  | { kind: 'run'; folder: string; name: string }
  | { kind: 'unknown' }

/** The kind of the folder, with its real path. */
export function findTarget(folderPath: string): Target {
  if (!isFolder(folderPath)) return { kind: 'unknown' }
  const resolved = path.resolve(folderPath)
  const folder = realpathSync.native(resolved)
  const name = path.basename(resolved)
  const contains = (file: string) => existsSync(path.join(folder, file))
  if (contains(artifactName.attempt)) return attempt(resolved, folder)
  if (contains(artifactName.run)) return { kind: 'run', folder, name }
  if (runFolderOfAttempt(resolved) !== undefined || parseAttemptId(name) !== undefined) {
    return attempt(resolved, folder)
  }
  if (isRunId(name) || isFolder(path.join(folder, attemptsFolderName))) {
    return { kind: 'run', folder, name }
  }
  const evidence = [artifactName.trace, artifactName.feedback, artifactName.report]
  return evidence.some(contains) ? attempt(resolved, folder) : { kind: 'unknown' }
}

function attempt(resolved: string, folder: string): Target {
  const named = runFolderOfAttempt(resolved)
  const leavesRun = named !== undefined && !isInside(realpathSync.native(named), folder)
  const runFolder = runFolderOfAttempt(folder)
  return { kind: 'attempt', folder, name: path.basename(resolved), runFolder, leavesRun }
}
