// Searches the files of an index: the front of everything that answers a search without walking the disk.
import type { Kernel } from '../../kernel/kernel.ts'
import type { CorpusRoot } from '../../root/root.ts'
import type { SearchPlan, SearchTask } from '../../search/search.ts'
import type { FileTable } from '../file-table.ts'
import { IndexedCandidates } from './candidates.ts'
import type { HitWriter, KernelSearch } from '../../kernel-search/kernel-search.ts'
import { SelectedRange } from './range.ts'
import { IndexedSearcher } from './searcher.ts'
import type { SelectedOrder } from './selected-order.ts'
import { IndexedTexts } from './texts.ts'
import type { QueryPool } from './threads/threads.ts'

export { CertifiedSets } from './certified-files.ts'
export { SelectedOrders } from './orders.ts'
export type { SelectedOrder } from './selected-order.ts'
export { QueryPool, serveQueries } from './threads/threads.ts'

export interface IndexedSearchOptions {
  root: CorpusRoot
  table: FileTable
  kernel: Kernel
  /** The files of the request's selection. */
  order: SelectedOrder
  /** A bit for each position of the order that may match; undefined for all. Called at most once. */
  candidateBits(): Uint32Array | undefined
  /** The files that links lead to, by the link. */
  links: ReadonlyMap<number, number>
  search: KernelSearch
  query: QueryTools
  signal: AbortSignal | undefined
  excluded: SearchPlan['excluded']
  /** Called for a file whose cached content is stale. */
  onStale(id: number): void
}

export interface QueryTools {
  /** Undefined without threads, or without memory for them. */
  pool: QueryPool | undefined
  writer: HitWriter | undefined
  /** Files that the main thread searches before it hands over, instead of the measured amounts. */
  ownFiles?: number | undefined
}

export function planIndexedSearch(options: IndexedSearchOptions, task: SearchTask): SearchPlan {
  const { root, table, kernel, order, candidateBits, links, search, query } = options
  const { signal, onStale } = options
  const { request, matcher } = task
  const range = new SelectedRange(order, request)
  const { maxBytes } = request
  const texts = new IndexedTexts({ root, table, kernel, range, maxBytes, links, onStale })
  const needle = matcher.kind === 'inline' ? matcher.needle : undefined
  const literal = needle !== undefined && search.prepare(needle) ? search : undefined
  const isLiteral = literal !== undefined
  const candidates = new IndexedCandidates({ range, table, candidateBits, texts, isLiteral }, task)
  const searcher = new IndexedSearcher(
    { candidates, texts, kernel, literal, ...query, signal },
    task,
  )
  return { candidates, searcher, excluded: options.excluded, close: () => texts.close() }
}
