// A tree with a place for its snapshot beside it, and corpora that use it.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { systemClock } from '@zee/core/clock'
import type { Clock } from '@zee/core/clock'
import { onTestFinished } from 'vitest'
import { childProgram } from '../../../../test/support/paths.ts'
import { openCorpus } from '../../src/corpus.ts'
import type { Corpus } from '../../src/corpus.ts'

export interface KeptTree {
  root: string
  file: string
  /** Files that are left out. */
  omit?: string[]
}

/** A second from now: nothing was changed only just before it is read. */
const later: Clock = {
  now: () => new Date(systemClock.now().getTime() + 1000),
  monotonicMs: () => systemClock.monotonicMs(),
}

export function newTree(): KeptTree {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-kept-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const root = path.join(base, 'root')
  mkdirSync(root)
  return { root, file: path.join(base, 'cache/zeno/kept.snapshot') }
}

export function openKept({ root, file, omit = [] }: KeptTree, clock: Clock = later): Corpus {
  return openCorpus(root, {
    omit,
    workerPath: childProgram('corpus', 'regex-worker'),
    clock,
    index: {
      workerPath: childProgram('corpus', 'index-worker'),
      ...{ memoryBytes: 64 << 20, threads: 2, snapshotFile: file },
    },
  })
}

/** Without an index. */
export function openPlain({ root }: KeptTree): Corpus {
  return openCorpus(root, { workerPath: childProgram('corpus', 'regex-worker') })
}

/** Makes an index and leaves its snapshot. */
export async function leaveSnapshot(tree: KeptTree, clock?: Clock): Promise<void> {
  const corpus = openKept(tree, clock)
  await corpus.warm()
  await corpus.close()
}

/** Files that a new index takes over from the snapshot for its first answer. */
export async function restoredFiles(tree: KeptTree): Promise<number> {
  const corpus = openKept(tree)
  try {
    await corpus.grep({ pattern: 'alpha' })
    return corpus.indexStats()?.snapshot?.restored ?? 0
  } finally {
    await corpus.close()
  }
}
