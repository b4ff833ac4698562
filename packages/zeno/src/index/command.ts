// `zeno index stats`: what the index of a root holds. A shared server is asked for its own; where there is
// none, one is made for the occasion.
import path from 'node:path'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { lossless } from '@zee/core/lossless'
import { snapshotFacts } from '@zee/corpus'
import type { SnapshotFacts } from '@zee/corpus'
import type { IndexStats } from './engine.ts'
import { openAnyEngine, progressOf } from './open-service.ts'
import type { ServiceSettings } from './open-service.ts'
import { snapshotPlace } from './snapshot-path.ts'

export interface IndexStatsOptions extends ServiceSettings {
  json: boolean
}

export async function runIndexStats(options: IndexStatsOptions, host: Host): Promise<number> {
  const engine = await openAnyEngine({ ...options, index: true }, host)
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
  const snapshot = await snapshotOf(options.root, host)
  const text = options.json
    ? JSON.stringify(index === null ? null : { ...index, snapshot: snapshot ?? null })
    : inWords(index, snapshot)
  await lossless(host.stdout)(`${text}\n`)
  return 0
}

async function snapshotOf(root: string, host: Host): Promise<SnapshotFacts | undefined> {
  const place = snapshotPlace(path.resolve(host.cwd, root), host.env)
  return 'file' in place ? await snapshotFacts(place.file) : undefined
}

function inWords(stats: IndexStats | null, snapshot: SnapshotFacts | undefined): string {
  if (stats === null || stats.state === 'off')
    return 'no index: searches are answered from the disk'
  const unread = stats.pending === 0 ? '' : `, ${stats.pending} still to be read`
  const told =
    stats.fresh === 'watch'
      ? `changes are told in ${stats.folders_watched} folders`
      : 'changes are looked for before every answer'
  return [
    `files       ${stats.files}${unread}`,
    `freshness   ${told}`,
    `contents    ${megabytes(stats.content_bytes)}`,
    `signatures  ${megabytes(stats.signature_bytes)}`,
    `memory      ${megabytes(stats.memory_bytes)}`,
    `answers     ${stats.answers}`,
    `snapshot    ${snapshotInWords(snapshot)}`,
  ].join('\n')
}

function snapshotInWords(snapshot: SnapshotFacts | undefined): string {
  if (snapshot === undefined) return 'none'
  const { file, bytes, created, files } = snapshot
  const what = created === null ? 'cannot be used' : `${files} files, ${created}`
  return `${oneLine(file)} (${megabytes(bytes)}, ${what})`
}

function megabytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}
