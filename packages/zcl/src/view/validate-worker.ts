// Validates a folder of evidence beside the thread that reads it for a page.
import { parentPort, workerData } from 'node:worker_threads'
import { validate } from '@zee/evidence/validate'

parentPort?.postMessage(validate('.', String(workerData), { strict: false }), [])
