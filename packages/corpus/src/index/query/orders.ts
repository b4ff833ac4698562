// A cache of the selections that were requested last, as files in path order. A cached order is updated when it is
// requested again.
import type { SearchRequest } from '../../search/search.ts'
import type { CorpusRoot } from '../../root/root.ts'
import { hidingRule } from '../../walk/walk.ts'
import type { ExcludedCount, Selection } from '../../walk/walk.ts'
import type { Steps } from '../../steps.ts'
import { IndexedWalk } from '../tree/tree.ts'
import type { FolderTree } from '../tree/tree.ts'
import { SelectedOrder } from './selected-order.ts'

interface CachedOrder {
  order: SelectedOrder
  /** What the default rules hide, as of `excludedAt` changes. */
  excluded: ExcludedCount
  excludedAt: number
  epoch: number
  /** Number of changes of the tree that the order includes. */
  changes: number
}

const maxCached = 8
/** After more changes an order is rebuilt. */
const maxChanges = 256
/** Files between two yields to the event loop. */
const turnFiles = 4096

export class SelectedOrders {
  readonly #cached = new Map<string, CachedOrder>()
  readonly #root: CorpusRoot
  readonly #tree: FolderTree

  constructor(root: CorpusRoot, tree: FolderTree) {
    this.#root = root
    this.#tree = tree
  }

  /** The files that a request selects. */
  *orderFor(request: SearchRequest): Steps<SelectedOrder> {
    const { selectionKey: key } = request
    const cached = this.#cached.get(key)
    this.#cached.delete(key)
    const isUsable = cached !== undefined && this.#update(cached)
    const current = isUsable ? cached : yield* this.#build(request)
    // A changed .gitignore selects other files, although the tree is the same.
    if (!request.selection.walk.gitignore) this.#store(key, current)
    return current.order
  }

  /** What the default rules hide from a request; undefined if it must be counted. */
  cachedExcluded(request: SearchRequest): ExcludedCount | undefined {
    const cached = this.#cached.get(request.selectionKey)
    const { epoch, changes } = this.#tree
    const isCurrent = cached?.epoch === epoch && cached.excludedAt === changes.length
    return isCurrent ? cached.excluded : undefined
  }

  *excludedFor(request: SearchRequest): Steps<ExcludedCount> {
    const known = this.cachedExcluded(request)
    if (known !== undefined) return known
    const cached = this.#cached.get(request.selectionKey)
    const { epoch } = this.#tree
    const counted = yield* this.#build(request)
    if (cached?.epoch === epoch) {
      cached.excluded = counted.excluded
      cached.excludedAt = counted.excludedAt
    }
    return counted.excluded
  }

  /** Discards sums that include a file, because its content changed. */
  invalidate(id: number): void {
    for (const { order } of this.#cached.values()) order.invalidate(id)
  }

  clear(): void {
    this.#cached.clear()
  }

  #store(key: string, cached: CachedOrder): void {
    this.#cached.set(key, cached)
    if (this.#cached.size <= maxCached) return
    for (const oldest of this.#cached.keys()) {
      this.#cached.delete(oldest)
      return
    }
  }

  /** Applies the changes of the tree; false if the order must be rebuilt. */
  #update(cached: CachedOrder): boolean {
    const { epoch, changes } = this.#tree
    if (cached.epoch !== epoch || changes.length - cached.changes > maxChanges) return false
    if (changes.length === cached.changes) return true
    const missing = changes.slice(cached.changes)
    cached.changes = changes.length
    cached.order.update(
      missing.filter((id) => id >= 0),
      missing.filter((id) => id < 0).map((id) => -1 - id),
    )
    return true
  }

  *#build(request: SearchRequest): Steps<CachedOrder> {
    const { selection, paths } = request
    const { excluded, walk: options } = selection
    const walk = new IndexedWalk(this.#root, this.#tree, { ...options, from: undefined })
    const ids: number[] = []
    try {
      for (let seen = 1; walk.next(); seen++) {
        if (seen % turnFiles === 0) yield
        if (excluded !== undefined || paths !== undefined) {
          const { path } = walk
          if (excluded?.matches(path) === true || paths?.matches(path) === false) continue
        }
        ids.push(walk.id)
      }
    } finally {
      walk.close()
    }
    const accepts = (path: string): boolean => isSelected(path, selection, paths)
    const order = new SelectedOrder(this.#tree.table, Int32Array.from(ids), accepts)
    const { epoch, changes } = this.#tree
    const counted = { excluded: walk.excluded, excludedAt: changes.length }
    return { order, ...counted, epoch, changes: changes.length }
  }
}

/** Whether a walk with this selection would return a path. */
function isSelected(path: string, selection: Selection, paths: SearchRequest['paths']): boolean {
  const { excludedFolders } = selection.walk
  const parts = path.split('/')
  if (parts.slice(0, -1).some((part) => excludedFolders.has(part))) return false
  for (let count = 1; count <= parts.length; count++) {
    const part = parts.slice(0, count).join('/')
    const isFolder = count < parts.length
    if (hidingRule(selection.walk, part, parts[count - 1] as string, isFolder) !== undefined)
      return false
  }
  if (selection.excluded?.matches(path) === true) return false
  return paths === undefined || paths.matches(path)
}
