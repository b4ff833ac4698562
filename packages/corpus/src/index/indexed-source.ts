// The index as the source of one request. It is a class, because a new generator function per request costs 4 µs at its
// first call, which is 4 % of a warm search.
import type { CorpusRoot } from '../root/root.ts'
import type { CertifiedFiles, SearchPlan, SearchRequest, SearchTask } from '../search/search.ts'
import type { Source } from '../source.ts'
import type { Steps } from '../steps.ts'
import type { ExcludedCount, Walk, WalkOptions } from '../walk/walk.ts'
import { nowhere } from './file-table.ts'
import type { IndexParts } from './parts.ts'
import { planIndexedSearch } from './query/query.ts'
import type { SelectedOrder } from './query/query.ts'
import { findCandidates, forEachFile, searchPlan } from './signatures/signatures.ts'
import { IndexedWalk } from './tree/tree.ts'

export interface RequestContext {
  root: CorpusRoot
  signal: AbortSignal | undefined
  /** Called for a file whose cached content is stale. */
  onStale(id: number): void
  /** Called when the request has ended. */
  release(): void
}

export class IndexedSource implements Source {
  readonly #parts: IndexParts
  readonly #context: RequestContext
  /** The files of the last search. The tree does not change during a request. */
  #searched: { request: SearchRequest; order: SelectedOrder } | undefined

  constructor(parts: IndexParts, context: RequestContext) {
    this.#parts = parts
    this.#context = context
  }

  walk(options: WalkOptions): Walk {
    return new IndexedWalk(this.#context.root, this.#parts.tree, options)
  }

  *planSearch(task: SearchTask): Steps<SearchPlan> {
    const { request } = task
    const { tree, kernel, orders, links, search, query } = this.#parts
    const { root, signal, onStale } = this.#context
    const order = yield* orders.orderFor(request)
    this.#searched = { request, order }
    const candidateBits = (): Uint32Array | undefined => this.#positions(order, request)
    const { table } = tree
    const indexed = { root, table, kernel, order, candidateBits, search, query }
    const excluded = (): Steps<ExcludedCount> => orders.excludedFor(request)
    const context = { links: links.targets, signal, excluded, onStale }
    return planIndexedSearch({ ...indexed, ...context }, task)
  }

  /** Apart from `certify`, because three generators cost 1 % of a warm search. */
  certified(request: SearchRequest): CertifiedFiles | undefined {
    const { orders, certified } = this.#parts
    const excluded = orders.cachedExcluded(request)
    if (this.#searched?.request !== request || excluded === undefined) return undefined
    return certified.cached(this.#searched.order, excluded, request)
  }

  *certify(request: SearchRequest): Steps<CertifiedFiles> {
    const { orders, certified } = this.#parts
    const searched = this.#searched
    const order = searched?.request === request ? searched.order : yield* orders.orderFor(request)
    const excluded = yield* orders.excludedFor(request)
    return yield* certified.certify(order, excluded, request)
  }

  release(): void {
    this.#context.release()
  }

  /** A bit per position that must be searched; undefined for all. */
  #positions(
    order: SelectedOrder,
    request: Parameters<typeof searchPlan>[0],
  ): Uint32Array | undefined {
    const { tree, store, kernel, links } = this.#parts
    const files = tree.table.names.length
    const found = findCandidates(searchPlan(request), { kernel, store, files })
    if (found === undefined) return undefined
    const bits = new Uint32Array((order.length >>> 5) + 1)
    const add = (id: number): void => {
      const at = order.positionOf(id)
      if (at !== nowhere) bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31))
    }
    forEachFile(found, add)
    for (const id of store.unsigned) add(id)
    for (const id of tree.pending) add(id)
    for (const id of tree.links) {
      const target = links.targets.get(id)
      if (target === undefined || isIn(found, target) || store.unsigned.has(target)) add(id)
    }
    return bits
  }
}

function isIn(bits: Uint32Array, id: number): boolean {
  return (((bits[id >>> 5] as number) >>> (id & 31)) & 1) === 1
}
