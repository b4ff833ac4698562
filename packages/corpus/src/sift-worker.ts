// A thread that sifts files for a search. Bundled as an entry of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { FileBatch } from './grep/file-batch.ts'
import type { SiftJob, SiftSetup } from './grep/sift/jobs.ts'
import { siftJob } from './grep/sift/sift.ts'

const port = parentPort
if (port === null) throw new Error('sift-worker runs in a worker thread only')

const setup = workerData as SiftSetup
const batch = new FileBatch(setup.maxBytes)
batch.lookFor(setup.needle)

port.on('message', (job: SiftJob) => port.postMessage(siftJob(job, setup.root, batch), []))
