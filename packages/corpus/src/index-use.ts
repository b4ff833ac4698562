// When the index is made and asked. The first question is answered from the disk and costs nothing more; the
// index, with all its code, comes when there is time or when a second question shows that it is worth it.
import type { Clock } from '@zee/core/clock'
import type { Arguments } from './arguments.ts'
import type { Engine } from './engine.ts'
import type { Metrics } from './metrics.ts'
import type { CorpusRoot } from './root.ts'

import type { Steps } from './steps.ts'
import { fileSystemKind } from './warm/file-systems.ts'
import type { IndexOptions, IndexStats } from './warm/index-options.ts'
import type { WarmIndex } from './warm/warm-index.ts'

export interface IndexUse {
  /** Runs an operation over the tree with the best source that there is. */
  answer<Result extends { metrics: Metrics }>(
    steps: (engine: Engine, args: Arguments) => Steps<Result>,
    engine: Engine,
    args: Arguments,
    use: 'walk' | 'search',
  ): Steps<Result>
  warm(): Promise<IndexStats | undefined>
  stats(): IndexStats | undefined
  close(): Promise<void>
}

/** How long nothing is done for an index behind the first answer: most clients have only one question. */
const REST_MS = 25

export function createIndexUse(
  root: CorpusRoot,
  clock: Clock,
  options: IndexOptions | undefined,
): IndexUse | undefined {
  // One file is no tree.
  if (options === undefined || root.only !== undefined) return undefined
  const isTold = options.watch !== false && fileSystemKind(root.folder.path) === 'told'
  const fresh = isTold ? 'watch' : 'sweep'
  let index: WarmIndex | undefined
  let loading: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let closed = false
  const begin = (use: 'walk' | 'search'): Promise<void> => {
    clearTimeout(timer)
    loading ??= import('./warm/warm-index.ts').then((module) => {
      if (closed) return
      index = new module.WarmIndex(root, clock, options)
      index.begin(use)
    })
    return loading
  }
  const beginLater = (use: 'walk' | 'search'): void => {
    if (loading !== undefined || closed) return
    if (timer === undefined) timer = setTimeout(() => void begin(use), REST_MS).unref()
    else void begin(use)
  }
  return {
    *answer(steps, engine, args, use) {
      const source = index === undefined ? undefined : yield* index.source(use)
      try {
        const result = yield* steps(source === undefined ? engine : { ...engine, source }, args)
        return { ...result, metrics: { ...result.metrics, fresh: index?.fresh ?? fresh } }
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
      await index?.close()
    },
  }
}
