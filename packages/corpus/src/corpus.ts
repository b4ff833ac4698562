// A folder of text, or one large file, that can be listed, read and searched. Every operation takes the
// arguments as a client sent them and gives the result as the client gets it, or throws a ZeeError
// whose message is the client's. Long work lets the event loop turn every few milliseconds.
import { systemClock } from '@zee/core/clock'
import type { Clock } from '@zee/core/clock'
import { argumentsOf } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import { chunks } from './chunks.ts'
import type { ChunksResult } from './chunks.ts'
import type { Engine } from './engine.ts'
import { grep } from './grep/grep.ts'
import type { GrepResult } from './grep/grep.ts'
import { SiftUse } from './grep/sift/sifters.ts'
import type { SiftOptions } from './grep/sift/sifters.ts'
import { createIndexUse } from './index-use.ts'
import { listFiles } from './list.ts'
import type { ListResult } from './list.ts'
import type { Metrics } from './metrics.ts'
import { peek } from './peek.ts'
import type { PeekResult } from './peek.ts'
import { readMany } from './read-many.ts'
import type { ReadManyResult } from './read-many.ts'
import { readFile } from './read.ts'
import type { ReadResult } from './read.ts'
import { createRegexWorker } from './regex/worker-client.ts'
import { openCorpusRoot } from './root.ts'
import { diskSource } from './source.ts'
import { stat } from './stat.ts'
import type { StatResult } from './stat.ts'
import { runSteps, wait } from './steps.ts'
import type { Steps } from './steps.ts'
import { summary } from './summary.ts'
import type { SummaryResult } from './summary.ts'
import type { SymbolsResult } from './symbols/extract.ts'
import type { IndexOptions, IndexStats } from './warm/index-options.ts'

export interface CorpusOptions {
  /** The bundled `regex-worker`; without it patterns that may take long are refused. */
  workerPath?: string
  /** Threads that help with a long search of the disk; without, one does it alone. */
  sift?: SiftOptions
  /** What patterns may take per request where the client sets no `deadline_ms`. */
  regexMs?: number
  /** Absolute paths that are never listed or searched, such as the server's own log. */
  omit?: readonly string[]
  /**
   * Nothing else in this process needs its working folder while a request is at work; files are then
   * opened from within their folders, which costs less.
   */
  ownsProcess?: boolean
  clock?: Clock
  /** Searches are answered from an index as soon as there is one; otherwise always from the disk. */
  index?: IndexOptions
}

export interface RequestOptions {
  signal?: AbortSignal
  /** Hits may come as JSON, which is faster for those who want nothing else (see `GrepResult`). */
  writesHits?: boolean
}

export type Operation<Result> = (args?: unknown, options?: RequestOptions) => Promise<Result>

export interface Corpus {
  /** The folder, or the file when the corpus is one, without links. */
  readonly root: string
  list: Operation<ListResult>
  read: Operation<ReadResult>
  peek: Operation<PeekResult>
  grep: Operation<GrepResult>
  symbols: Operation<SymbolsResult>
  stat: Operation<StatResult>
  summary: Operation<SummaryResult>
  chunks: Operation<ChunksResult>
  readMany: Operation<ReadManyResult>
  /** Makes the index now and waits until it knows every file; undefined when there is to be none. */
  warm(): Promise<IndexStats | undefined>
  /** What the index holds; undefined when there is none. */
  indexStats(): IndexStats | undefined
  /** Ends the threads. */
  close(): Promise<void>
}

const REGEX_MS = 10_000

/** Opens a folder or a file. Throws a ZeeError with exit code 2 when there is no such thing. */
export function openCorpus(root: string, options: CorpusOptions = {}): Corpus {
  const clock = options.clock ?? systemClock
  const monotonicMs = (): number => clock.monotonicMs()
  const at = openCorpusRoot(root, options)
  const regexWorker = createRegexWorker(options.workerPath)
  const regexMs = options.regexMs ?? REGEX_MS
  const sift = options.sift === undefined ? undefined : new SiftUse(options.sift)
  const disk = diskSource(at, sift)
  const index = createIndexUse(at, clock, options.index)

  const operation =
    <Result>(steps: (engine: Engine, args: Arguments) => Steps<Result>): Operation<Result> =>
    async (args, { signal, writesHits = false } = {}) => {
      const began = monotonicMs()
      const own = { root: at, source: disk, began, monotonicMs }
      const engine = { ...own, regexWorker, regexMs, signal, writesHits }
      return await runSteps(steps(engine, argumentsOf(args)), { monotonicMs, signal })
    }
  /** For what goes through the tree, which an index knows. */
  const walking = <Result extends { metrics: Metrics }>(
    steps: (engine: Engine, args: Arguments) => Steps<Result>,
    use: 'walk' | 'search' = 'walk',
  ): Operation<Result> =>
    operation((engine, args) => index?.answer(steps, engine, args, use) ?? steps(engine, args))

  return {
    root: at.only === undefined ? at.folder.path : at.folder.prefix + at.only,
    list: walking(listFiles),
    read: operation(readFile),
    peek: operation(peek),
    grep: walking(grep, 'search'),
    symbols: operation(function* (engine, args) {
      // What is known of languages is a lot, and most clients never ask.
      const { extractSymbols } = yield* wait(import('./symbols/extract.ts'))
      return yield* extractSymbols(engine, args)
    }),
    stat: operation(stat),
    summary: walking(summary),
    chunks: walking(chunks),
    readMany: operation(readMany),
    warm: async () => index?.warm(),
    indexStats: () => index?.stats(),
    close: async () => {
      await Promise.all([regexWorker.close(), sift?.close(), index?.close()])
    },
  }
}
