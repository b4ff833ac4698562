// A thread that searches texts of the index. Bundled as an entry of its own.
import { parentPort, workerData } from 'node:worker_threads'
import { createKernel } from './kernel/kernel.ts'
import type { QueryJob, QueryNews, QuerySetup } from './warm/query-threads/query-jobs.ts'
import { QueryThread } from './warm/query-threads/query-thread.ts'

const port = parentPort
if (port === null) throw new Error('query-worker runs in a worker thread only')

const tell = (news: QueryNews): void => port.postMessage(news)
const { memory, module, ...setup } = workerData as QuerySetup
const thread = new QueryThread(createKernel(memory, module), setup, () => tell('news'))

port.on('message', (job: QueryJob) => {
  thread.run(job)
  tell('left')
})
tell('left')
