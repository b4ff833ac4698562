// A prefilter worker that exits on its first job.
import { parentPort } from 'node:worker_threads'

const port = parentPort
if (port === null) throw new Error('runs in a worker thread only')
port.on('message', () => process.exit(1))
