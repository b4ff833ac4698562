// The loop of an index worker: reads files into the index, and helps to restore a snapshot.
import { closeSync } from 'node:fs'
import type { MessagePort } from 'node:worker_threads'
import type { ContainedRoot } from '@zee/core/contained-path'
import { openFileBelow, openFolderAt } from '@zee/core/contained-path-below'
import { createKernel } from '../../kernel/kernel.ts'
import { FileIndexer, unreadableRecord } from '../signatures/signatures.ts'
import type { FileRecord } from '../signatures/signatures.ts'
import { loadSection, Verifier } from '../snapshot/snapshot.ts'
import { emptyReply, writeRecord } from './jobs.ts'
import type { BuildJob, BuildReply, SideJob, WorkerSetup } from './jobs.ts'

export function serveBuilder(port: MessagePort, setup: WorkerSetup): void {
  const { memory, module, root, contentLimit } = setup
  const kernel = createKernel(memory, module)
  let indexer: FileIndexer | undefined
  port.on('message', (job: BuildJob | SideJob) => {
    if ('load' in job) port.postMessage({ done: loadSection(kernel, job.load) }, [])
    else if ('verify' in job) {
      const verifier = new Verifier(job.verify)
      while (verifier.verifyNext());
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
