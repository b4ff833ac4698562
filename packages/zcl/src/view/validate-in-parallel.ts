// Validates evidence for a page. Large evidence is validated in a worker thread while the page reads it,
// because both read every trace completely.
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { validate, type Validation } from '@zee/evidence/validate'
import { isLargeRun } from '../large-run/large-run.ts'

/** A separate bundle entry in the same folder as this chunk. */
const workerPath = path.join(__dirname, 'validate-worker.cjs')

export function validateInParallel(folder: string): Promise<Validation> {
  if (!isLargeRun(folder)) return Promise.resolve(validate('.', folder, { strict: false }))
  return new Promise((resolve, reject) => {
    const worker = new Worker(workerPath, { workerData: folder })
    worker.once('message', resolve)
    worker.once('error', reject)
  })
}
