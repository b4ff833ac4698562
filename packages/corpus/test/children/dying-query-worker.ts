// A query worker that exits on its first job.
import { parentPort } from 'node:worker_threads'

const port = parentPort
if (port === null) throw new Error('runs in a worker thread only')
const tell = (news: string): void => port.postMessage(news)
port.on('message', () => process.exit(1))
tell('idle')
