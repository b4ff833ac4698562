// Orders of the selections that were asked for last, each brought up to date when it is asked for again.
import type { SearchRequest } from '../../search/search.ts'
import type { CorpusRoot } from '../../root/root.ts'
import type { Selection } from '../../walk/walk.ts'
import type { Steps } from '../../steps.ts'
import { IndexedWalk } from '../tree/tree.ts'
import type { FolderTree } from '../tree/tree.ts'
import { SelectedOrder } from './selected-order.ts'

interface Kept {
  order: SelectedOrder
  epoch: number
  /** Changes of the tree that are in the order. */
  changes: number
}

const mostKept = 8
/** Beyond so many changes an order is made anew. */
const mostChanges = 256
const turnFiles = 4096

export class SelectedOrders {
  readonly #kept = new Map<string, Kept>()
  readonly #root: CorpusRoot
  readonly #tree: FolderTree

  constructor(root: CorpusRoot, tree: FolderTree) {
    this.#root = root
    this.#tree = tree
  }

  /** The files that a request is about. */
  *of(request: SearchRequest): Steps<SelectedOrder> {
    const { selectionKey: key } = request
    const kept = this.#kept.get(key)
    this.#kept.delete(key)
    const usable = kept !== undefined && this.#update(kept)
    const current = usable ? kept : yield* this.#make(request)
    // Ignore files may change without a file coming or going.
    if (!request.selection.walk.gitignore) this.#keep(key, current)
    return current.order
  }

  /** What is known of a file is another. */
  touch(id: number): void {
    for (const { order } of this.#kept.values()) order.touch(id)
  }

  clear(): void {
    this.#kept.clear()
  }

  #keep(key: string, kept: Kept): void {
    this.#kept.set(key, kept)
    if (this.#kept.size <= mostKept) return
    for (const oldest of this.#kept.keys()) {
      this.#kept.delete(oldest)
      return
    }
  }

  #update(kept: Kept): boolean {
    const { epoch, changes } = this.#tree
    if (kept.epoch !== epoch || changes.length - kept.changes > mostChanges) return false
    const news = changes.slice(kept.changes)
    kept.changes = changes.length
    kept.order.change(
      news.filter((id) => id >= 0),
      news.filter((id) => id < 0).map((id) => -1 - id),
    )
    return true
  }

  *#make(request: SearchRequest): Steps<Kept> {
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
    return { order, epoch: this.#tree.epoch, changes: this.#tree.changes.length }
  }
}

/** As the walk does it, for one path. */
function isSelected(path: string, selection: Selection, paths: SearchRequest['paths']): boolean {
  const { includeHidden, excludedFolders } = selection.walk
  const parts = path.split('/')
  if (!includeHidden && parts.some((part) => part.startsWith('.'))) return false
  if (parts.slice(0, -1).some((part) => excludedFolders.has(part))) return false
  if (selection.excluded?.matches(path) === true) return false
  return paths === undefined || paths.matches(path)
}
