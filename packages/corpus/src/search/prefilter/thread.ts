// A prefilter thread: reads files ahead of a search and reports which of them may contain the needle.
import type { MessagePort } from 'node:worker_threads'
import { FileBatch } from '../file-batch.ts'
import { prefilterJob } from './filter-files.ts'
import type { PrefilterJob, PrefilterSetup } from './jobs.ts'

export function servePrefilter(
  port: MessagePort,
  { root, needle, maxBytes }: PrefilterSetup,
): void {
  const batch = new FileBatch(maxBytes)
  batch.setNeedle(needle)
  port.on('message', (job: PrefilterJob) => port.postMessage(prefilterJob(job, root, batch), []))
}
