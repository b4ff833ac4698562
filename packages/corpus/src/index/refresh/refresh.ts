// Makes what is known true again before a request is answered: by what was heard of changes, or by a look at
// everything where nobody tells of them or something may have been lost.
import { closeSync } from 'node:fs'
import type { Clock } from '@zee/core/clock'
import type { CorpusRoot } from '../../root/root.ts'
import type { Steps } from '../../steps.ts'
import { isUnchanged, statsOf } from '../checked-file.ts'
import { FileFlag } from '../file-table.ts'
import type { Folder } from '../folder.ts'
import { FolderOpener } from '../tree/tree.ts'
import type { FolderTree, LinkTargets } from '../tree/tree.ts'
import { unreadableRecord } from '../signatures/signatures.ts'
import type { FileIndexer, IndexStore } from '../signatures/signatures.ts'
import type { SelectedOrders } from '../query/query.ts'
import type { SnapshotKeeper } from '../snapshot/snapshot.ts'
import type { FolderWatches } from './watches.ts'

export { applyReplies } from './apply-replies.ts'
export { IndexBuilder } from './builder.ts'
export type { BuildReply, LoadJob } from './jobs.ts'
export { serveBuilder } from './thread.ts'
export { createWatches } from './watches.ts'
export type { FolderWatches, Heard } from './watches.ts'

export interface RefresherOptions {
  root: CorpusRoot
  clock: Clock
  tree: FolderTree
  watches: FolderWatches
  store: IndexStore
  orders: SelectedOrders
  indexer: FileIndexer
  links: LinkTargets
  /** What was taken over from the disk has to be looked through once. */
  keeper?: SnapshotKeeper | undefined
}

/** So many files are read at once rather than by the threads that build. */
export const fewPending = 64
const turnFiles = 512

export class Refresher {
  readonly #options: RefresherOptions
  #lost = false

  constructor(options: RefresherOptions) {
    this.#options = options
  }

  /** The next refresh has to look at everything. */
  get isBehind(): boolean {
    return this.#lost || this.#options.keeper?.isUnseen === true
  }

  /** `isFirst` for the request that the index began with. */
  *refresh(isFirst = false): Steps<void> {
    const { tree, watches, store, links, orders } = this.#options
    this.#checkRoot()
    const heard = watches.take()
    this.#lost ||= heard.overflowed
    const { keeper } = this.#options
    if (keeper?.isUnseen === true) {
      yield* keeper.look(isFirst)
      // Nobody has told of changes so far; the next look begins with that.
      this.#lost = true
    } else if (this.#lost || !watches.works) {
      yield* this.#sweep()
      this.#lost = false
    } else tree.update(heard)
    store.findLinked()
    do this.#checkLinked()
    while (this.#readPending() && store.findLinked())
    links.update((id) => orders.touch(id))
  }

  /** Another folder may have taken the place of the root. */
  #checkRoot(): void {
    const { root, tree, orders } = this.#options
    const { top } = tree
    if (top.names === undefined) return
    const stats = statsOf(root.folder, '')
    if (stats?.ino === top.inode && stats.dev === top.device) return
    tree.reset()
    orders.clear()
  }

  /** Looks at every name and every file that is known. */
  *#sweep(): Steps<void> {
    const { tree, root } = this.#options
    const left: Folder[] = [tree.top]
    let seen = 0
    for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
      if (folder.names === undefined || folder.isGone) continue
      if (!tree.reread(folder, this.#lost)) {
        tree.updateFolder(folder)
        yield
      }
      for (const value of folder.values) {
        if (typeof value !== 'number') left.push(value)
        else if (tree.table.has(value, FileFlag.known)) {
          if (!isUnchanged(root.folder, tree.table, value)) tree.suspect(value)
        }
        if (++seen % turnFiles === 0) yield
      }
    }
  }

  /** Files that may have been changed under another name. */
  #checkLinked(): void {
    const { tree, store, root } = this.#options
    for (const id of [...store.hardLinked]) {
      if (!isUnchanged(root.folder, tree.table, id)) tree.suspect(id)
    }
  }

  /** Reads what is pending unless that is much. */
  #readPending(): boolean {
    const { tree, root, clock, store, orders, indexer } = this.#options
    if (tree.pending.size === 0 || tree.pending.size > fewPending) return false
    const opener = new FolderOpener(root)
    const nowNs = BigInt(clock.now().getTime()) * 1_000_000n
    for (const id of tree.pending) {
      const folder = tree.table.folders[id]
      const fd = folder === undefined ? -1 : opener.file(folder, tree.table.names[id] as string)
      try {
        store.apply(
          id,
          fd === -1 ? unreadableRecord() : indexer.index(fd, nowNs, { leftovers: store }),
        )
      } finally {
        if (fd !== -1) closeSync(fd)
      }
      orders.touch(id)
    }
    tree.pending.clear()
    tree.version++
    opener.close()
    return true
  }
}
