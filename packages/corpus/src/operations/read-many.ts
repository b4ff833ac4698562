// read_many: several reads in one request, each with its own result or error.
import { ZeeError } from '@zee/core/errors'
import { argumentsOf, booleanArgument, listArgument } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import { requestTime } from './request-time.ts'
import type { Engine } from '../engine.ts'
import { metricsOf } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { pagingOf, offsetFrom, cutPage } from './paging.ts'
import type { RequestArgs } from './paging.ts'
import { readFile } from './read/read.ts'
import type { ReadArgs, ReadResult } from './read/read.ts'
import type { Steps } from '../steps.ts'

export interface ReadManyArgs extends RequestArgs {
  reads: readonly ReadArgs[]
  hash?: boolean | undefined
}

export type ReadManyItem =
  | { ok: true; result: ReadResult }
  | { ok: false; error: { message: string } }

export interface ReadManyResult {
  /** In the order of the request. */
  results: ReadManyItem[]
  truncated: boolean
  next_cursor?: string
  metrics: Metrics & { lines_returned: number }
}

export function* readMany(engine: Engine, args: Arguments): Steps<ReadManyResult> {
  const time = requestTime(engine, args)
  const reads = listArgument(args, 'reads')
  const hash = booleanArgument(args, 'hash', false)
  const paging = pagingOf('read_many', args)
  const from = offsetFrom(paging.position)
  const items: ReadManyItem[] = []
  let chars = 0
  for (const read of reads.slice(from)) {
    if (paging.maxChars !== undefined && chars > paging.maxChars) break
    const item = yield* readOne(engine, read, hash)
    items.push(item)
    chars += JSON.stringify(item).length
  }
  const page = cutPage(items, paging.maxChars)
  const next = from + page.items.length
  const cut = next < reads.length
  const done = page.items.flatMap((item) => (item.ok ? [item.result.metrics] : []))
  const sum = (pick: (metrics: ReadResult['metrics']) => number): number =>
    done.reduce((total, metrics) => total + pick(metrics), 0)
  return {
    results: page.items,
    truncated: cut,
    ...(cut ? { next_cursor: paging.cursorAt(next) } : {}),
    metrics: {
      ...metricsOf(
        time,
        sum((one) => one.bytes_read),
        sum((one) => one.files_scanned),
      ),
      lines_returned: sum((one) => one.lines_returned),
    },
  }
}

function* readOne(engine: Engine, read: unknown, hash: boolean): Steps<ReadManyItem> {
  try {
    return { ok: true, result: yield* readFile(engine, { hash, ...argumentsOf(read) }) }
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code === 'aborted') throw error
    return { ok: false, error: { message: error.message } }
  }
}
