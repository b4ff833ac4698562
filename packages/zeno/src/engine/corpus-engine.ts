// The engine over the corpus: operations by their protocol names, as the corpus offers them.
import os from 'node:os'
import path from 'node:path'
import type { Clock } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import type { Corpus, IndexOptions, IndexStats, Operation, SiftOptions } from '@zee/corpus'
import { openCorpus } from '@zee/corpus'
import type { Engine, Result } from './engine.ts'

export interface EngineOptions {
  /** Absolute. */
  root: string
  /** Files that are never listed or searched, such as the server's own trace; absolute. */
  omit?: readonly string[]
  clock: Clock
  /** Answer searches from an index that may take so much memory; otherwise always from the disk. */
  indexBytes?: number | undefined
  /** Where the index begins and what it leaves; absolute. */
  snapshotFile?: string | undefined
}

/** Throws a ZeeError with exit code 2 when there is no such root. */
export function openCorpusEngine(options: EngineOptions): Engine {
  const { root, omit = [], clock, indexBytes, snapshotFile } = options
  const workerPath = bundledWorker('regex-worker')
  const index =
    indexBytes === undefined ? {} : { index: { ...indexOptions(indexBytes), snapshotFile } }
  const base = { workerPath, sift: siftOptions(), omit, ownsProcess: true, clock }
  const corpus = openCorpus(root, { ...base, ...index })
  const byName = operationsOf(corpus)
  return {
    async run(op, args, signal) {
      if (op === 'index_stats') return statsResult(corpus.indexStats())
      const operation = byName.get(op)
      if (operation === undefined) throw new ZeeError('unknown_op', `unknown op: ${op}`)
      const context = { writesHits: true }
      const result = await operation(args, signal === undefined ? context : { ...context, signal })
      return result as unknown as Result
    },
    buildIndex: () => corpus.warm(),
    indexStats: () => corpus.indexStats(),
    close: () => corpus.close(),
  }
}

function statsResult(index: IndexStats | undefined): Result {
  const metrics = { time_ms: 0, bytes_read: 0, files_scanned: 0 }
  return { index: index ?? null, metrics }
}

/** Workers are entries of the bundle, beside the chunk that this file ends up in. */
function bundledWorker(name: string): string {
  return path.join(__dirname, `${name}.cjs`)
}

const maxThreads = 4

/** Beside the thread that answers. */
function siftOptions(): SiftOptions {
  const threads = Math.min(maxThreads, os.availableParallelism()) - 1
  return { workerPath: bundledWorker('prefilter-worker'), threads }
}

function indexOptions(memoryBytes: number): IndexOptions {
  const threads = Math.min(maxThreads, os.availableParallelism())
  const queryPath = bundledWorker('query-worker')
  return { workerPath: bundledWorker('index-worker'), queryPath, memoryBytes, threads }
}

function operationsOf(corpus: Corpus): ReadonlyMap<string, Operation<unknown>> {
  return new Map<string, Operation<unknown>>([
    ['list_files', corpus.list],
    ['read_file', corpus.read],
    ['peek', corpus.peek],
    ['grep', corpus.grep],
    ['extract_symbols', corpus.symbols],
    ['stat', corpus.stat],
    ['summary', corpus.summary],
    ['chunks', corpus.chunks],
    ['read_many', corpus.readMany],
  ])
}
