// What the index of a root holds. A shared server is asked for its own; where there is none, one is made
// for the occasion.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { snapshotFacts } from '@zee/corpus'
import type { SnapshotFacts } from '@zee/corpus'
import { openEngine } from '../engine/engine.ts'
import type { EngineSettings, IndexStats } from '../engine/engine.ts'
import { startProgress } from './index.ts'
import { snapshotPath } from './snapshot-path.ts'

export interface IndexReport {
  index: IndexStats | null
  /** What it left on the disk. */
  snapshot: SnapshotFacts | undefined
}

export async function readIndexReport(settings: EngineSettings, host: Host): Promise<IndexReport> {
  const engine = await openEngine({ ...settings, index: true }, host)
  const endProgress = await startProgress(engine, host)
  let index: IndexStats | null
  try {
    const stats = engine.buildIndex === undefined ? undefined : await engine.buildIndex()
    index = stats ?? ((await engine.run('index_stats', {})).index as IndexStats | null)
  } finally {
    endProgress?.()
    // What is left on the disk is written by now.
    await engine.close()
  }
  return { index, snapshot: await readSnapshotFacts(settings.root, host) }
}

async function readSnapshotFacts(root: string, host: Host): Promise<SnapshotFacts | undefined> {
  const place = snapshotPath(path.resolve(host.cwd, root), host.env)
  return 'file' in place ? await snapshotFacts(place.file) : undefined
}
