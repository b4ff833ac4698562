// The index of a corpus: made in the background once somebody searches, kept true to the disk, and asked in
// place of the disk when it can tell. Until then, and whenever it is busy, the disk is asked.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '@zee/core/clock'
import { createKernel } from '../kernel/kernel.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { createSharedMemory, reserve, reservedBytes } from '../kernel/shared-memory.ts'
import type { CorpusRoot } from '../root.ts'
import { defaultExcludedFolders } from '../selection.ts'
import type { Source } from '../source.ts'
import { runSteps, wait } from '../steps.ts'
import type { Steps } from '../steps.ts'
import type { BuildReply } from './build-jobs.ts'
import { readRecord } from './build-jobs.ts'
import { candidatesOf, eachFile } from './candidates.ts'
import { NOWHERE } from './file-table.ts'
import { FolderTree } from './folder-tree.ts'
import { IndexBuilder } from './index-builder.ts'
import { FileIndexer } from './index-file.ts'
import type { IndexOptions, IndexStats } from './index-options.ts'
import { FILTER_BYTES, IndexStore } from './index-store.ts'
import { KernelSearch, SEARCH_BYTES } from './kernel-search.ts'
import { KnownFiles } from './known-files.ts'
import type { KnownFilesOptions } from './known-files.ts'
import { LinkTargets } from './link-targets.ts'
import { SelectedOrders } from './orders.ts'
import { HitWriter } from './query-hits/hit-writer.ts'
import { QueryPool } from './query-threads/query-pool.ts'
import { FEW_PENDING, Refresher } from './refresher.ts'
import { searchPlan } from './search-plan.ts'
import type { SelectedOrder } from './selected-order.ts'
import { SnapshotKeeper } from './snapshot/keeper.ts'
import { KnownTreeWalk } from './tree-walk.ts'
import { createWatches } from './watches.ts'
import type { FolderWatches } from './watches.ts'

/** Part of the memory that is left to signatures when contents fill the rest. */
const SIGNATURE_SHARE = 0.15
/** With more unknown files than this share the disk is faster. */
const MOST_PENDING = 0.25
const FEW_FILES = 256
/** How long a request waits for another before it asks the disk instead. */
const LONGEST_TURN_MS = 1000
/** How long nobody must have asked before something is done that nobody waits for. */
const REST_MS = 25
/** With less memory there is none for threads that search. */
const LEAST_QUERY_BYTES = 32 << 20

interface Parts {
  kernel: Kernel
  watches: FolderWatches
  tree: FolderTree
  store: IndexStore
  search: KernelSearch
  query: KnownFilesOptions['query']
  orders: SelectedOrders
  links: LinkTargets
  builder: IndexBuilder
  refresher: Refresher
  keeper: SnapshotKeeper | undefined
}

export class WarmIndex {
  readonly #root: CorpusRoot
  readonly #clock: Clock
  readonly #options: IndexOptions
  #state: IndexStats['state'] = 'idle'
  /** Whether somebody searched: for lists the names are enough, and no file is read. */
  #isSearched = false
  /** Whether every file was read once: before that a file may have another name that is not known yet. */
  #isWhole = false
  #parts: Parts | undefined
  #busy = false
  #answers = 0
  #replies: BuildReply[] = []
  readonly #stale = new Set<number>()
  readonly #ending = new AbortController()
  #waiting: (() => void)[] = []
  #resting: NodeJS.Timeout | undefined
  /** Ends when it is known whether there was a snapshot to begin with. */
  #restoring: Promise<void> | undefined
  readonly #turns: (() => void)[] = []

  constructor(root: CorpusRoot, clock: Clock, options: IndexOptions) {
    this.#root = root
    this.#clock = clock
    this.#options = options
  }

