// `zeno index stats`: what the index of a root holds. A shared server is asked for its own; where there is
// none, one is made for the occasion.
import type { Host } from '@zee/core/exit'
import { lossless } from '@zee/core/lossless'
import type { IndexStats } from './engine.ts'
import { openAnyEngine } from './open-service.ts'
import type { ServiceSettings } from './open-service.ts'

export interface IndexStatsOptions extends ServiceSettings {
  json: boolean
}

export async function runIndexStats(options: IndexStatsOptions, host: Host): Promise<number> {
  const engine = await openAnyEngine({ ...options, index: true }, host)
  const show = host.stderr.isTTY ? progressOn(host) : undefined
  try {
    const stats = engine.warm === undefined ? undefined : await engine.warm(show)
    const told = stats ?? (await engine.run('index_stats', {})).index
    const text = options.json ? JSON.stringify(told) : inWords(told as IndexStats | null)
    await lossless(host.stdout)(`${text}\n`)
  } finally {
    if (show !== undefined) host.stderr.write('\r\x1b[K')
    await engine.close()
  }
  return 0
}

/** One line that is written over; for a terminal only. */
function progressOn(host: Host): (stats: IndexStats) => void {
  return ({ files, pending }) => {
    host.stderr.write(`\r\x1b[Kindexing: ${files - pending} of ${files} files`)
  }
}

function inWords(stats: IndexStats | null): string {
  if (stats === null || stats.state === 'off')
    return 'no index: searches are answered from the disk'
  const megabytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`
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
  ].join('\n')
}
