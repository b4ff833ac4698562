// What can be asked of a corpus. Every operation takes the arguments as a client sent them and gives the result as
// the client gets it.
import type { Engine, TreeUse } from '../engine.ts'
import { wait } from '../steps.ts'
import type { Steps } from '../steps.ts'
import { argumentsOf } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import { chunks } from './chunks.ts'
import type { ChunksResult } from './chunks.ts'
import { grep } from './grep.ts'
import type { GrepResult } from './grep.ts'
import { listFiles } from './list.ts'
import type { ListResult } from './list.ts'
import type { Metrics } from './metrics.ts'
import { peek } from './peek.ts'
import type { PeekResult } from './peek.ts'
import { readFile } from './read/read.ts'
import type { ReadResult } from './read/read.ts'
import { readMany } from './read-many.ts'
import type { ReadManyResult } from './read-many.ts'
import { stat } from './stat.ts'
import type { StatResult } from './stat.ts'
import { summary } from './summary.ts'
import type { SummaryResult } from './summary.ts'
import type { SymbolsResult } from './symbols.ts'

export type { ContextLine, GrepHit, LineHit } from '../search/search.ts'
export type { CorpusSymbol } from '../symbols/symbols.ts'
export type { Chunk, ChunksResult } from './chunks.ts'
export type { GrepResult, WrittenHits } from './grep.ts'
export type { ListResult } from './list.ts'
export type { Metrics } from './metrics.ts'
export type { PeekResult, PeekSlice } from './peek.ts'
export type { ReadResult } from './read/read.ts'
export type { ReadManyItem, ReadManyResult } from './read-many.ts'
export type { StatItem, StatResult } from './stat.ts'
export type { SummaryCount, SummaryResult } from './summary.ts'
export type { SymbolsResult } from './symbols.ts'

export interface RequestOptions {
  signal?: AbortSignal
  /** Hits may come as JSON, which is faster for those who want nothing else (see `GrepResult`). */
  writesHits?: boolean
}

export type Operation<Result> = (args?: unknown, options?: RequestOptions) => Promise<Result>

export interface Operations {
  list: Operation<ListResult>
  read: Operation<ReadResult>
  peek: Operation<PeekResult>
  grep: Operation<GrepResult>
  symbols: Operation<SymbolsResult>
  stat: Operation<StatResult>
  summary: Operation<SummaryResult>
  chunks: Operation<ChunksResult>
  readMany: Operation<ReadManyResult>
}

/** Runs the steps of one request; `use` is set where they go through the tree, which an index knows. */
export type OperationRunner = <Result extends { metrics: Metrics }>(
  steps: (engine: Engine) => Steps<Result>,
  options: RequestOptions | undefined,
  use?: TreeUse,
) => Promise<Result>

export function createOperations(run: OperationRunner): Operations {
  const operation =
    <Result extends { metrics: Metrics }>(
      steps: (engine: Engine, args: Arguments) => Steps<Result>,
      use?: TreeUse,
    ): Operation<Result> =>
    async (args, options) => {
      const asked = argumentsOf(args)
      return await run((engine) => steps(engine, asked), options, use)
    }
  return {
    list: operation(listFiles, 'walk'),
    read: operation(readFile),
    peek: operation(peek),
    grep: operation(grep, 'search'),
    symbols: operation(function* (engine, args) {
      // What is known of languages is a lot, and most clients never ask.
      const { extractSymbols } = yield* wait(import('./symbols.ts'))
      return yield* extractSymbols(engine, args)
    }),
    stat: operation(stat),
    summary: operation(summary, 'walk'),
    chunks: operation(chunks, 'walk'),
    readMany: operation(readMany),
  }
}