  /** Begins to build unless that was done; files are read once somebody searches. */
  begin(use: 'walk' | 'search'): void {
    if (use === 'search' && !this.#isSearched) {
      this.#isSearched = true
      if (this.#state === 'ready') this.#readFiles(0)
    }
    if (this.#state !== 'idle') return
    const parts = this.#create()
    if (parts === undefined) {
      this.#state = 'off'
      return
    }
    this.#parts = parts
    this.#state = 'loading'
    this.#restoring = parts.keeper === undefined ? undefined : this.#restore(parts, parts.keeper)
    void this.#load(parts).catch(() => this.#giveUp())
  }

  /**
   * A source that is true to the disk as of now, for one request; undefined when there is none, or when a
   * look at everything would cost more than the walk that is asked for.
   */
  *source(
    use: 'walk' | 'search',
    signal?: AbortSignal,
  ): Steps<(Source & { release(): void }) | undefined> {
    const isFirst = this.#parts === undefined
    this.begin(use)
    if (this.#restoring !== undefined && use === 'search') yield* wait(this.#restoring)
    else if (isFirst) return undefined
    const parts = this.#parts
    if (parts === undefined || this.#state !== 'ready') return undefined
    if (use === 'walk' && (!parts.watches.works || parts.keeper?.isUnseen === true)) return undefined
    if (this.#busy && !(yield* wait(this.#turn()))) return undefined
    this.#busy = true
    let source: (Source & { release(): void }) | undefined
    try {
      // Between two turns lies a look at what the system has to tell: all that happened before is known.
      yield* wait(nextTurn())
      yield* wait(nextTurn())
      yield* parts.refresher.refresh()
      if (use === 'walk' || this.#isUseful(parts)) source = this.#sourceOf(parts, signal)
    } finally {
      // Also when the request is cancelled in between.
      if (source === undefined) this.#release()
    }
    return source
  }

  /** Undefined while that is not known. */
  get fresh(): IndexStats['fresh'] | undefined {
    if (this.#parts === undefined || this.#state !== 'ready') return undefined
    const { watches, refresher } = this.#parts
    return watches.works && !refresher.isBehind ? 'watch' : 'sweep'
  }

  stats(): IndexStats {
    const parts = this.#parts
    return {
      state: this.#state,
      files: parts?.tree.table.count ?? 0,
      pending: parts?.tree.pending.size ?? 0,
      folders_watched: parts?.watches.count ?? 0,
      fresh: this.fresh ?? 'sweep',
      answers: this.#answers,
      memory_bytes: parts === undefined ? 0 : reservedBytes(parts.kernel.memory),
      content_bytes: parts?.store.contentBytes ?? 0,
      signature_bytes: parts?.store.signatureBytes ?? 0,
      snapshot: parts?.keeper?.stats ?? null,
    }
  }

  /** Waits until every file is read. */
  async settled(): Promise<IndexStats> {
    this.begin('search')
    while (this.#state === 'loading' || (this.#state === 'ready' && this.stats().pending > 0)) {
      if (this.#state === 'ready') this.#readFiles(0)
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    }
    return this.stats()
  }

  /** Writes the snapshot, where there is to be one and it is due. */
  async save(): Promise<void> {
    const parts = this.#parts
    if (this.#state === 'ready' && parts?.keeper !== undefined) await this.#run(parts.keeper.save())
  }

  async close(): Promise<void> {
    this.#ending.abort()
    this.#state = 'off'
    const parts = this.#parts
    this.#parts = undefined
    parts?.watches.close()
    parts?.keeper?.close()
    clearTimeout(this.#resting)
    await Promise.all([parts?.builder.close(), parts?.query.pool?.close()])
    this.#tell()
  }

  #create(): Parts | undefined {
    const { memoryBytes, threads, workerPath, eventLimit, watch } = this.#options
    const memory = createSharedMemory(memoryBytes)
    if (memory === undefined || this.#root.only !== undefined) return undefined
    try {
      const kernel = createKernel(memory)
      const watches = createWatches(eventLimit)
      if (watch === false) watches.giveUp()
      const contentLimit = this.#options.contentBytes ?? memoryBytes * (1 - SIGNATURE_SHARE)
      const indexer = new FileIndexer(kernel, contentLimit)
      const scratch = reserve(memory, FILTER_BYTES)
      const searchAt = reserve(memory, SEARCH_BYTES)
      if (scratch === undefined || searchAt === undefined) return undefined
      const search = new KernelSearch(kernel, searchAt)
      const root = this.#root
      const tree: FolderTree = new FolderTree({
        root,
        watches,
        nowNs: () => BigInt(this.#clock.now().getTime()) * 1_000_000n,
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
        ...{ workerPath, threads, contentLimit, clock: this.#clock },
        onReply: (reply) => this.#onReply(reply),
        onFailure: () => this.#giveUp(),
      })
      store.isQuiet = () => builder.isIdle
      const clock = this.#clock
      const links = new LinkTargets(root, tree)
      const { snapshotFile: file } = this.#options
      const keeper =
        file === undefined
          ? undefined
          : new SnapshotKeeper({ file, root, kernel, tree, store, clock, builder })
      const seen = { root, clock, tree, watches, store, orders, indexer, links }
      const refresher = new Refresher({ ...seen, keeper })
      const { ownFiles } = this.#options
      const query = { pool: this.#createPool(kernel), writer: HitWriter.in(kernel), ownFiles }
      return { kernel, watches, tree, store, search, query, orders, links, builder, refresher, keeper }
    } catch {
      return undefined
    }
  }

  #createPool(kernel: Kernel): QueryPool | undefined {
    const { queryPath, memoryBytes, threads } = this.#options
    if (queryPath === undefined || memoryBytes < LEAST_QUERY_BYTES) return undefined
    return new QueryPool({ kernel, workerPath: queryPath, threads, memoryBytes })
  }

  /** Reads the names of everything that a search usually looks into, then the files. */
  async #load(first: Parts): Promise<void> {
    await this.#restoring
    const parts = this.#parts ?? first
    // Files are read while names are still coming.
    const onTurn = (): void => this.#readFiles(0, true)
    if (this.#state === 'loading') await this.#run(loadTree(this.#root, parts.tree, onTurn))
    if (this.#state !== 'loading') return
    if (isHopeless(parts.tree)) {
      this.#giveUp()
      return
    }
    parts.tree.expectsLinks = true
    this.#state = 'ready'
    this.#readFiles(0)
    this.#tell()
  }

  async #run<Result>(steps: Steps<Result>): Promise<Result> {
    const { signal } = this.#ending
    return await runSteps(steps, { monotonicMs: () => this.#clock.monotonicMs(), signal })
  }

  /** Begins with the snapshot; where that fails, with nothing. */
  async #restore(parts: Parts, keeper: SnapshotKeeper): Promise<void> {
    const restored = await this.#run(keeper.restore()).catch(() => false)
    if (this.#state !== 'loading') return
    if (restored) {
      parts.tree.expectsLinks = true
      this.#isWhole = true
      this.#state = 'ready'
      this.#tell()
    } else if (keeper.isTouched) {
      this.#parts = this.#create()
      parts.watches.close()
      await Promise.all([parts.builder.close(), parts.query.pool?.close()])
      if (this.#parts === undefined) this.#state = 'off'
    }
  }

  /** Nobody asks; if that lasts, there is something to be done for the snapshot. */
  #rest(): void {
    const parts = this.#parts
    if (parts?.keeper === undefined) return
    clearTimeout(this.#resting)
    this.#resting = setTimeout(() => this.#catchUp(parts), REST_MS).unref()
  }

  /** What is due once nobody asks: everything is looked at and watched, contents are read, all is written. */
  #catchUp(parts: Parts): void {
    const { keeper, refresher, builder } = parts
    if (keeper === undefined || this.#busy || this.#state !== 'ready') return
    if (!refresher.isBehind) {
      keeper.saveLater((steps) => void this.#run(steps).catch(() => undefined))
      return
    }
    this.#busy = true
    void this.#run(refresher.refresh())
      .then(() => builder.fill())
      .catch(() => undefined)
      .finally(() => this.#release())
  }

  /** Lets the threads read what is pending when that is more than `few`. */
  #readFiles(few: number, isMoreComing = false): void {
    const parts = this.#parts
    if (parts === undefined || !this.#isSearched || parts.tree.pending.size <= few) return
    void parts.builder.run(isMoreComing).catch(() => this.#giveUp())
  }

  #giveUp(): void {
    void this.close()
  }

  #onReply(reply: BuildReply): void {
    this.#replies.push(reply)
    if (!this.#busy) this.#applyReplies()
  }

  #applyReplies(): void {
    const parts = this.#parts
    if (parts === undefined) return
    const { tree, store, orders } = parts
    if (this.#replies.some(({ fills }) => !fills)) tree.version++
    for (const reply of this.#replies.splice(0)) {
      for (const [index, id] of reply.ids.entries()) {
        const record = readRecord(reply, index)
        const current = tree.table.generations[id] === reply.generations[index]
        if (reply.fills) {
          if (current && !store.fill(id, record)) tree.suspect(id)
          if (!current || tree.table.contents[id] !== record.room?.address) store.discard(record)
          continue
        }
        if (!current || !tree.pending.has(id)) {
          store.discard(record)
          continue
        }
        store.apply(id, record)
        tree.pending.delete(id)
        orders.touch(id)
      }
    }
    if (tree.pending.size > 0) return
    this.#parts?.query.pool?.start()
    this.#tell()
    this.#rest()
  }

  #tell(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #isUseful({ tree }: Parts): boolean {
    const { size } = tree.pending
    this.#isWhole ||= size === 0
    if (!this.#isWhole) return false
    return size <= FEW_FILES || size <= tree.table.count * MOST_PENDING
  }

  /** Waits for whoever has the index now, but not for long; false when it took too long. */
  #turn(): Promise<boolean> {
    return new Promise((resolve) => {
      const turn = (): void => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        this.#turns.splice(this.#turns.indexOf(turn), 1)
        resolve(false)
      }, LONGEST_TURN_MS)
      this.#turns.push(turn)
    })
  }

  #release(): void {
    this.#busy = false
    this.#settle()
    const next = this.#turns.shift()
    if (next === undefined) {
      this.#rest()
      return
    }
    this.#busy = true
    next()
  }

  /** What came meanwhile is taken over. */
  #settle(): void {
    const parts = this.#parts
    if (parts === undefined) return
    for (const id of this.#stale) parts.tree.suspect(id)
    this.#stale.clear()
    this.#applyReplies()
    // A few are read by the next request itself.
    this.#readFiles(FEW_PENDING)
  }

  #sourceOf(parts: Parts, signal: AbortSignal | undefined): Source & { release(): void } {
    const { tree, kernel, orders, links, search, query } = parts
    const root = this.#root
    this.#answers++
    const onStale = (id: number): void => void this.#stale.add(id)
    const positions = this.#positions.bind(this, parts)
    return {
      walk: (options) => new KnownTreeWalk(root, tree, options),
      *files(request, time) {
        const order = yield* orders.of(request)
        const candidates = (): Uint32Array | undefined => positions(order, request)
        const { table } = tree
        const known = { root, table, kernel, order, candidates, search, links: links.known }
        return new KnownFiles({ ...known, query, request, time, signal, onStale })
      },
      release: () => this.#release(),
    }
  }

  /** Positions that have to be searched; undefined for all. */
  #positions(
    { tree, store, kernel, links }: Parts,
    order: SelectedOrder,
    request: Parameters<typeof searchPlan>[0],
  ): Uint32Array | undefined {
    const files = tree.table.names.length
    const found = candidatesOf(searchPlan(request), { kernel, store, files })
    if (found === undefined) return undefined
    const bits = new Uint32Array((order.length >>> 5) + 1)
    const add = (id: number): void => {
      const at = order.positionOf(id)
      if (at !== NOWHERE) bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31))
    }
    eachFile(found, add)
    for (const id of store.unsigned) add(id)
    for (const id of tree.pending) add(id)
    for (const id of tree.links) {
      const target = links.known.get(id)
      if (target === undefined || isIn(found, target) || store.unsigned.has(target)) add(id)
    }
    return bits
  }
}

function isIn(bits: Uint32Array, id: number): boolean {
  return (((bits[id >>> 5] as number) >>> (id & 31)) & 1) === 1
}

const TURN_FOLDERS = 8

/** Beyond this even names are too much to keep. */
const MOST_FILES = 3_000_000

function isHopeless({ isMadeUp, table }: FolderTree): boolean {
  return isMadeUp || table.count > MOST_FILES
}

function* loadTree(root: CorpusRoot, tree: FolderTree, onTurn: () => void): Steps<void> {
  const excludedFolders = new Set(defaultExcludedFolders)
  let folders = 0
  const turn = { due: false }
  const walk = new KnownTreeWalk(root, tree, {
    ...{ includeHidden: false, excludedFolders, gitignore: false },
    wanted: () => {
      turn.due = ++folders % TURN_FOLDERS === 0
      return true
    },
  })
  try {
    while (walk.next() && !isHopeless(tree)) {
      if (!turn.due) continue
      turn.due = false
      onTurn()
      yield
    }
  } finally {
    walk.close()
  }
}
