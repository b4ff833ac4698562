// Worker thread that validates a folder of evidence while the main thread reads it for a page.
import { parentPort, workerData } from 'node:worker_threads'
import { validate } from '@zee/evidence/validate'

parentPort?.postMessage(validate('.', String(workerData), { strict: false }), [])
