// Refreshes the index before each answer: applies watch events, or sweeps the tree if there are no watches or
// events were lost.
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
export type { FolderWatches, FolderEvents } from './watches.ts'

export interface RefresherOptions {
  root: CorpusRoot
  clock: Clock
  tree: FolderTree
  watches: FolderWatches
  store: IndexStore
  orders: SelectedOrders
  indexer: FileIndexer
  links: LinkTargets
  /** A restored snapshot must be verified once. */
  keeper?: SnapshotKeeper | undefined
}

/** Up to this many pending files are read inline instead of by index workers. */
export const maxInlineReads = 64
const turnFiles = 512

export class Refresher {
  readonly #options: RefresherOptions
  #hasLostEvents = false

  constructor(options: RefresherOptions) {
    this.#options = options
  }

  /** The next refresh must sweep the tree. */
  get needsSweep(): boolean {
    return this.#hasLostEvents || this.#options.keeper?.needsVerification === true
  }

  /** `isFirst` for the request that started the index. */
  *refresh(isFirst = false): Steps<void> {
    const { tree, watches, store, links, orders } = this.#options
    this.#checkRoot()
    const events = watches.takeEvents()
    this.#hasLostEvents ||= events.overflowed
    const { keeper } = this.#options
    if (keeper?.needsVerification === true) {
      yield* keeper.verify(isFirst)
      // Folders are not watched yet, so the next refresh must sweep.
      this.#hasLostEvents = true
    } else if (this.#hasLostEvents || !watches.isReliable) {
      yield* this.#sweep()
      this.#hasLostEvents = false
    } else tree.update(events)
    store.findHardLinks()
    do this.#checkLinked()
    while (this.#readPending() && store.findHardLinks())
    links.update((id) => orders.invalidate(id))
  }

  /** Resets the tree if another folder replaced the root. */
  #checkRoot(): void {
    const { root, tree, orders } = this.#options
    const { top } = tree
    if (top.names === undefined) return
    const stats = statsOf(root.folder, '')
    if (stats?.ino === top.inode && stats.dev === top.device) return
    tree.reset()
    orders.clear()
  }

  /** Rereads every folder and checks every indexed file. */
  *#sweep(): Steps<void> {
    const { tree, root } = this.#options
    const left: Folder[] = [tree.top]
    let seen = 0
    for (let folder = left.pop(); folder !== undefined; folder = left.pop()) {
      if (folder.names === undefined || folder.isRemoved) continue
      if (!tree.reread(folder, this.#hasLostEvents)) {
        tree.updateFolder(folder)
        yield
      }
      for (const value of folder.values) {
        if (typeof value !== 'number') left.push(value)
        else if (tree.table.has(value, FileFlag.known)) {
          if (!isUnchanged(root.folder, tree.table, value)) tree.invalidate(value)
        }
        if (++seen % turnFiles === 0) yield
      }
    }
  }

  /** Checks files with hard links, which may have changed under another name. */
  #checkLinked(): void {
    const { tree, store, root } = this.#options
    for (const id of [...store.hardLinked]) {
      if (!isUnchanged(root.folder, tree.table, id)) tree.invalidate(id)
    }
  }

  /** Reads pending files inline unless there are too many. Returns whether it read any. */
  #readPending(): boolean {
    const { tree, root, clock, store, orders, indexer } = this.#options
    if (tree.pending.size === 0 || tree.pending.size > maxInlineReads) return false
    const opener = new FolderOpener(root)
    const nowNs = BigInt(clock.now().getTime()) * 1_000_000n
    for (const id of tree.pending) {
      const folder = tree.table.folders[id]
      const fd = folder === undefined ? -1 : opener.file(folder, tree.table.names[id] as string)
      try {
        store.apply(
          id,
          fd === -1 ? unreadableRecord() : indexer.index(fd, nowNs, { freeSpace: store }),
        )
      } finally {
        if (fd !== -1) closeSync(fd)
      }
      orders.invalidate(id)
    }
    tree.pending.clear()
    tree.version++
    opener.close()
    return true
  }
}
