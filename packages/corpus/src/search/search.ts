// Searches the files of a source for a text or a pattern, in path and line order.
//
// A search has three parts (plan.ts). `Candidates` iterates over the files that may match and reports why it ends. A
// `TextSource` opens the text of a candidate and knows whether it is stale. A `Searcher` searches the texts of a batch
// of candidates and adds their hits to the `SearchResult`. `searchBatches` fetches a batch and has it searched, until
// there are no more candidates, the result is complete, or the deadline passes.
//
//   part         disk                             index (index/query)
//   candidates   DiskFiles: files in batches      IndexedCandidates: signatures
//   text source  DiskFiles: the current batch     IndexedTexts: cached contents, or the file
//   searcher     InlineSearcher, WorkerSearcher   IndexedSearcher, with the other two as fallback
import type { Engine, RequestTime } from '../engine.ts'
import type { Steps } from '../steps.ts'
import { TreeWalk } from '../walk/walk.ts'
import type { ExcludedCount } from '../walk/walk.ts'
import { DiskFiles } from './disk-files.ts'
import { InlineSearcher } from './inline-searcher.ts'
import type { TextSearch } from './inline-searcher.ts'
import { createMatcher } from './matcher.ts'
import type { Scanned, SearchEnd, SearchPlan, TextSource } from './plan.ts'
import type { Prefilter } from './prefilter/prefilter.ts'
import type { SearchRequest } from './request.ts'
import { SearchResult } from './result.ts'
import type { SearchTask } from './task.ts'
import { WorkerSearcher } from './worker-searcher.ts'

export type { ContextLine, LineHit } from './hit.ts'
export { InlineSearcher, knownHits, rememberNothing } from './inline-searcher.ts'
export type { TextSearch } from './inline-searcher.ts'
export type { Candidate, CandidateBatch, Candidates, CertifiedFiles, OpenedText } from './plan.ts'
export type { Scanned, SearchEnd, Searcher, SearchPlan, TextSource } from './plan.ts'
export { servePrefilter, Prefilter } from './prefilter/prefilter.ts'
export type { PrefilterOptions } from './prefilter/prefilter.ts'
export type { HitChoice, Resume, SearchRequest } from './request.ts'
export type { CollectedHits, GrepHit, WrittenHits } from './result.ts'
export type { SearchTask } from './task.ts'
export { WorkerSearcher } from './worker-searcher.ts'

/** The totals include the characters of large files. */
export interface SearchOutcome extends SearchEnd {
  result: SearchResult
  /** What the default rules hide; undefined if the search ended early. */
  excluded: ExcludedCount | undefined
}

export function* search(
  engine: Engine,
  request: SearchRequest,
  time: RequestTime,
): Steps<SearchOutcome> {
  const result = new SearchResult(request, engine.writesHits)
  const matcher = yield* createMatcher(engine, request, time)
  const plan = yield* engine.source.planSearch({ request, matcher, result, time })
  try {
    const { reason, scanned } = yield* searchBatches(plan, result)
    const excluded = reason === 'all' ? yield* plan.excluded() : undefined
    const chars = scanned.chars + result.largeChars
    return { result, reason, scanned: { ...scanned, chars }, excluded }
  } finally {
    plan.close()
  }
}

function* searchBatches(
  { candidates, searcher }: SearchPlan,
  result: SearchResult,
): Steps<SearchEnd> {
  if (result.isComplete) return { reason: 'complete', scanned: nothingScanned }
  for (;;) {
    const batch = yield* candidates.nextBatch()
    if ('reason' in batch) return (yield* searcher.finish()) ?? batch
    const end = yield* searcher.search(batch)
    if (end !== undefined) return end
  }
}

const nothingScanned: Scanned = { files: 0, chars: 0, skippedLarge: 0 }

/** Searches the files that a walk of the disk returns. */
export function planDiskSearch(
  walk: TreeWalk,
  task: SearchTask,
  prefilter?: Prefilter,
): SearchPlan {
  const files = new DiskFiles(walk, task, prefilter)
  const searcher = plainSearcher(files, task)
  const excluded = (): Steps<ExcludedCount> => excludedFrom(walk, task.request)
  return { candidates: files, searcher, excluded, close: () => files.close() }
}

/** The count of a complete walk. A walk that started at a cursor has not seen everything. */
function* excludedFrom(walk: TreeWalk, { resume, selection }: SearchRequest): Steps<ExcludedCount> {
  if (resume === undefined) return walk.excluded
  const whole = new TreeWalk(walk.root, { ...selection.walk, from: undefined })
  try {
    while (whole.next()) yield
    return whole.excluded
  } finally {
    whole.close()
  }
}

/** A searcher for the texts of any source; `search` is a faster one for texts of a literal search. */
export function plainSearcher(
  texts: TextSource,
  task: SearchTask,
  search?: TextSearch,
): InlineSearcher | WorkerSearcher {
  const { matcher } = task
  if (matcher.kind === 'inline') return new InlineSearcher(texts, task, matcher, search)
  return new WorkerSearcher(texts, task, matcher)
}
