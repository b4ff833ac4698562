// A thread that reads files into the index. Bundled as an entry of its own.
import { closeSync } from 'node:fs'
import { parentPort, workerData } from 'node:worker_threads'
import { openFileBelow, openFolderAt } from '@zee/core/contained-path-below'
import { createKernel } from './kernel/kernel.ts'
import { emptyReply, writeRecord } from './warm/build-jobs.ts'
import type { BuildJob, HelpJob, WorkerSetup } from './warm/build-jobs.ts'
import { FileIndexer, unreadableRecord } from './warm/index-file.ts'
import type { FileRecord } from './warm/index-file.ts'
import { loadPiece } from './warm/snapshot/load-piece.ts'
import { Looker } from './warm/snapshot/look.ts'

const port = parentPort
if (port === null) throw new Error('index-worker runs in a worker thread only')

const { memory, module, root, contentLimit } = workerData as WorkerSetup
const kernel = createKernel(memory, module)
let indexer: FileIndexer | undefined

port.on('message', (job: BuildJob | HelpJob) => {
  if ('load' in job) port.postMessage({ done: loadPiece(kernel, job.load) }, [])
  else if ('look' in job) {
    const looker = new Looker(job.look)
    while (looker.lookOn());
    port.postMessage({ done: true }, [])
  } else read(job)
})

function read(job: BuildJob): void {
  indexer ??= new FileIndexer(kernel, contentLimit, true)
  const reply = emptyReply(job)
  let index = 0
  for (const { path, names } of job.folders) {
    const folder = openFolderAt(root, path)
    for (const name of names) {
      const fd = folder === undefined ? -1 : openFileBelow(folder, name)
      const record = fd === -1 ? unreadableRecord() : indexOpen(indexer, fd, job)
      writeRecord(reply, index++, record)
    }
    if (folder !== undefined) closeSync(folder.fd)
  }
  indexer.flush()
  port?.postMessage(reply, [reply.numbers.buffer as ArrayBuffer, reply.times.buffer as ArrayBuffer])
}

function indexOpen(files: FileIndexer, fd: number, { nowNs, fills }: BuildJob): FileRecord {
  try {
    return files.index(fd, nowNs, { signs: !fills })
  } finally {
    closeSync(fd)
  }
}
