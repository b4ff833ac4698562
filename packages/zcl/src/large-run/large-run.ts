// Tells whether a run is so large that a second thread saves time.
import { statSync } from 'node:fs'
import path from 'node:path'
import { artifactName, attemptsFolder } from '@zee/evidence/layout'
import { attemptNames } from '@zee/evidence/runs'

/** A thread starts in the time that one thread takes to read 8 MiB of traces. */
const minThreadBytes = 8 * 1024 * 1024

/** Whether the traces of a run or an attempt are worth a second thread. */
export function isLargeRun(folder: string): boolean {
  const attempts = attemptNames(folder).map((name) => path.join(attemptsFolder(folder), name))
  return [folder, ...attempts].reduce((sum, each) => sum + sizeOf(each), 0) >= minThreadBytes
}

function sizeOf(folder: string): number {
  return statSync(path.join(folder, artifactName.trace), { throwIfNoEntry: false })?.size ?? 0
}
