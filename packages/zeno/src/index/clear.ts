// Removes index snapshots. Running servers are not affected.
import { readdirSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, fileError } from '@zee/core/errors'
import { isSnapshotName, snapshotFacts } from '@zee/corpus'
import type { SnapshotFacts } from '@zee/corpus'
import { resolveLinks } from '@zee/core/links'
import { snapshotFolder } from './snapshot-path.ts'

/** Removes the snapshots of one absolute root, or of all roots. Returns the removed ones. */
export async function removeSnapshots(
  root: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<SnapshotFacts[]> {
  const folder = snapshotFolder(env)
  const wanted = root === undefined ? undefined : resolveLinks(root)
  const removed: SnapshotFacts[] = []
  for (const name of folder === undefined ? [] : namesIn(folder)) {
    if (!isSnapshotName(name, wanted)) continue
    const facts = await remove(path.join(folder as string, name))
    if (facts !== undefined) removed.push(facts)
  }
  return removed
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileError('read', folder, error)
  }
}

/** Returns undefined if the file no longer exists or is not a regular file. */
async function remove(file: string): Promise<SnapshotFacts | undefined> {
  const facts = await snapshotFacts(file)
  if (facts === undefined) return undefined
  try {
    unlinkSync(file)
    return facts
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined
    throw fileError('remove', file, error)
  }
}
