// A folder of text, or one large file, that can be listed, read and searched. Every operation takes the
// arguments as a client sent them and gives the result as the client gets it, or throws a ZeeError
// whose message is the client's. Long work lets the event loop turn every few milliseconds.
import { systemClock } from '@zee/core/clock'
import type { Clock } from '@zee/core/clock'
import { createLazyIndex } from './index/index.ts'
import type { IndexOptions, IndexStats } from './index/index.ts'
import { createOperations } from './operations/operations.ts'
import type { Operations, OperationRunner } from './operations/operations.ts'
import { createRegexWorker } from './regex/regex.ts'
import { openCorpusRoot } from './root/root.ts'
import { PrefilterUse } from './search/search.ts'
import type { SiftOptions } from './search/search.ts'
import { diskSource } from './source.ts'
import { runSteps } from './steps.ts'
import { bundledWorker } from './workers/workers.ts'
import type { WorkerName } from './workers/workers.ts'

export { isSnapshotName, snapshotFacts, snapshotName } from './index/index.ts'
export type { IndexOptions, IndexStats, SnapshotFacts } from './index/index.ts'
export type {
  Chunk,
  ChunksArgs,
  ChunksResult,
  ContextLine,
  CorpusSymbol,
  GrepArgs,
  GrepHit,
  GrepResult,
  LineHit,
  ListArgs,
  ListResult,
  Metrics,
  Operation,
  PeekArgs,
  PeekResult,
  PeekSlice,
  ReadArgs,
  ReadManyArgs,
  ReadManyItem,
  ReadManyResult,
  ReadResult,
  RequestArgs,
  RequestOptions,
  SelectionArgs,
  StatArgs,
  StatItem,
  StatResult,
  SummaryArgs,
  SummaryCount,
  SummaryResult,
  SymbolsArgs,
  SymbolsResult,
  UncheckedOperation,
  WrittenHits,
} from './operations/operations.ts'
export type { SiftOptions } from './search/search.ts'
export type { WorkerName } from './workers/workers.ts'

export interface CorpusOptions {
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
  /**
   * Returns the path of a worker program. By default corpus finds it beside the running module; needed only
   * where the module runs from its TypeScript source.
   */
  workerFile?: (name: WorkerName) => string
  /** Searches are answered from an index as soon as there is one; otherwise always from the disk. */
  index?: IndexOptions
}

export interface Corpus extends Operations {
  /** The folder, or the file when the corpus is one, without links. */
  readonly root: string
  /** Makes the index now and waits until it knows every file; undefined when there is to be none. */
  warm(): Promise<IndexStats | undefined>
  /** What the index holds; undefined when there is none. */
  indexStats(): IndexStats | undefined
  /** Ends the threads. */
  close(): Promise<void>
}

const defaultRegexMs = 10_000

/** Opens a folder or a file. Throws a ZeeError with exit code 2 when there is no such thing. */
export function openCorpus(root: string, options: CorpusOptions = {}): Corpus {
  const clock = options.clock ?? systemClock
  const monotonicMs = (): number => clock.monotonicMs()
  const at = openCorpusRoot(root, options)
  const workerFile = options.workerFile ?? bundledWorker
  const regexWorker = createRegexWorker(workerFile('regex-worker'))
  const regexMs = options.regexMs ?? defaultRegexMs
  const sift = options.sift && new PrefilterUse(options.sift, workerFile('prefilter-worker'))
  const disk = diskSource(at, sift)
  const index = createLazyIndex(at, clock, options.index && { ...options.index, workerFile })

  const run: OperationRunner = async (steps, { signal, writesHits = false } = {}, use) => {
    const began = monotonicMs()
    const own = { root: at, source: disk, began, monotonicMs }
    const engine = { ...own, regexWorker, regexMs, signal, writesHits }
    const asked = use === undefined ? undefined : index?.answer(steps, engine, use)
    return await runSteps(asked ?? steps(engine), { monotonicMs, signal })
  }

  return {
    root: at.onlyFile === undefined ? at.folder.path : at.folder.prefix + at.onlyFile,
    ...createOperations(run),
    warm: async () => index?.warm(),
    indexStats: () => index?.stats(),
    close: async () => {
      await Promise.all([regexWorker.close(), sift?.close(), index?.close()])
    },
  }
}
