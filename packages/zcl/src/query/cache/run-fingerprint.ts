// Whether a run is still what it was when it was read, by the sizes and times of its files. Traces grow
// in place; everything else that zcl writes gets a new folder entry, so the time of the folder tells.
import { createHash } from 'node:crypto'
import { lstatSync } from 'node:fs'
import path from 'node:path'
import { artifactName, attemptsFolder, labArtifactName } from '@zee/evidence/layout'
import { attemptNames, runFolders } from '@zee/evidence/runs'

export interface RunFingerprint {
  runId: string
  folder: string
  fingerprint: string
  /** The latest time of any of its files, in milliseconds of the epoch. */
  changedMs: number
}

/** Of the run itself; what is edited in place is noticed as well. */
const runFiles = [
  '.',
  artifactName.run,
  artifactName.suite,
  labArtifactName.runPlan,
  labArtifactName.runSummary,
]
const attemptFiles = ['.', artifactName.trace]
/** Smaller runs are looked at more closely: these may have been edited by hand. */
const editedFiles = [
  artifactName.attempt,
  artifactName.feedback,
  artifactName.runnerMetrics,
  labArtifactName.outcome,
  artifactName.prompt,
]
const maxAttemptsForEditCheck = 500

/** Oldest first. */
export function fingerprintRuns(outRoot: string): RunFingerprint[] {
  return runFolders(outRoot)
    .map(({ path: folder }) => fingerprintRun(folder))
    .reverse()
}

export function fingerprintRun(folder: string): RunFingerprint {
  const hash = createHash('sha256')
  let changedMs = 0
  const take = (inner: string, name: string) => {
    const stats = lstatSync(path.join(inner, name), { throwIfNoEntry: false })
    if (stats === undefined) return
    const { size, mtimeMs, ctimeMs, ino } = stats
    // The size of a folder says nothing that its time does not.
    hash.update(`${name}\n${name === '.' ? 0 : size} ${mtimeMs} ${ctimeMs} ${ino}\n`)
    changedMs = Math.max(changedMs, mtimeMs, ctimeMs)
  }
  for (const name of runFiles) take(folder, name)
  const names = attemptNames(folder)
  const files =
    names.length <= maxAttemptsForEditCheck ? [...attemptFiles, ...editedFiles] : attemptFiles
  for (const name of names) {
    hash.update(`${name}\n`)
    for (const file of files) take(path.join(attemptsFolder(folder), name), file)
  }
  return {
    runId: path.basename(folder),
    folder,
    fingerprint: hash.digest('hex'),
    changedMs,
  }
}
