// A sift worker that finds nothing anywhere, which shows whether anybody believes it.
import { parentPort } from 'node:worker_threads'
import { emptySifted } from '../../src/grep/sift/jobs.ts'
import type { SiftJob } from '../../src/grep/sift/jobs.ts'

const port = parentPort
if (port === null) throw new Error('runs in a worker thread only')
port.on('message', ({ files }: SiftJob) => port.postMessage({ ...emptySifted(), files }, []))
