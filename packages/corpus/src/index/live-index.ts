// The index of a corpus: made in the background once somebody searches, kept true to the disk, and asked in
// place of the disk when it can tell. Until then, and whenever it is busy, the disk is asked.
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '@zee/core/clock'
import { reservedBytes } from '../kernel/kernel.ts'
import type { TreeUse } from '../engine.ts'
import type { CorpusRoot } from '../root/root.ts'
import type { Source } from '../source.ts'
import { runSteps, wait } from '../steps.ts'
import type { Steps } from '../steps.ts'
import { applyReplies, fewPending } from './refresh/refresh.ts'
import type { BuildReply } from './refresh/refresh.ts'
import { candidatesOf, eachFile, searchPlan } from './signatures/signatures.ts'
import { nowhere } from './file-table.ts'
import type { IndexSetup, IndexStats } from './options.ts'
import { createParts } from './parts.ts'
import type { IndexParts } from './parts.ts'
import { planIndexedSearch } from './query/query.ts'
import type { SelectedOrder } from './query/query.ts'
import { isHopeless, IndexedWalk, loadTree } from './tree/tree.ts'
import type { SnapshotKeeper } from './snapshot/snapshot.ts'

/** With more unknown files than this share the disk is faster. */
const mostPending = 0.25
const fewFiles = 256
/** How long a request waits for another before it asks the disk instead, which takes about as long. */
const longestTurnMs = { walk: 100, search: 1000 } as const
/** How long nobody must have asked before something is done that nobody waits for. */
const restMs = 25
export class LiveIndex {
  readonly #root: CorpusRoot
  readonly #clock: Clock
  readonly #options: IndexSetup
  #state: IndexStats['state'] = 'idle'
  /** Whether somebody searched: for lists the names are enough, and no file is read. */
  #isSearched = false
  /** Whether every file was read once: before that a file may have another name that is not known yet. */
  #isWhole = false
  #parts: IndexParts | undefined
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

  constructor(root: CorpusRoot, clock: Clock, options: IndexSetup) {
    this.#root = root
    this.#clock = clock
    this.#options = options
  }

  /** Begins to build unless that was done; files are read once somebody searches (who may wait: `isAsked`). */
  begin(use: TreeUse, isAsked = false): void {
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
    if (parts.keeper !== undefined) this.#restoring = this.#restore(parts, parts.keeper, isAsked)
    void this.#load(parts).catch(() => this.#giveUp())
  }

