// Creates the parts of an index over one shared memory.
import type { Clock } from '@zee/core/clock'
import { createKernel, createSharedMemory, reserve } from '../kernel/kernel.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { HitWriter, KernelSearch, searchBytes } from '../kernel-search/kernel-search.ts'
import type { CorpusRoot } from '../root/root.ts'
import { createWatches, IndexBuilder, Refresher } from './refresh/refresh.ts'
import type { BuildReply, FolderWatches } from './refresh/refresh.ts'
import { FolderTree, LinkTargets } from './tree/tree.ts'
import { FileIndexer, filterBytes, IndexStore } from './signatures/signatures.ts'
import type { IndexSetup } from './options.ts'
import { CertifiedSets, QueryPool, SelectedOrders } from './query/query.ts'
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
  certified: CertifiedSets
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

/** Share of the memory that is reserved for signatures. */
const signatureShare = 0.15
/** Lines of one text that the main thread has memory for. */
const maxLines = 2048
/** Minimum memory for query threads. */
const minQueryBytes = 32 << 20

/** Returns undefined if the memory cannot be allocated. */
export function createParts(setup: PartsSetup): IndexParts | undefined {
  const memory = createSharedMemory(setup.options.memoryBytes)
  if (memory === undefined || setup.root.onlyFile !== undefined) return undefined
  try {
    return createPartsOver(createKernel(memory), setup)
  } catch {
    return undefined
  }
}

function createPartsOver(kernel: Kernel, setup: PartsSetup): IndexParts | undefined {
  const { root, clock, options, onReply, onFailure } = setup
  const { memoryBytes, threads, workerFile, eventLimit, ownFiles } = options
  const contentLimit = options.contentBytes ?? memoryBytes * (1 - signatureShare)
  const watches = createWatches(eventLimit)
  if (options.watch === false) watches.disable()
  const indexer = new FileIndexer(kernel, contentLimit)
  const scratch = reserve(kernel.memory, filterBytes)
  const searchAt = reserve(kernel.memory, searchBytes(maxLines))
  if (scratch === undefined || searchAt === undefined) return undefined
  const tree: FolderTree = new FolderTree({
    ...{ root, watches, nowNs: () => BigInt(clock.now().getTime()) * 1_000_000n },
    onInvalidate: (id) => {
      store.release(id)
      orders.invalidate(id)
    },
    onHardLink: (inode) => store.addHardLink(inode),
  })
  const store = new IndexStore(kernel, tree.table, scratch)
  const orders = new SelectedOrders(root, tree)
  const builder = new IndexBuilder({
    ...{ root: root.folder, kernel, table: tree.table, pending: tree.pending },
    ...{ workerPath: workerFile('index-worker'), threads, contentLimit, clock },
    ...{ onReply, onFailure },
  })
  store.hasNoWriters = () => builder.isIdle
  const links = new LinkTargets(root, tree)
  const keeper = createKeeper(options, { root, kernel, tree, store, clock, builder })
  const seen = { root, clock, tree, watches, store, orders, indexer, links }
  return {
    ...{ kernel, watches, tree, store, orders, links, builder, keeper },
    certified: new CertifiedSets(root, tree, links, kernel),
    search: new KernelSearch(kernel, searchAt, maxLines),
    query: { pool: createPool(kernel, options), writer: HitWriter.in(kernel), ownFiles },
    refresher: new Refresher({ ...seen, keeper }),
  }
}

function createKeeper(
  { snapshotFile: file }: IndexSetup,
  of: Omit<ConstructorParameters<typeof SnapshotKeeper>[0], 'file'>,
): SnapshotKeeper | undefined {
  return file === undefined ? undefined : new SnapshotKeeper({ ...of, file })
}

function createPool(kernel: Kernel, options: IndexSetup): QueryPool | undefined {
  const { workerFile, memoryBytes, threads, maxStartMs } = options
  if (memoryBytes < minQueryBytes) return undefined
  const workerPath = workerFile('query-worker')
  return new QueryPool({ kernel, workerPath, threads, memoryBytes, maxStartMs })
}
