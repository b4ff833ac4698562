// Reads the index state of a root from the shared server, or builds a temporary index without one.
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
  /** The snapshot of the root on disk. */
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
    // close() waits for the snapshot to be written.
    await engine.close()
  }
  return { index, snapshot: await readSnapshotFacts(settings.root, host) }
}

async function readSnapshotFacts(root: string, host: Host): Promise<SnapshotFacts | undefined> {
  const found = snapshotPath(path.resolve(host.cwd, root), host.env)
  return 'file' in found ? await snapshotFacts(found.file) : undefined
}
