// The operations of a corpus. Their arguments and results have the fields of the protocol. Every operation checks
// its arguments at run time, because servers pass what a client sent.
import type { Engine, TreeUse } from '../engine.ts'
import { lazily } from '../steps.ts'
import type { Steps } from '../steps.ts'
import { argumentsOf, textArgument } from './arguments.ts'
import type { Arguments } from './arguments.ts'
import type { ChunksArgs, ChunksResult } from './chunks/chunks.ts'
import { grep } from './grep/grep.ts'
import type { GrepArgs, GrepResult } from './grep/grep.ts'
import type { BlameArgs, BlameResult, LogArgs, LogResult } from './history/history.ts'
import { listFiles } from './list.ts'
import type { ListArgs, ListResult } from './list.ts'
import type { LocateArgs, LocateResult } from './locate/locate.ts'
import type { Metrics } from './metrics.ts'
import type { PeekArgs, PeekResult } from './peek.ts'
import { readFile } from './read/read.ts'
import type { ReadArgs, ReadResult } from './read/read.ts'
import type { ReadManyArgs, ReadManyResult } from './read-many.ts'
import { atRevision } from './revision.ts'
import type { StatArgs, StatResult } from './stat.ts'
import type { SummaryArgs, SummaryResult } from './summary.ts'
import type {
  ReferencesArgs,
  ReferencesResult,
  SymbolsArgs,
  SymbolsResult,
  TreeSymbolsArgs,
  TreeSymbolsResult,
} from './symbols/symbols.ts'

export type { ContextLine, GrepHit, LineHit } from '../search/search.ts'
export type { CorpusSymbol } from '../symbols/symbols.ts'
export type { Chunk, ChunkPart, ChunksArgs, ChunksResult } from './chunks/chunks.ts'
export { formatHits } from './grep/grep.ts'
export type { Certificate } from './grep/grep.ts'
export type { Excluded } from '../walk/walk.ts'
export type { GrepArgs, GrepResult, WrittenHits } from './grep/grep.ts'
export type { BlameArgs, BlameResult, BlameRow } from './history/history.ts'
export type { LogArgs, LogResult, LogRow } from './history/history.ts'
export type { ListArgs, ListResult } from './list.ts'
export type { LocateArgs, LocatedSpan, Located, LocateResult } from './locate/locate.ts'
export type { Metrics } from './metrics.ts'
export type { RequestArgs } from './paging.ts'
export type { PeekArgs, PeekResult, PeekSlice } from './peek.ts'
export type { ReadArgs, ReadResult } from './read/read.ts'
export type { ReadManyArgs, ReadManyItem, ReadManyResult } from './read-many.ts'
export type { SelectionArgs } from './selection/selection.ts'
export type { StatArgs, StatItem, StatResult } from './stat.ts'
export type { SummaryArgs, SummaryCount, SummaryResult } from './summary.ts'
export type { SymbolsArgs, SymbolsResult } from './symbols/symbols.ts'
export type { Reference, ReferencesArgs, ReferencesResult } from './symbols/symbols.ts'
export type { TreeSymbol, TreeSymbolsArgs, TreeSymbolsResult } from './symbols/symbols.ts'

export interface RequestOptions {
  signal?: AbortSignal
  /** Allows hits as JSON (see `GrepResult`), which is faster for callers that only forward them. */
  writesHits?: boolean
}

/** An operation; its arguments are optional if it requires none of them. */
export type Operation<Args, Result> = object extends Args
  ? (args?: Args, options?: RequestOptions) => Promise<Result>
  : (args: Args, options?: RequestOptions) => Promise<Result>

/** An operation for arguments that only the operation itself checks. */
export type UncheckedOperation<Result> = (
  args?: unknown,
  options?: RequestOptions,
) => Promise<Result>

/** Runs the steps of one request. `use` is set for operations that walk the tree, which an index can answer. */
export type OperationRunner = <Result extends { metrics: Metrics }>(
  steps: (engine: Engine) => Steps<Result>,
  options: RequestOptions | undefined,
  use?: TreeUse,
) => Promise<Result>

type OperationSteps<Result> = (engine: Engine, args: Arguments) => Steps<Result>

/**
 * The table of operations. Each row is a method of a corpus. The first request of most servers lists, reads or
 * searches; all other operations are loaded when they are asked for.
 */
const table = {
  list: operation<ListArgs, ListResult>(listFiles, 'walk'),
  read: operation<ReadArgs, ReadResult>(readFile),
  peek: operation<PeekArgs, PeekResult>(loaded(async () => (await import('./peek.ts')).peek)),
  grep: operation<GrepArgs, GrepResult>(grep, 'search'),
  symbols: operation<SymbolsArgs, SymbolsResult>(
    loaded(async () => (await import('./symbols/symbols.ts')).extractSymbols),
  ),
  stat: operation<StatArgs, StatResult>(loaded(async () => (await import('./stat.ts')).stat)),
  summary: operation<SummaryArgs, SummaryResult>(
    loaded(async () => (await import('./summary.ts')).summary),
    'walk',
  ),
  chunks: operation<ChunksArgs, ChunksResult>(
    loaded(async () => (await import('./chunks/chunks.ts')).chunks),
    'walk',
  ),
  readMany: operation<ReadManyArgs, ReadManyResult>(
    loaded(async () => (await import('./read-many.ts')).readMany),
  ),
  treeSymbols: operation<TreeSymbolsArgs, TreeSymbolsResult>(
    loaded(async () => (await import('./symbols/symbols.ts')).treeSymbols),
    'search',
  ),
  references: operation<ReferencesArgs, ReferencesResult>(
    loaded(async () => (await import('./symbols/symbols.ts')).references),
    'search',
  ),
  locate: operation<LocateArgs, LocateResult>(
    loaded(async () => (await import('./locate/locate.ts')).locate),
    'search',
  ),
  log: operation<LogArgs, LogResult>(
    loaded(async () => (await import('./history/history.ts')).log),
  ),
  blame: operation<BlameArgs, BlameResult>(
    loaded(async () => (await import('./history/history.ts')).blame),
  ),
}

/** An operation in a module of its own. */
function loaded<Result>(load: () => Promise<OperationSteps<Result>>): OperationSteps<Result> {
  const loading = lazily(load)
  return function* (engine, args) {
    const steps = yield* loading()
    return yield* steps(engine, args)
  }
}

export type Operations = { [Name in keyof typeof table]: ReturnType<(typeof table)[Name]> }

export function createOperations(run: OperationRunner): Operations {
  const rows = Object.entries(table).map(([name, create]) => [name, create(run)])
  return Object.fromEntries(rows) as Operations
}

/** A row: `Args` are what callers may pass, `steps` check what they passed. */
function operation<Args, Result extends { metrics: Metrics }>(
  steps: OperationSteps<Result>,
  use?: TreeUse,
): (run: OperationRunner) => Operation<Args, Result> {
  return (run) => {
    const unchecked: UncheckedOperation<Result> = async (args, options) => {
      const checked = argumentsOf(args)
      const isAtRevision = textArgument(checked, 'rev') !== undefined
      const start = (engine: Engine): Steps<Result> =>
        atRevision(engine, checked, (at) => steps(at, checked))
      // An index answers for the files on the disk only.
      return await run(start, options, isAtRevision ? undefined : use)
    }
    return unchecked as Operation<Args, Result>
  }
}
