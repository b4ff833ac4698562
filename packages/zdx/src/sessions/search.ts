// Searches the messages and tool inputs of all sessions.
import { readSession } from '@zee/agent'
import type { SessionRecord } from '@zee/agent'
import { cutToBytes } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Write } from '@zee/core/lossless'
import { cutToCharacters } from '../text/text.ts'
import { baseFolder, sessionsFolder } from '../settings/settings.ts'
import { forEachSession } from './for-each-session.ts'

const maxHitsPerSession = 3
const contextBefore = 30
const maxExcerptCharacters = 100

/** Writes one line per hit: session, event, speaker, excerpt. `needle` is in lower case. */
export async function searchSessions(host: Host, needle: string, write: Write): Promise<void> {
  const folder = sessionsFolder(baseFolder(host.env, host.cwd))
  await forEachSession(host, folder, (id) => writeHits(folder, id, needle, write))
}

async function writeHits(folder: string, id: string, needle: string, write: Write): Promise<void> {
  let hits = 0
  for await (const { event, record } of readSession(folder, id)) {
    const found = searchableText(record)
    const index = found === undefined ? -1 : found.text.toLowerCase().indexOf(needle)
    if (found === undefined || index === -1) continue
    await write(`${id}  ${event}  ${found.speaker}: ${excerpt(found.text, index)}\n`)
    hits += 1
    if (hits === maxHitsPerSession) return
  }
}

function searchableText(record: SessionRecord): { speaker: string; text: string } | undefined {
  if (record.type === 'message') return { speaker: record.role, text: record.text }
  if (record.type === 'tool_use')
    return { speaker: record.name, text: JSON.stringify(record.input) }
  return undefined
}

function excerpt(text: string, index: number): string {
  const start = codePointStart(text, Math.max(0, index - contextBefore))
  const piece = oneLine(cutToBytes(text.slice(start), 8 * maxExcerptCharacters).text)
  const { text: shown, truncated } = cutToCharacters(piece, maxExcerptCharacters)
  return `${start > 0 ? '…' : ''}${shown}${truncated ? '…' : ''}`
}

/** `index`, or one less if it would split a surrogate pair. */
function codePointStart(text: string, index: number): number {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff ? index - 1 : index
}
