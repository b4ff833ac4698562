// `zeno index clear`: takes away what indexes have left on the disk. A server that runs is not disturbed.
import { readdirSync, unlinkSync } from 'node:fs'
import path from 'node:path'
import { errnoOf, fileError, oneLine, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { lossless } from '@zee/core/lossless'
import { isSnapshotName, snapshotFacts } from '@zee/corpus'
import type { SnapshotFacts } from '@zee/corpus'
import { realPlace } from './real-place.ts'
import { snapshotFolder } from './snapshot-path.ts'

export interface IndexClearOptions {
  root: string | undefined
  all: boolean
  json: boolean
}

export async function runIndexClear(options: IndexClearOptions, host: Host): Promise<number> {
  const { root, all, json } = options
  if ((root === undefined) === !all || root === '') {
    throw usageError('say which: --root <path> for one root, or --all')
  }
  const folder = snapshotFolder(host.env)
  const wanted = root === undefined ? undefined : realPlace(path.resolve(host.cwd, root))
  const removed: SnapshotFacts[] = []
  for (const name of folder === undefined ? [] : namesIn(folder)) {
    if (!isSnapshotName(name, wanted)) continue
    const facts = await remove(path.join(folder as string, name))
    if (facts !== undefined) removed.push(facts)
  }
  const lines = removed.map((facts) => (json ? JSON.stringify(facts) : inWords(facts)))
  if (removed.length === 0 && !json) lines.push('nothing to remove')
  await lossless(host.stdout)(lines.map((line) => `${line}\n`).join(''))
  return 0
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return []
    throw fileError('read', folder, error)
  }
}

/** Undefined when it is gone already, or is no file. */
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

function inWords({ file, bytes, root }: SnapshotFacts): string {
  const size = `${(bytes / 2 ** 20).toFixed(1)} MiB`
  return `removed ${oneLine(file)} (${size}${root === null ? '' : `, of ${oneLine(root)}`})`
}
