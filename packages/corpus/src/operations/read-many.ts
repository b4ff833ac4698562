// read_many: several reads in one request, each with its own result or error.
import { ZeeError } from '@zee/core/errors'
import { argumentsOf, booleanArgument, listArgument, numberArgument } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import { requestTime } from './request-time.ts'
import type { Engine } from '../engine.ts'
import { metricsOf } from './metrics.ts'
import type { Metrics } from './metrics.ts'
import { pagingOf, offsetFrom, cutPage } from './paging.ts'
import type { Paging, RequestArgs } from './paging.ts'
import { rangeOf, readFile } from './read/read.ts'
import type { ReadArgs, ReadResult } from './read/read.ts'
import { atRevision } from './revision.ts'
import type { RevisionArgs } from './revision.ts'
import type { Steps } from '../steps.ts'
import { codePointLength } from '../text/text.ts'

export interface ReadManyArgs extends RevisionArgs, RequestArgs {
  reads: readonly ReadArgs[]
  hash?: boolean | undefined
  /** Maximum lines of all reads together. */
  max_total_lines?: number | undefined
}

export type ReadManyItem =
  | { ok: true; result: ReadResult }
  | { ok: false; error: { message: string } }

export interface ReadManyResult {
  /** In the order of the request. */
  results: ReadManyItem[]
  /** Reads are left out, or a part was cut. */
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
  const { maxChars = Infinity, maxAnswer = Infinity } = paging
  const left = new RemainingLimits(args)
  for (const read of reads.slice(from)) {
    if (chars > maxChars || chars > maxAnswer) break
    const item = yield* readOne(engine, read, { hash, left, maxAnswer: paging.maxAnswer })
    items.push(item)
    chars += JSON.stringify(item).length
  }
  const page = cutPage(items, paging)
  const next = from + page.items.length
  const cut = next < reads.length
  const done = page.items.flatMap((item) => (item.ok ? [item.result.metrics] : []))
  const sum = (pick: (metrics: ReadResult['metrics']) => number): number =>
    done.reduce((total, metrics) => total + pick(metrics), 0)
  return {
    results: page.items,
    truncated: cut || page.items.some((item) => item.ok && item.result.truncated),
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

/** What the limits of all reads together leave for the next one. */
class RemainingLimits {
  #lines: number
  #chars: number

  constructor(args: Arguments) {
    this.#lines = numberArgument(args, 'max_total_lines', Infinity)
    this.#chars = numberArgument(args, 'max_text_chars', Infinity)
  }

  limit(read: Arguments): Arguments {
    return {
      ...read,
      ...(this.#lines === Infinity ? {} : { max_lines: Math.min(linesOf(read), this.#lines) }),
      ...(this.#chars === Infinity ? {} : { max_chars: Math.min(charsOf(read), this.#chars) }),
    }
  }

  charge({ metrics, text }: ReadResult): void {
    this.#lines -= metrics.lines_returned
    this.#chars -= codePointLength(text)
  }
}

/** A range of characters or bytes has no default number of lines. */
function linesOf(read: Arguments): number {
  return numberArgument(read, 'max_lines', rangeOf(read) === undefined ? 400 : Infinity)
}

function charsOf(read: Arguments): number {
  return numberArgument(read, 'max_chars', Infinity)
}

interface ReadOptions extends Pick<Paging, 'maxAnswer'> {
  hash: boolean
  left: RemainingLimits
}

function* readOne(engine: Engine, read: unknown, options: ReadOptions): Steps<ReadManyItem> {
  const { hash, left, maxAnswer } = options
  try {
    const limits = { hash, max_answer: maxAnswer }
    const args = left.limit({ ...limits, ...argumentsOf(read) })
    const result = yield* atRevision(engine, args, (at) => readFile(at, args))
    left.charge(result)
    return { ok: true, result }
  } catch (error) {
    if (!(error instanceof ZeeError) || error.code === 'aborted') throw error
    return { ok: false, error: { message: error.message } }
  }
}
