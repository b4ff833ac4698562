// Fingerprints a run by the sizes and times of its files, to detect changes without reading them.
// Traces grow in place; every other write of zcl replaces a file, which changes the folder's mtime.
import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { artifactName, attemptsFolder, labArtifactName } from '@zee/evidence/layout'
import { attemptNames, runFolders } from '@zee/evidence/runs'

export interface RunFingerprint {
  runId: string
  folder: string
  fingerprint: string
  /** The latest time of any of its files, in epoch milliseconds. */
  changedMs: number
}

/** Files of the run itself; listed so that edits in place are detected too. */
const runFiles = [
  '.',
  artifactName.run,
  artifactName.suite,
  labArtifactName.runPlan,
  labArtifactName.runSummary,
]
const attemptFiles = ['.', artifactName.trace]
/** Files that may be edited in place by hand; checked in runs of up to 500 attempts. */
const editedFiles = [
  artifactName.attempt,
  artifactName.feedback,
  artifactName.runnerMetrics,
  labArtifactName.outcome,
  artifactName.prompt,
]
const maxAttemptsForEditCheck = 500

/** The fingerprints of all runs, oldest first. */
export function fingerprintRuns(outRoot: string): RunFingerprint[] {
  return runFolders(outRoot)
    .map(({ path: folder }) => fingerprintRun(folder))
    .reverse()
}

export function fingerprintRun(folder: string): RunFingerprint {
  const hash = createHash('sha256')
  let changedMs = 0
  const addFile = (inner: string, name: string) => {
    const stats = lstatSync(path.join(inner, name), { throwIfNoEntry: false })
    if (stats === undefined) return
    const { size, mtimeMs, ctimeMs, ino } = stats
    // A folder's size adds nothing to its mtime.
    hash.update(`${name}\n${name === '.' ? 0 : size} ${mtimeMs} ${ctimeMs} ${ino}\n`)
    changedMs = Math.max(changedMs, mtimeMs, ctimeMs)
  }
  for (const name of runFiles) addFile(folder, name)
  const names = attemptNames(folder)
  const files =
    names.length <= maxAttemptsForEditCheck ? [...attemptFiles, ...editedFiles] : attemptFiles
  for (const name of names) {
    hash.update(`${name}\n`)
    for (const file of files) addFile(path.join(attemptsFolder(folder), name), file)
  }
  return {
    runId: path.basename(folder),
    folder,
    fingerprint: hash.digest('hex'),
    changedMs,
  }
}
