// `zee search`: prints hits over all programs, newest first.
import path from 'node:path'
import { usageError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { coloursFor, withoutControls } from '@zee/core/colour'
import { cutToWidth } from '@zee/core/columns'
import { streamWriter } from '@zee/core/lossless'
import { findPlaces } from '../places/places.ts'
import { searchEverything, type Hit } from './search.ts'

export async function runSearch(
  text: string,
  { json }: { json: boolean },
  host: Host,
): Promise<number> {
  if (text.trim() === '') throw usageError('the text to find is empty')
  const { hits, skipped } = await searchEverything(text, findPlaces(host), host)
  const write = streamWriter(host.stdout)
  for (const hit of hits) await write(json ? `${JSON.stringify(hit)}\n` : describe(hit, host))
  if (!json && hits.length === 0) await write(`Nothing found for '${withoutControls(text)}'.\n`)
  for (const reason of skipped) host.stderr.write(`zee: not searched: ${reason}\n`)
  return 0
}

function describe(hit: Hit, host: Host): string {
  const { bold, dim } = coloursFor(host.stdout, host.env)
  const [id = '', where, excerpt, command = ''] = [hit.id, hit.where, hit.excerpt, hit.command].map(
    withoutControls,
  )
  const time =
    hit.timeMs > 0 ? new Date(hit.timeMs).toISOString().slice(0, 16).replace('T', ' ') : '-'
  const width = host.stdout.isTTY === true ? host.stdout.columns || 80 : Number.POSITIVE_INFINITY
  const found = cutToWidth(`  ${where}: ${excerpt}`, width)
  return `${dim(time)}  ${hit.kind} ${bold(id)}\n${found}\n  ${dim('$')} ${shorter(command, host.cwd)}\n`
}

/** Paths below the current folder are written relative to it. */
function shorter(command: string, cwd: string): string {
  return command.replace(` ${cwd}${path.sep}`, ' ')
}
