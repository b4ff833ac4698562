// The engine over a corpus in this process. The table of operations names the method for each request.
import os from 'node:os'
import type { Clock } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import type {
  CorpusThreads,
  DenyRules,
  IndexOptions,
  IndexStats,
  PrefilterOptions,
  UncheckedOperation,
} from '@zee/corpus'
import { openCorpus } from '@zee/corpus'
import { operations } from '../protocol/protocol.ts'
import type { Engine, Result } from './engine.ts'

export interface EngineOptions {
  /** Absolute. */
  root: string
  /** Absolute paths of files that are never listed or searched, such as the server's own trace. */
  omit?: readonly string[]
  /** Files that are listed but never read. */
  deny?: DenyRules
  clock: Clock
  /** Memory limit of the index in bytes; undefined disables the index. */
  indexBytes?: number | undefined
  /** Absolute path of the snapshot that the index loads at start and saves. */
  snapshotFile?: string | undefined
  /** Threads of the index; by the number of processors by default. */
  indexThreads?: number
  /** Threads that several engines share; the caller closes them. */
  threads?: CorpusThreads
  /** Lets the corpus write hits as JSON, for callers that only forward them; false by default. */
  writesHits?: boolean
}

/** Denies the default list of secret files. */
const defaultRules: DenyRules = { globs: [], secrets: true }

/** Throws a ZeeError with exit code 2 if the root does not exist. */
export function openCorpusEngine(options: EngineOptions): Engine {
  const { root, omit = [], deny = defaultRules, clock, writesHits = false } = options
  const index = indexField(options)
  const { threads } = options
  const readers = threads === undefined ? { prefilter: prefilterOptions() } : { threads }
  const base = { ...readers, omit, deny, ownsProcess: true, clock }
  const corpus = openCorpus(root, { ...base, ...index })
  return {
    async run(op, args, signal) {
      if (op === 'index_stats') return statsResult(corpus.indexStats())
      const method = operations.get(op)?.method
      if (method === undefined) throw new ZeeError('unknown_op', `unknown op: ${op}`)
      // The operations accept the client's arguments as they are: each checks its own.
      const operation = corpus[method] as UncheckedOperation<unknown>
      if (args.roots !== undefined && args.roots !== null) throw unnamedRoot(args.roots)
      const context = { writesHits }
      const result = await operation(args, signal === undefined ? context : { ...context, signal })
      return withoutEmptyHits(result as unknown as Result)
    },
    buildIndex: () => corpus.buildIndex(),
    indexStats: () => corpus.indexStats(),
    close: () => corpus.close(),
  }
}

/** With `format: "text"` the hits are in the text. */
function withoutEmptyHits(result: Result): Result {
  if (typeof result.text !== 'string' || result.hits === undefined) return result
  const { hits: _, ...rest } = result
  return rest as Result
}

function statsResult(index: IndexStats | undefined): Result {
  const metrics = { time_ms: 0, bytes_read: 0, files_scanned: 0 }
  return { index: index ?? null, metrics }
}

const maxThreads = 4

/** Worker threads in addition to the answering thread. */
export function prefilterOptions(): PrefilterOptions {
  return { threads: Math.min(maxThreads, os.availableParallelism()) - 1 }
}

function indexField(options: EngineOptions): { index?: IndexOptions } {
  const { indexBytes, snapshotFile, indexThreads = maxThreads } = options
  if (indexBytes === undefined) return {}
  const threads = Math.min(indexThreads, maxThreads, os.availableParallelism())
  return { index: { memoryBytes: indexBytes, threads, snapshotFile } }
}

/** A single root has no name, unless it comes from a file of roots. */
function unnamedRoot(roots: unknown): ZeeError {
  const first = Array.isArray(roots) ? (roots as unknown[])[0] : roots
  return new ZeeError('argument', `unknown root: ${String(first).slice(0, 200)}`)
}
