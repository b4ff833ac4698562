// A thread that reads files into the index. Bundled as an entry of its own.
import { closeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { openFileBelow, openFolderAt } from './below.ts'
import { createKernel } from './kernel/kernel.ts'
import { emptyReply, writeRecord } from './warm/build-jobs.ts'
import type { BuildJob, BuildReply, FolderJob, WorkerSetup } from './warm/build-jobs.ts'
import { FileIndexer, unreadableRecord } from './warm/index-file.ts'
import type { FileRecord } from './warm/index-file.ts'

const port = parentPort
if (port === null) throw new Error('index-worker runs in a worker thread only')

const { memory, module, root, contentLimit } = workerData as WorkerSetup
const indexer = new FileIndexer(createKernel(memory, module), contentLimit)

port.on('message', (job: BuildJob) => {
  const reply = emptyReply(job)
  let index = 0
  for (const folder of job.folders) index = indexFolder(folder, job.nowNs, reply, index)
  port.postMessage(reply, [reply.numbers.buffer as ArrayBuffer, reply.times.buffer as ArrayBuffer])
})

function indexFolder(job: FolderJob, nowNs: bigint, reply: BuildReply, first: number): number {
  const folder = openFolderAt(root, job.path)
  let index = first
  for (const name of job.names) {
    const fd = folder === undefined ? -1 : openFileBelow(folder, name)
    writeRecord(reply, index++, fd === -1 ? unreadableRecord() : indexOpen(fd, nowNs))
  }
  if (folder !== undefined) closeSync(folder.fd)
  return index
}

function indexOpen(fd: number, nowNs: bigint): FileRecord {
  try {
    return indexer.index(fd, nowNs)
  } finally {
    closeSync(fd)
  }
}
