// The thread in which patterns run that may take long. It holds nothing that is worth keeping: the
// main thread ends it when a deadline passes and starts another.
import type { MessagePort } from 'node:worker_threads'
import { ZeeError } from '@zee/core/errors'
import { prepareSearch } from '../search.ts'
import type { RegexSearch } from '../search.ts'
import type { RegexJob, RegexReply, SearchJob } from './jobs.ts'

let last: { key: string; search: RegexSearch } | undefined

export function serveRegex(port: MessagePort): void {
  port.on('message', (job: RegexJob) => port.postMessage(answer(job)))
}

function answer(job: RegexJob): RegexReply {
  const began = performance.now()
  try {
    const search = searchFor(job)
    if (job.kind === 'test') {
      const found = job.texts.map((text) => search.test(text))
      return { kind: 'test', found, ms: performance.now() - began }
    }
    return { kind: 'search', found: searchAll(search, job), ms: performance.now() - began }
  } catch (error) {
    if (!(error instanceof ZeeError)) throw error
    return { kind: 'failed', code: error.code, message: error.message }
  }
}

/** Batches of one request come with equal programs; only the first one is made ready. */
function searchFor(job: RegexJob): RegexSearch {
  const key = JSON.stringify(job.program)
  if (last?.key !== key) last = { key, search: prepareSearch(job.program) }
  return last.search
}

function searchAll(search: RegexSearch, job: SearchJob): number[][] {
  const bytes = Buffer.from(job.bytes)
  const found: number[][] = []
  let left = job.limit
  for (let at = 0; at < job.spans.length && left > 0; at += 2) {
    const [offset, length] = [job.spans[at] as number, job.spans[at + 1] as number]
    const lines = search.lines(bytes.subarray(offset, offset + length), Math.min(left, job.perFile))
    left -= lines.length / 2
    found.push(lines)
  }
  return found
}
