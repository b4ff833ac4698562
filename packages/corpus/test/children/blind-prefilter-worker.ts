// A prefilter worker that rejects every file, which shows whether a search trusts it.
import { parentPort } from 'node:worker_threads'
import { emptyPrefiltered } from '../../src/search/prefilter/jobs.ts'
import type { PrefilterJob } from '../../src/search/prefilter/jobs.ts'

const port = parentPort
if (port === null) throw new Error('runs in a worker thread only')
port.on('message', ({ files }: PrefilterJob) =>
  port.postMessage({ ...emptyPrefiltered(), files }, []),
)
