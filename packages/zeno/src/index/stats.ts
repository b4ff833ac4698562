// What the index of a root holds. A shared server is asked for its own; where there is none, one is made
// for the occasion.
import path from 'node:path'
import type { Host } from '@zee/core/exit'
import { snapshotFacts } from '@zee/corpus'
import type { SnapshotFacts } from '@zee/corpus'
import { openAnyEngine } from '../engine/engine.ts'
import type { EngineSettings, IndexStats } from '../engine/engine.ts'
import { progressOf } from './index.ts'
import { snapshotPlace } from './snapshot-path.ts'

export interface FoundIndex {
  index: IndexStats | null
  /** What it left on the disk. */
  snapshot: SnapshotFacts | undefined
}

export async function readIndex(settings: EngineSettings, host: Host): Promise<FoundIndex> {
  const engine = await openAnyEngine({ ...settings, index: true }, host)
  const endProgress = await progressOf(engine, host)
  let index: IndexStats | null
  try {
    const stats = engine.warm === undefined ? undefined : await engine.warm()
    index = stats ?? ((await engine.run('index_stats', {})).index as IndexStats | null)
  } finally {
    endProgress?.()
    // What is left on the disk is written by now.
    await engine.close()
  }
  return { index, snapshot: await snapshotOf(settings.root, host) }
}

async function snapshotOf(root: string, host: Host): Promise<SnapshotFacts | undefined> {
  const place = snapshotPlace(path.resolve(host.cwd, root), host.env)
  return 'file' in place ? await snapshotFacts(place.file) : undefined
}
