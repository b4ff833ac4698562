// The worker thread for patterns that may run long. It is stateless: the main thread terminates it
// when a deadline expires and starts another.
import type { MessagePort } from 'node:worker_threads'
import { ZeeError } from '@zee/core/errors'
import { prepareSearch } from '../search.ts'
import type { RegexSearch } from '../search.ts'
import type { RegexJob, RegexReply, SearchJob } from './jobs.ts'

let lastSearch: { key: string; search: RegexSearch } | undefined

export function serveRegex(port: MessagePort): void {
  port.on('message', (job: RegexJob) => port.postMessage(answer(job)))
}

function answer(job: RegexJob): RegexReply {
  const startedAt = performance.now()
  try {
    const search = searchFor(job)
    if (job.kind === 'test') {
      const found = job.texts.map((text) => search.test(text))
      return { kind: 'test', found, ms: performance.now() - startedAt }
    }
    return { kind: 'search', found: searchAll(search, job), ms: performance.now() - startedAt }
  } catch (error) {
    if (!(error instanceof ZeeError)) throw error
    return { kind: 'failed', code: error.code, message: error.message }
  }
}

/** All batches of a request have the same program, which is compiled once. */
function searchFor(job: RegexJob): RegexSearch {
  const key = JSON.stringify(job.program)
  if (lastSearch?.key !== key) lastSearch = { key, search: prepareSearch(job.program) }
  return lastSearch.search
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
