// Temporary trees with a snapshot file beside them, and corpora over them.
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { systemClock } from '@zee/core/clock'
import type { Clock } from '@zee/core/clock'
import { onTestFinished } from 'vitest'
import { openCorpus } from '../../src/corpus.ts'
import type { Corpus } from '../../src/corpus.ts'
import { workerFile } from './trees.ts'

export interface SnapshotTree {
  root: string
  file: string
  /** Files to omit. */
  omit?: string[]
}

/** Runs 1 s ahead, so that no file counts as modified just before it is read. */
const later: Clock = {
  now: () => new Date(systemClock.now().getTime() + 1000),
  monotonicMs: () => systemClock.monotonicMs(),
}

export function newTree(): SnapshotTree {
  const base = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-snapshot-')))
  onTestFinished(() => rmSync(base, { recursive: true, force: true }))
  const root = path.join(base, 'root')
  mkdirSync(root)
  return { root, file: path.join(base, 'cache/zeno/tree.snapshot') }
}

export function openIndexed({ root, file, omit = [] }: SnapshotTree, clock: Clock = later): Corpus {
  return openCorpus(root, {
    omit,
    workerFile,
    clock,
    index: { memoryBytes: 64 << 20, threads: 2, snapshotFile: file },
  })
}

export function openUnindexed({ root }: SnapshotTree): Corpus {
  return openCorpus(root, { workerFile })
}

/** Builds an index, saves its snapshot and closes. */
export async function writeSnapshot(tree: SnapshotTree, clock?: Clock): Promise<void> {
  const corpus = openIndexed(tree, clock)
  await corpus.buildIndex()
  await corpus.close()
}

/** Number of files that a new index restores from the snapshot for its first result. */
export async function countRestoredFiles(tree: SnapshotTree): Promise<number> {
  const corpus = openIndexed(tree)
  try {
    await corpus.grep({ pattern: 'alpha' })
    return corpus.indexStats()?.snapshot?.restored ?? 0
  } finally {
    await corpus.close()
  }
}
