// When the index is made and asked. The first question is answered from the disk and costs nothing more; the
// index, with all its code, comes when there is time or when a second question shows that it is worth it.
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
  /** Runs an operation over the tree with the best source that there is. */
  answer<Result extends { metrics: { fresh?: IndexStats['fresh'] } }>(
    steps: (engine: Engine) => Steps<Result>,
    engine: Engine,
    use: TreeUse,
  ): Steps<Result>
  warm(): Promise<IndexStats | undefined>
  stats(): IndexStats | undefined
  close(): Promise<void>
}

/** How long nothing is done for an index behind the first answer: most clients have only one question. */
const restMs = 200

export function createLazyIndex(
  root: CorpusRoot,
  clock: Clock,
  options: IndexSetup | undefined,
): LazyIndex | undefined {
  // One file is no tree.
  if (options === undefined || root.onlyFile !== undefined) return undefined
  const isTold = fileSystemKind(root.folder.path) === 'told'
  const fresh = isTold && options.watch !== false ? 'watch' : 'sweep'
  // Elsewhere times may come from another clock, and tell nothing.
  const snapshotFile = isTold ? options.snapshotFile : undefined
  /** The first question is answered by what an earlier index has left. */
  const isKept = snapshotFile !== undefined && existsSync(snapshotFile)
  let index: LiveIndex | undefined
  let loading: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const load = (): Promise<void> => {
    clearTimeout(timer)
    loading ??= import('./live-index.ts').then((module) => {
      if (!closed) index = new module.LiveIndex(root, clock, { ...options, snapshotFile })
    })
    return loading
  }
  const begin = async (use: TreeUse): Promise<void> => {
    await load()
    index?.begin(use)
  }
  const beginLater = (use: TreeUse): void => {
    if (loading !== undefined || closed) return
    if (timer === undefined) timer = setTimeout(() => beginUnlessLeft(use), restMs).unref()
    else void begin(use)
  }
  /** On a busy machine time is up before anybody looked whether the client has left. */
  const beginUnlessLeft = (use: TreeUse): void => {
    setImmediate(() => setImmediate(() => closed || void begin(use)).unref()).unref()
  }
  return {
    *answer(steps, engine, use) {
      if (isKept && use === 'search') yield* wait(load())
      // An index knows files by their names, and these have further ones.
      const asked = omittedIdentities(root) === undefined ? index : undefined
      const source = asked === undefined ? undefined : yield* asked.source(use, engine.signal)
      try {
        const result = yield* steps(source === undefined ? engine : { ...engine, source })
        result.metrics.fresh = index?.fresh ?? fresh
        return result
      } finally {
        source?.release()
        if (source === undefined) beginLater(use)
      }
    },
    async warm() {
      await begin('search')
      return index?.settled()
    },
    stats: () => index?.stats(),
    async close() {
      closed = true
      clearTimeout(timer)
      await loading
      await index?.save()
      await index?.close()
    },
  }
}
