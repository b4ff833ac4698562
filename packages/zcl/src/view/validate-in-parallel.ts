// Validates evidence for a page. Large evidence is validated in a worker thread while the page reads it,
// because both read every trace completely.
import { statSync } from 'node:fs'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { artifactName, attemptsFolder } from '@zee/evidence/layout'
import { attemptNames } from '@zee/evidence/runs'
import { validate, type Validation } from '@zee/evidence/validate'

/** Smaller evidence (below 8 MiB) is validated faster than a worker starts. */
const minWorkerBytes = 8 * 1024 * 1024

/** A separate bundle entry in the same folder as this chunk. */
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
  return [folder, ...attempts].reduce((sum, each) => sum + sizeOf(each), 0)
}

function sizeOf(folder: string): number {
  return statSync(path.join(folder, artifactName.trace), { throwIfNoEntry: false })?.size ?? 0
}
