// The index of a corpus: built in the background after the first request, refreshed before each answer, and used
// instead of the disk. Until it is ready, and while it is busy for too long, requests use the disk.
import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises'
import type { Clock } from '@zee/core/clock'
import { reservedBytes } from '../kernel/kernel.ts'
import type { TreeUse } from '../engine.ts'
import type { CorpusRoot } from '../root/root.ts'
import { runSteps, wait } from '../steps.ts'
import type { Steps } from '../steps.ts'
import { applyReplies, maxInlineReads } from './refresh/refresh.ts'
import type { BuildReply } from './refresh/refresh.ts'
import { IndexedSource } from './indexed-source.ts'
import type { IndexSetup, IndexStats } from './options.ts'
import { createParts } from './parts.ts'
import type { IndexParts } from './parts.ts'
import { isUnindexable, loadTree } from './tree/tree.ts'
import type { SnapshotKeeper } from './snapshot/snapshot.ts'

/** With more unread files than both of these the disk is faster. */
const maxPendingShare = 0.25
const maxPendingFiles = 256
/** Time that a request waits for another one before it uses the disk, which takes about as long. */
const maxTurnWaitMs = { walk: 100, search: 1000 } as const
/**
 * Time after the start of the build in which a walk waits for the names. A walk of the disk meanwhile would read the same
 * folders a second time.
 */
const maxTreeWaitMs = 1000
/** Idle time before background work starts. */
const idleMs = 25

export class LiveIndex {
  readonly #root: CorpusRoot
  readonly #clock: Clock
  readonly #options: IndexSetup
  #state: IndexStats['state'] = 'idle'
  /** A search was requested. Lists need only names, so until then no file is read. */
  #isSearched = false
  /** Every file was read once. Before that, a hard link of a changed file may be unknown. */
  #hasReadAll = false
  #parts: IndexParts | undefined
  #isBusy = false
  #answers = 0
  #replies: BuildReply[] = []
  readonly #stale = new Set<number>()
  readonly #ending = new AbortController()
  #waiters: (() => void)[] = []
  #idleTimer: NodeJS.Timeout | undefined
  /** Resolves when the snapshot is restored or rejected. */
  #restoring: Promise<void> | undefined
  /** Resolves when the names of all files are known, or after `maxTreeWaitMs`. */
  #treeWait: Promise<void> = Promise.resolve()
  readonly #turns: (() => void)[] = []

  constructor(root: CorpusRoot, clock: Clock, options: IndexSetup) {
    this.#root = root
    this.#clock = clock
    this.#options = options
  }

  /** Starts to build if idle. `hasRequest`: a search waits for the snapshot to be restored. */
  start(use: TreeUse, hasRequest = false): void {
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
    if (parts.keeper !== undefined) this.#restoring = this.#restore(parts, parts.keeper, hasRequest)
    const loaded = this.#load(parts).catch(() => this.#shutDown())
    this.#treeWait = Promise.race([loaded, delay(maxTreeWaitMs, undefined, { ref: false })])
  }

