// A thread that reads files into the index, and helps with a snapshot.
import { closeSync } from 'node:fs'
import type { MessagePort } from 'node:worker_threads'
import type { ContainedRoot } from '@zee/core/contained-path'
import { openFileBelow, openFolderAt } from '@zee/core/contained-path-below'
import { createKernel } from '../../kernel/kernel.ts'
import { FileIndexer, unreadableRecord } from '../signatures/signatures.ts'
import type { FileRecord } from '../signatures/signatures.ts'
import { loadPiece, Looker } from '../snapshot/snapshot.ts'
import { emptyReply, writeRecord } from './jobs.ts'
import type { BuildJob, BuildReply, HelpJob, WorkerSetup } from './jobs.ts'

export function serveBuilder(port: MessagePort, setup: WorkerSetup): void {
  const { memory, module, root, contentLimit } = setup
  const kernel = createKernel(memory, module)
  let indexer: FileIndexer | undefined
  port.on('message', (job: BuildJob | HelpJob) => {
    if ('load' in job) port.postMessage({ done: loadPiece(kernel, job.load) }, [])
    else if ('look' in job) {
      const looker = new Looker(job.look)
      while (looker.lookOn());
      port.postMessage({ done: true }, [])
    } else {
      indexer ??= new FileIndexer(kernel, contentLimit, true)
      const reply = read(job, root, indexer)
      const { numbers, times } = reply
      port.postMessage(reply, [numbers.buffer as ArrayBuffer, times.buffer as ArrayBuffer])
    }
  })
}

function read(job: BuildJob, root: ContainedRoot, indexer: FileIndexer): BuildReply {
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
  return reply
}

function indexOpen(files: FileIndexer, fd: number, { nowNs, fills }: BuildJob): FileRecord {
  try {
    return files.index(fd, nowNs, { signs: !fills })
  } finally {
    closeSync(fd)
  }
}
