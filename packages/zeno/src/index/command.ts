// `zeno index stats` prints the state of an index; `zeno index clear` removes snapshots and lists them.
import path from 'node:path'
import { oneLine, usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { streamWriter } from '@zee/core/lossless'
import type { SnapshotFacts } from '@zee/corpus'
import type { EngineSettings, IndexStats } from '../engine/engine.ts'
import { removeSnapshots } from './clear.ts'
import { readIndexReport } from './stats.ts'

export interface IndexStatsOptions extends EngineSettings {
  json: boolean
}

export interface IndexClearOptions {
  root: string | undefined
  all: boolean
  json: boolean
}

export async function runIndexStats(options: IndexStatsOptions, host: Host): Promise<number> {
  const { index, snapshot } = await readIndexReport(options, host)
  const text = options.json
    ? JSON.stringify(index === null ? null : { ...index, snapshot: snapshot ?? null })
    : formatStats(index, snapshot)
  await streamWriter(host.stdout)(`${text}\n`)
  return 0
}

export async function runIndexClear(options: IndexClearOptions, host: Host): Promise<number> {
  const { root, all, json } = options
  if ((root === undefined) === !all || root === '') {
    throw usageError('pass either --root <path> or --all')
  }
  const folder = root === undefined ? undefined : path.resolve(host.cwd, root)
  const removed = await removeSnapshots(folder, host.env)
  const lines = removed.map((facts) => (json ? JSON.stringify(facts) : formatRemoved(facts)))
  if (removed.length === 0 && !json) lines.push('nothing to remove')
  await streamWriter(host.stdout)(lines.map((line) => `${line}\n`).join(''))
  return 0
}

function formatStats(stats: IndexStats | null, snapshot: SnapshotFacts | undefined): string {
  if (stats === null || stats.state === 'off') return 'no index: every search reads the disk'
  const unread = stats.pending === 0 ? '' : `, ${stats.pending} pending`
  const freshness =
    stats.fresh === 'watch'
      ? `watching ${stats.folders_watched} folders`
      : 'checking all files before each answer'
  return [
    `files       ${stats.files}${unread}`,
    `freshness   ${freshness}`,
    `contents    ${formatMebibytes(stats.content_bytes)}`,
    `signatures  ${formatMebibytes(stats.signature_bytes)}`,
    `memory      ${formatMebibytes(stats.memory_bytes)}`,
    `answers     ${stats.answers}`,
    `snapshot    ${formatSnapshot(snapshot)}`,
  ].join('\n')
}

function formatSnapshot(snapshot: SnapshotFacts | undefined): string {
  if (snapshot === undefined) return 'none'
  const { file, bytes, created, files } = snapshot
  const content = created === null ? 'unusable' : `${files} files, ${created}`
  return `${oneLine(file)} (${formatMebibytes(bytes)}, ${content})`
}

function formatMebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`
}

function formatRemoved({ file, bytes, root }: SnapshotFacts): string {
  const size = formatMebibytes(bytes)
  return `removed ${oneLine(file)} (${size}${root === null ? '' : `, root ${oneLine(root)}`})`
}
