// Decides when to build and to query the index. The first request is answered from the disk at no extra cost.
// The index and its code load after an idle delay, or with the second request.
import { existsSync } from 'node:fs'
import type { Clock } from '@zee/core/clock'
import type { Engine, TreeUse } from '../engine.ts'
import { omittedIdentities } from '../root/root.ts'
import type { CorpusRoot } from '../root/root.ts'
import { wait } from '../steps.ts'
import type { Steps } from '../steps.ts'
import { fileSystemKind } from './file-systems.ts'
import type { IndexSetup, IndexStats } from './options.ts'
import type { LiveIndex } from './live-index.ts'

export interface LazyIndex {
  /** Runs an operation on the index if it is ready, else on the disk. */
  answer<Result extends { metrics: { fresh?: IndexStats['fresh'] } }>(
    steps: (engine: Engine) => Steps<Result>,
    engine: Engine,
    use: TreeUse,
  ): Steps<Result>
  build(): Promise<IndexStats | undefined>
  stats(): IndexStats | undefined
  close(): Promise<void>
}

/** Idle time after the first answer before the index is built: most clients send only one request. */
const startDelayMs = 200

export function createLazyIndex(
  root: CorpusRoot,
  clock: Clock,
  options: IndexSetup | undefined,
): LazyIndex | undefined {
  // A single file needs no index.
  if (options === undefined || root.onlyFile !== undefined) return undefined
  const isLocal = fileSystemKind(root.folder.path) === 'local'
  const fresh = isLocal && options.watch !== false ? 'watch' : 'sweep'
  // On remote file systems, times may come from another clock and cannot verify a snapshot.
  const snapshotFile = isLocal ? options.snapshotFile : undefined
  /** A snapshot exists, so even the first search uses the index. */
  const hasSnapshot = snapshotFile !== undefined && existsSync(snapshotFile)
  let index: LiveIndex | undefined
  let loading: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isClosed = false
  const load = (): Promise<void> => {
    clearTimeout(timer)
    loading ??= import('./live-index.ts').then((module) => {
      if (!isClosed) index = new module.LiveIndex(root, clock, { ...options, snapshotFile })
    })
    return loading
  }
  const start = async (use: TreeUse): Promise<void> => {
    await load()
    index?.start(use)
  }
  const scheduleStart = (use: TreeUse): void => {
    if (loading !== undefined || isClosed) return
    if (timer === undefined) timer = setTimeout(() => startUnlessClosed(use), startDelayMs).unref()
    else void start(use)
  }
  /** On a busy machine the timer fires before the close of the client is processed; two turns fix that. */
  const startUnlessClosed = (use: TreeUse): void => {
    setImmediate(() => setImmediate(() => isClosed || void start(use)).unref()).unref()
  }
  return {
    *answer(steps, engine, use) {
      const isSecondWalk = use === 'walk' && timer !== undefined
      if (isSecondWalk || (hasSnapshot && use === 'search')) yield* wait(load())
      // The index identifies files by path, but omitted files with hard links have other paths.
      const usable = omittedIdentities(root) === undefined ? index : undefined
      const source = usable === undefined ? undefined : yield* usable.source(use, engine.signal)
      try {
        const result = yield* steps(source === undefined ? engine : { ...engine, source })
        result.metrics.fresh = index?.fresh ?? fresh
        return result
      } finally {
        source?.release()
        if (source === undefined) scheduleStart(use)
      }
    },
    async build() {
      await start('search')
      return index?.whenComplete()
    },
    stats: () => index?.stats(),
    async close() {
      isClosed = true
      clearTimeout(timer)
      await loading
      await index?.save()
      await index?.close()
    },
  }
}
