// A query worker that ends as soon as it is asked for something.
import { parentPort } from 'node:worker_threads'

const port = parentPort
if (port === null) throw new Error('runs in a worker thread only')
const tell = (news: string): void => port.postMessage(news)
port.on('message', () => process.exit(1))
tell('left')
