// Validation for a page: at the same time as the reading when there is much of it, for each reads every
// trace from its beginning to its end.
import { statSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { artifactName, attemptsFolder } from '@zee/evidence/layout'
import { attemptNames } from '@zee/evidence/runs'
import { validate, type Validation } from '@zee/evidence/validate'

/** Less than this is validated before a worker would have started. */
const minWorkerBytes = 8 * 1024 * 1024

/** An entry of the bundle, beside the chunk that this file ends up in. */
const workerPath = path.join(__dirname, 'validate-worker.cjs')

export function validateInParallel(folder: string): Promise<Validation> {
  if (traceBytes(folder) < minWorkerBytes) {
    return Promise.resolve(validate('.', folder, { strict: false }))
  }
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerPath, { workerData: folder })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}

function traceBytes(folder: string): number {
  const attempts = attemptNames(folder).map((name) => path.join(attemptsFolder(folder), name))
  return [folder, ...attempts].reduce((sum, place) => sum + sizeOf(place), 0)
}

function sizeOf(folder: string): number {
  return statSync(path.join(folder, artifactName.trace), { throwIfNoEntry: false })?.size ?? 0
}
