// The entry of the library: opens a folder of text, or one large file, to list, read and search it. A failed
// operation throws a ZeeError with a message for the client. Long work yields to the event loop every 8 ms.
import { systemClock } from '@zee/core/clock'
import type { Clock } from '@zee/core/clock'
import type { DenyRules } from './deny/deny.ts'
import { createLazyIndex } from './index/index.ts'
import type { IndexOptions, IndexStats } from './index/index.ts'
import { createLazyRevisions } from './lazy-revisions.ts'
import { createOperations } from './operations/operations.ts'
import type { Operations, OperationRunner } from './operations/operations.ts'
import { openCorpusRoot } from './root/root.ts'
import type { PrefilterOptions } from './search/search.ts'
import { diskSource } from './source.ts'
import { runSteps } from './steps.ts'
import type * as StoredTrees from './stored-tree/stored-tree.ts'
import { createThreads } from './threads.ts'
import type { CorpusThreads } from './threads.ts'
import { bundledWorker } from './workers/workers.ts'
import type { WorkerName } from './workers/workers.ts'

export { secretFileRules } from './deny/deny.ts'
export type { DenyRules } from './deny/deny.ts'
export { isSnapshotName, snapshotFacts, snapshotName } from './index/index.ts'
export type { IndexOptions, IndexStats, SnapshotFacts } from './index/index.ts'
export type {
  BlameArgs,
  BlameResult,
  BlameRow,
  Certificate,
  Chunk,
  ChunkPart,
  ChunksArgs,
  ChunksResult,
  ContextLine,
  CorpusSymbol,
  Excluded,
  GrepArgs,
  GrepHit,
  GrepResult,
  LineHit,
  ListArgs,
  ListResult,
  Located,
  LocateArgs,
  LocatedSpan,
  LocateResult,
  LogArgs,
  LogResult,
  LogRow,
  Metrics,
  Operation,
  Operations,
  PeekArgs,
  PeekResult,
  PeekSlice,
  ReadArgs,
  ReadManyArgs,
  ReadManyItem,
  ReadManyResult,
  ReadResult,
  Reference,
  ReferencesArgs,
  ReferencesResult,
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
  TreeSymbol,
  TreeSymbolsArgs,
  TreeSymbolsResult,
  UncheckedOperation,
  WrittenHits,
} from './operations/operations.ts'
export { formatHits } from './operations/operations.ts'
export type { PrefilterOptions } from './search/search.ts'
export { createThreads } from './threads.ts'
export type { CorpusThreads, ThreadOptions } from './threads.ts'
export type {
  RepositoryFile,
  RepositoryFiles,
  RequiredTexts,
  StoredFile,
  StoredTree,
} from './stored-tree/stored-tree.ts'
export type { WorkerName } from './workers/workers.ts'

export interface CorpusOptions {
  /** Worker threads that read ahead in a long search of the disk; none by default. */
  prefilter?: PrefilterOptions
  /** Threads that several corpora share; the caller closes them. By default a corpus has its own. */
  threads?: CorpusThreads
  /** Time limit of the patterns of a request without `deadline_ms`; 10 s by default. */
  regexMs?: number
  /** Absolute paths that are never listed or searched, such as the server's log. */
  omit?: readonly string[]
  /** Files that are listed, but refused to readers and skipped by searches; none by default. */
  deny?: DenyRules
  /**
   * Lets corpus change the working folder of the process during a request. Opening files relative to their
   * folder is faster.
   */
  ownsProcess?: boolean
  clock?: Clock
  /**
   * Returns the path of a worker program. By default corpus looks beside the running module; set it if the
   * workers are elsewhere.
   */
  workerFile?: (name: WorkerName) => string
  /** Builds an index in the background and answers from it once it is ready; without it from the disk. */
  index?: IndexOptions
}

export interface Corpus extends Operations {
  /** The canonical path of the folder or file. */
  readonly root: string
  /** Builds the index now and resolves when it has read every file; undefined without the option `index`. */
  buildIndex(): Promise<IndexStats | undefined>
  /** Undefined if there is no index yet. */
  indexStats(): IndexStats | undefined
  /** Saves the snapshot if one is due, and terminates the threads. */
  close(): Promise<void>
}

const defaultRegexMs = 10_000

/** Opens a folder or a file. Throws a ZeeError with exit code 2 if it does not exist. */
export function openCorpus(root: string, options: CorpusOptions = {}): Corpus {
  const clock = options.clock ?? systemClock
  const monotonicMs = (): number => clock.monotonicMs()
  const corpusRoot = openCorpusRoot(root, options)
  const { folder, onlyFile } = corpusRoot
  const workerFile = options.workerFile ?? bundledWorker
  const own = options.threads === undefined ? createThreads(options) : undefined
  const { regexWorker, prefilter } = options.threads ?? (own as CorpusThreads)
  const regexMs = options.regexMs ?? defaultRegexMs
  const disk = diskSource(corpusRoot, prefilter)
  const indexSetup = options.index && { ...options.index, workerFile }
  const index = createLazyIndex(corpusRoot, clock, indexSetup)
  const revisions = createLazyRevisions(corpusRoot, revisionBytes(options.index))

  const run: OperationRunner = async (steps, { signal, writesHits = false } = {}, use) => {
    const request = { startedMs: monotonicMs(), monotonicMs, signal, writesHits }
    const engine = { root: corpusRoot, source: disk, revisions, regexWorker, regexMs, ...request }
    const indexed = use === undefined ? undefined : index?.answer(steps, engine, use)
    return await runSteps(indexed ?? steps(engine), { monotonicMs, signal })
  }

  return {
    root: onlyFile === undefined ? folder.path : folder.prefix + onlyFile,
    ...createOperations(run),
    buildIndex: async () => index?.build(),
    indexStats: () => index?.stats(),
    close: async () => {
      revisions.close()
      await Promise.all([own?.close(), index?.close()])
    },
  }
}

/** Corpora over files that are stored elsewhere. Loaded on request: most programs do not need them. */
export function loadStoredTrees(): Promise<typeof StoredTrees> {
  return import('./stored-tree/stored-tree.ts')
}

const maxRevisionBytes = 256 << 20

/** Memory for blobs of old revisions: a quarter of the memory of the index. */
function revisionBytes(index: IndexOptions | undefined): number {
  return Math.min(maxRevisionBytes, (index?.memoryBytes ?? maxRevisionBytes) / 4)
}
