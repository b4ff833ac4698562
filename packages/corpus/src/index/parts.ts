// The parts of an index, put together over one memory.
import type { Clock } from '@zee/core/clock'
import { createKernel, createSharedMemory, reserve } from '../kernel/kernel.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { CorpusRoot } from '../root/root.ts'
import { createWatches, IndexBuilder, Refresher } from './refresh/refresh.ts'
import type { BuildReply, FolderWatches } from './refresh/refresh.ts'
import { FolderTree, LinkTargets } from './tree/tree.ts'
import { FileIndexer, filterBytes, IndexStore } from './signatures/signatures.ts'
import type { IndexSetup } from './options.ts'
import { HitWriter, KernelSearch, QueryPool, searchBytes, SelectedOrders } from './query/query.ts'
import type { QueryTools } from './query/query.ts'
import { SnapshotKeeper } from './snapshot/snapshot.ts'

export interface IndexParts {
  kernel: Kernel
  watches: FolderWatches
  tree: FolderTree
  store: IndexStore
  search: KernelSearch
  query: QueryTools
  orders: SelectedOrders
  links: LinkTargets
  builder: IndexBuilder
  refresher: Refresher
  keeper: SnapshotKeeper | undefined
}

export interface PartsSetup {
  root: CorpusRoot
  clock: Clock
  options: IndexSetup
  onReply(reply: BuildReply): void
  onFailure(): void
}

/** Part of the memory that is left to signatures when contents fill the rest. */
const signatureShare = 0.15
/** With less memory there is none for threads that search. */
const leastQueryBytes = 32 << 20

/** Undefined when there is no memory for an index. */
export function createParts(setup: PartsSetup): IndexParts | undefined {
  const memory = createSharedMemory(setup.options.memoryBytes)
  if (memory === undefined || setup.root.onlyFile !== undefined) return undefined
  try {
    return partsOver(createKernel(memory), setup)
  } catch {
    return undefined
  }
}

function partsOver(kernel: Kernel, setup: PartsSetup): IndexParts | undefined {
  const { root, clock, options, onReply, onFailure } = setup
  const { memoryBytes, threads, workerFile, eventLimit, ownFiles } = options
  const contentLimit = options.contentBytes ?? memoryBytes * (1 - signatureShare)
  const watches = createWatches(eventLimit)
  if (options.watch === false) watches.giveUp()
  const indexer = new FileIndexer(kernel, contentLimit)
  const scratch = reserve(kernel.memory, filterBytes)
  const searchAt = reserve(kernel.memory, searchBytes)
  if (scratch === undefined || searchAt === undefined) return undefined
  const tree: FolderTree = new FolderTree({
    ...{ root, watches, nowNs: () => BigInt(clock.now().getTime()) * 1_000_000n },
    onForget: (id) => {
      store.release(id)
      orders.touch(id)
    },
    onLinked: (inode) => store.link(inode),
  })
  const store = new IndexStore(kernel, tree.table, scratch)
  const orders = new SelectedOrders(root, tree)
  const builder = new IndexBuilder({
    ...{ root: root.folder, kernel, table: tree.table, pending: tree.pending },
    ...{ workerPath: workerFile('index-worker'), threads, contentLimit, clock },
    ...{ onReply, onFailure },
  })
  store.isQuiet = () => builder.isIdle
  const links = new LinkTargets(root, tree)
  const keeper = keeperOf(options, { root, kernel, tree, store, clock, builder })
  const seen = { root, clock, tree, watches, store, orders, indexer, links }
  return {
    ...{ kernel, watches, tree, store, orders, links, builder, keeper },
    search: new KernelSearch(kernel, searchAt),
    query: { pool: poolOf(kernel, options), writer: HitWriter.in(kernel), ownFiles },
    refresher: new Refresher({ ...seen, keeper }),
  }
}

function keeperOf(
  { snapshotFile: file }: IndexSetup,
  of: Omit<ConstructorParameters<typeof SnapshotKeeper>[0], 'file'>,
): SnapshotKeeper | undefined {
  return file === undefined ? undefined : new SnapshotKeeper({ ...of, file })
}

function poolOf(kernel: Kernel, options: IndexSetup): QueryPool | undefined {
  const { workerFile, memoryBytes, threads } = options
  if (memoryBytes < leastQueryBytes) return undefined
  return new QueryPool({ kernel, workerPath: workerFile('query-worker'), threads, memoryBytes })
}