  /**
   * A source that is true to the disk as of now, for one request; undefined when there is none, or when a
   * look at everything would cost more than the walk that is asked for.
   */
  *source(use: TreeUse, signal?: AbortSignal): Steps<(Source & { release(): void }) | undefined> {
    const isFirst = this.#parts === undefined
    this.begin(use, use === 'search')
    if (this.#restoring !== undefined && use === 'search') yield* wait(this.#restoring)
    else if (isFirst) return undefined
    const parts = this.#parts
    if (parts === undefined || this.#state !== 'ready') return undefined
    if (use === 'walk' && (!parts.watches.works || parts.keeper?.isUnseen === true))
      return undefined
    if (this.#busy && !(yield* wait(this.#turn(use)))) return undefined
    this.#busy = true
    let source: (Source & { release(): void }) | undefined
    try {
      // Between two turns lies a look at what the system has to tell: all that happened before is known.
      yield* wait(nextTurn())
      yield* wait(nextTurn())
      yield* parts.refresher.refresh(isFirst)
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
      handed_over: parts?.query.pool?.jobs ?? 0,
      searching: parts?.query.pool?.searching ?? 0,
      memory_bytes: parts === undefined ? 0 : reservedBytes(parts.kernel.memory),
      content_bytes: parts?.store.contentBytes ?? 0,
      signature_bytes: parts?.store.signatureBytes ?? 0,
      snapshot: parts?.keeper?.stats ?? null,
    }
  }

  /** Waits until every file is read. */
  async settled(): Promise<IndexStats> {
    this.begin('search')
    for (;;) {
      const { pending } = this.stats()
      const parts = this.#state === 'ready' ? this.#parts : undefined
      if (parts?.refresher.isBehind === true) await this.#bringUp(parts)
      else if (pending > 0 || this.#state === 'loading' || parts?.builder.isFilling === true) {
        if (parts !== undefined) this.#readFiles(0)
        await new Promise<void>((resolve) => this.#waiting.push(resolve))
      } else return this.stats()
    }
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

  #create(): IndexParts | undefined {
    return createParts({
      ...{ root: this.#root, clock: this.#clock, options: this.#options },
      onReply: (reply) => this.#onReply(reply),
      onFailure: () => this.#giveUp(),
    })
  }

  /** Reads the names of everything that a search usually looks into, then the files. */
  async #load(first: IndexParts): Promise<void> {
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
  async #restore(parts: IndexParts, keeper: SnapshotKeeper, looks: boolean): Promise<void> {
    const restored = await this.#run(keeper.restore(looks)).catch(() => false)
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
    this.#resting = setTimeout(() => this.#catchUp(parts), restMs).unref()
  }

  /** What is due once nobody asks: everything is looked at and watched, contents are read, all is written. */
  #catchUp(parts: IndexParts): void {
    const { keeper, refresher } = parts
    if (keeper === undefined || this.#busy || this.#state !== 'ready') return
    if (refresher.isBehind) void this.#bringUp(parts)
    else keeper.saveLater((steps) => void this.#run(steps).catch(() => undefined))
  }

  /** Looks at everything without being asked, and reads the contents that are missing. */
  async #bringUp({ refresher, builder }: IndexParts): Promise<void> {
    if (this.#busy && !(await this.#turn())) return
    this.#busy = true
    try {
      await this.#run(refresher.refresh())
      if (!refresher.isBehind) await builder.fill()
    } catch {
      this.#giveUp()
    } finally {
      this.#release()
    }
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
    const came = this.#replies.length > 0
    applyReplies(this.#replies.splice(0), parts)
    if (parts.tree.pending.size > 0) return
    // Not for somebody who waits for just this and leaves.
    if (came) setImmediate(() => this.#parts?.query.pool?.start())
    this.#tell()
    this.#rest()
  }

  #tell(): void {
    for (const resolve of this.#waiting.splice(0)) resolve()
  }

  #isUseful({ tree }: IndexParts): boolean {
    const { size } = tree.pending
    this.#isWhole ||= size === 0
    if (!this.#isWhole) return false
    return size <= fewFiles || size <= tree.table.count * mostPending
  }

  /** Waits for whoever has the index now, but not for long; false when it took too long. */
  #turn(use: TreeUse = 'walk'): Promise<boolean> {
    return new Promise((resolve) => {
      const turn = (): void => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        this.#turns.splice(this.#turns.indexOf(turn), 1)
        resolve(false)
      }, longestTurnMs[use])
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
    this.#readFiles(fewPending)
  }

  #sourceOf(parts: IndexParts, signal: AbortSignal | undefined): Source & { release(): void } {
    const { tree, kernel, orders, links, search, query } = parts
    const root = this.#root
    this.#answers++
    const onStale = (id: number): void => void this.#stale.add(id)
    const positions = this.#positions.bind(this, parts)
    return {
      walk: (options) => new IndexedWalk(root, tree, options),
      *planSearch(task) {
        const { request } = task
        const order = yield* orders.of(request)
        const candidateBits = (): Uint32Array | undefined => positions(order, request)
        const { table } = tree
        const indexed = { root, table, kernel, order, candidateBits, search, query }
        return planIndexedSearch({ ...indexed, links: links.known, signal, onStale }, task)
      },
      release: () => this.#release(),
    }
  }

  /** Positions that have to be searched; undefined for all. */
  #positions(
    { tree, store, kernel, links }: IndexParts,
    order: SelectedOrder,
    request: Parameters<typeof searchPlan>[0],
  ): Uint32Array | undefined {
    const files = tree.table.names.length
    const found = candidatesOf(searchPlan(request), { kernel, store, files })
    if (found === undefined) return undefined
    const bits = new Uint32Array((order.length >>> 5) + 1)
    const add = (id: number): void => {
      const at = order.positionOf(id)
      if (at !== nowhere) bits[at >>> 5] = (bits[at >>> 5] as number) | (1 << (at & 31))
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
