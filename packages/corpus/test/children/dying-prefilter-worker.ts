// A sift worker that ends as soon as it is asked for something.
import { parentPort } from 'node:worker_threads'

const port = parentPort
if (port === null) throw new Error('runs in a worker thread only')
port.on('message', () => process.exit(1))
