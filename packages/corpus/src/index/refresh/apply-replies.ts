// Takes over what threads have read. What came for a file that was changed meanwhile is thrown away.
import { readRecord } from './jobs.ts'
import type { BuildReply } from './jobs.ts'
import type { FolderTree } from '../tree/tree.ts'
import type { FileRecord, IndexStore } from '../signatures/signatures.ts'
import type { SelectedOrders } from '../query/query.ts'

export interface ReplyTaker {
  tree: FolderTree
  store: IndexStore
  orders: SelectedOrders
}

/** Only between requests. */
export function applyReplies(replies: readonly BuildReply[], to: ReplyTaker): void {
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
      orders.touch(id)
    }
  }
}

/** Only the content is new. */
function fill(
  id: number,
  record: FileRecord,
  isCurrent: boolean,
  { tree, store }: ReplyTaker,
): void {
  if (isCurrent && !store.fill(id, record)) tree.suspect(id)
  if (!isCurrent || tree.table.contents[id] !== record.room?.address) store.discard(record)
}
