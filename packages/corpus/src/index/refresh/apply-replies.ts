// Applies the replies of index workers. Discards records of files that changed in between.
import { readRecord } from './jobs.ts'
import type { BuildReply } from './jobs.ts'
import type { FolderTree } from '../tree/tree.ts'
import type { FileRecord, IndexStore } from '../signatures/signatures.ts'
import type { SelectedOrders } from '../query/query.ts'

export interface ReplyTarget {
  tree: FolderTree
  store: IndexStore
  orders: SelectedOrders
}

/** Must be called only between requests. */
export function applyReplies(replies: readonly BuildReply[], to: ReplyTarget): void {
  const { tree, store, orders } = to
  if (replies.some(({ fills }) => !fills)) tree.version++
  for (const reply of replies) {
    for (const [index, id] of reply.ids.entries()) {
      const record = readRecord(reply, index)
      const isCurrent = tree.table.generations[id] === reply.generations[index]
      if (reply.fills) {
        fill(id, record, isCurrent, to)
        continue
      }
      if (!isCurrent || !tree.pending.has(id)) {
        store.discard(record)
        continue
      }
      store.apply(id, record)
      tree.pending.delete(id)
      orders.invalidate(id)
    }
  }
}

/** Applies a record that only has content. */
function fill(
  id: number,
  record: FileRecord,
  isCurrent: boolean,
  { tree, store }: ReplyTarget,
): void {
  if (isCurrent && !store.fill(id, record)) tree.invalidate(id)
  if (!isCurrent || tree.table.contents[id] !== record.extent?.address) store.discard(record)
}