  /**
   * A source for one request that reflects the disk as of now. Undefined if the index is not ready, or if a
   * complete sweep would cost more than the requested walk.
   */
  *source(use: TreeUse, signal?: AbortSignal): Steps<IndexedSource | undefined> {
    const isFirst = this.#parts === undefined
    this.start(use, use === 'search')
    if (this.#restoring !== undefined && use === 'search') yield* wait(this.#restoring)
    else if (use === 'walk') yield* wait(this.#treeWait)
    else if (isFirst) return undefined
    const parts = this.#parts
    if (parts === undefined || this.#state !== 'ready') return undefined
    if (use === 'walk' && (!parts.watches.isReliable || parts.keeper?.needsVerification === true))
      return undefined
    if (this.#isBusy && !(yield* wait(this.#waitForTurn(use)))) return undefined
    this.#isBusy = true
    let source: IndexedSource | undefined
    try {
      // The event loop polls inotify between two turns, so all earlier changes are then reported.
      yield* wait(nextTurn())
      yield* wait(nextTurn())
      yield* parts.refresher.refresh(isFirst)
      if (use === 'walk' || this.#isUseful(parts)) source = this.#sourceOf(parts, signal)
    } finally {
      // Reached also when the request is cancelled in between.
      if (source === undefined) this.#release()
    }
    return source
  }

  /** Undefined until the index is ready. */
  get fresh(): IndexStats['fresh'] | undefined {
    if (this.#parts === undefined || this.#state !== 'ready') return undefined
    const { watches, refresher } = this.#parts
    return watches.isReliable && !refresher.needsSweep ? 'watch' : 'sweep'
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

  /** Resolves when every file is read. */
  async whenComplete(): Promise<IndexStats> {
    this.start('search')
    for (;;) {
      const { pending } = this.stats()
      const parts = this.#state === 'ready' ? this.#parts : undefined
      if (parts?.refresher.needsSweep === true) await this.#sweepAndFill(parts)
      else if (pending > 0 || this.#state === 'loading' || parts?.builder.isFilling === true) {
        if (parts !== undefined) this.#readFiles(0)
        await new Promise<void>((resolve) => this.#waiters.push(resolve))
      } else return this.stats()
    }
  }

  /** Writes the snapshot if one is configured and stale. */
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
    clearTimeout(this.#idleTimer)
    await Promise.all([parts?.builder.close(), parts?.query.pool?.close()])
    this.#notifyWaiters()
  }

  #create(): IndexParts | undefined {
    return createParts({
      ...{ root: this.#root, clock: this.#clock, options: this.#options },
      onReply: (reply) => this.#onReply(reply),
      onFailure: () => this.#shutDown(),
    })
  }

  /** Reads the names of all files that a default search covers, then the files. */
  async #load(first: IndexParts): Promise<void> {
    await this.#restoring
    const parts = this.#parts ?? first
    // Threads read files while the walk continues.
    const onTurn = (): void => this.#readFiles(0, true)
    if (this.#state === 'loading') await this.#run(loadTree(this.#root, parts.tree, onTurn))
    if (this.#state !== 'loading') return
    if (isUnindexable(parts.tree)) {
      this.#shutDown()
      return
    }
    parts.tree.checksHardLinks = true
    this.#state = 'ready'
    this.#readFiles(0)
    this.#notifyWaiters()
  }

  async #run<Result>(steps: Steps<Result>): Promise<Result> {
    const { signal } = this.#ending
    return await runSteps(steps, { monotonicMs: () => this.#clock.monotonicMs(), signal })
  }

  /** Restores the snapshot; on failure starts with an empty index. */
  async #restore(parts: IndexParts, keeper: SnapshotKeeper, verifies: boolean): Promise<void> {
    const restored = await this.#run(keeper.restore(verifies)).catch(() => false)
    if (this.#state !== 'loading') return
    if (restored) {
      parts.tree.checksHardLinks = true
      this.#hasReadAll = true
      this.#state = 'ready'
      this.#notifyWaiters()
    } else if (keeper.hasLoaded) {
      this.#parts = this.#create()
      parts.watches.close()
      await Promise.all([parts.builder.close(), parts.query.pool?.close()])
      if (this.#parts === undefined) this.#state = 'off'
    }
  }

  /** Starts the idle timer if there is a snapshot to maintain. */
  #scheduleIdleWork(): void {
    const parts = this.#parts
    if (parts?.keeper === undefined) return
    clearTimeout(this.#idleTimer)
    this.#idleTimer = setTimeout(() => this.#runIdleWork(parts), idleMs).unref()
  }

  /** Sweeps the tree and reads missing contents if needed, then saves the snapshot. */
  #runIdleWork(parts: IndexParts): void {
    const { keeper, refresher } = parts
    if (keeper === undefined || this.#isBusy || this.#state !== 'ready') return
    if (refresher.needsSweep) void this.#sweepAndFill(parts)
    else keeper.scheduleSave((steps) => void this.#run(steps).catch(() => undefined))
  }

  /** Sweeps the tree without a request, and reads missing contents. */
  async #sweepAndFill({ refresher, builder }: IndexParts): Promise<void> {
    if (this.#isBusy && !(await this.#waitForTurn())) return
    this.#isBusy = true
    try {
      await this.#run(refresher.refresh())
      if (!refresher.needsSweep) await builder.fill()
    } catch {
      this.#shutDown()
    } finally {
      this.#release()
    }
  }

  /** Lets the threads read pending files if there are more than `threshold`. */
  #readFiles(threshold: number, isMoreComing = false): void {
    const parts = this.#parts
    if (parts === undefined || !this.#isSearched || parts.tree.pending.size <= threshold) return
    void parts.builder.run(isMoreComing).catch(() => this.#shutDown())
  }

  #shutDown(): void {
    void this.close()
  }

  #onReply(reply: BuildReply): void {
    this.#replies.push(reply)
    if (!this.#isBusy) this.#applyReplies()
  }

  #applyReplies(): void {
    const parts = this.#parts
    if (parts === undefined) return
    const hasReplies = this.#replies.length > 0
    applyReplies(this.#replies.splice(0), parts)
    if (parts.tree.pending.size > 0) return
    // Deferred, so that a one-shot client that only waits for the index does not pay for threads.
    if (hasReplies) setImmediate(() => this.#parts?.query.pool?.start())
    this.#notifyWaiters()
    this.#scheduleIdleWork()
  }

  #notifyWaiters(): void {
    for (const resolve of this.#waiters.splice(0)) resolve()
  }

  #isUseful({ tree }: IndexParts): boolean {
    const { size } = tree.pending
    this.#hasReadAll ||= size === 0
    if (!this.#hasReadAll) return false
    return size <= maxPendingFiles || size <= tree.table.count * maxPendingShare
  }

  /** Waits until the index is free; false on timeout. */
  #waitForTurn(use: TreeUse = 'walk'): Promise<boolean> {
    return new Promise((resolve) => {
      const turn = (): void => {
        clearTimeout(timer)
        resolve(true)
      }
      const timer = setTimeout(() => {
        this.#turns.splice(this.#turns.indexOf(turn), 1)
        resolve(false)
      }, maxTurnWaitMs[use])
      this.#turns.push(turn)
    })
  }

  #release(): void {
    this.#isBusy = false
    this.#applyDeferred()
    const next = this.#turns.shift()
    if (next === undefined) {
      this.#scheduleIdleWork()
      return
    }
    this.#isBusy = true
    next()
  }

  /** Applies stale files and replies that arrived during the request. */
  #applyDeferred(): void {
    const parts = this.#parts
    if (parts === undefined) return
    for (const id of this.#stale) parts.tree.invalidate(id)
    this.#stale.clear()
    this.#applyReplies()
    // The next request reads a few files inline.
    this.#readFiles(maxInlineReads)
  }

  #sourceOf(parts: IndexParts, signal: AbortSignal | undefined): IndexedSource {
    this.#answers++
    return new IndexedSource(parts, {
      root: this.#root,
      signal,
      onStale: (id) => void this.#stale.add(id),
      release: () => this.#release(),
    })
  }
}
