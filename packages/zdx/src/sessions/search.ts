// Which sessions speak of something, and where.
import { readSession } from '@zee/agent'
import type { SessionRecord } from '@zee/agent'
import { cutToBytes } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Write } from '@zee/core/lossless'
import { cutCharacters } from '../text/text.ts'
import { baseFolder, sessionsFolder } from '../settings/settings.ts'
import { eachSession } from './each-session.ts'

const hitsPerSession = 3
const charactersBefore = 30
const charactersShown = 100

/** One line per hit: session, event, who said it, the words around it. `wanted` is in lower case. */
export async function searchSessions(host: Host, wanted: string, write: Write): Promise<void> {
  const folder = sessionsFolder(baseFolder(host.env, host.cwd))
  await eachSession(host, folder, (id) => writeHits(folder, id, wanted, write))
}

async function writeHits(folder: string, id: string, wanted: string, write: Write): Promise<void> {
  let hits = 0
  for await (const { event, record } of readSession(folder, id)) {
    const said = wordsOf(record)
    const at = said === undefined ? -1 : said.text.toLowerCase().indexOf(wanted)
    if (said === undefined || at === -1) continue
    await write(`${id}  ${event}  ${said.who}: ${around(said.text, at)}\n`)
    hits += 1
    if (hits === hitsPerSession) return
  }
}

function wordsOf(record: SessionRecord): { who: string; text: string } | undefined {
  if (record.type === 'message') return { who: record.role, text: record.text }
  if (record.type === 'tool_use') return { who: record.name, text: JSON.stringify(record.input) }
  return undefined
}

function around(text: string, at: number): string {
  const start = characterStart(text, Math.max(0, at - charactersBefore))
  const piece = oneLine(cutToBytes(text.slice(start), 8 * charactersShown).text)
  const { text: shown, truncated } = cutCharacters(piece, charactersShown)
  return `${start > 0 ? '…' : ''}${shown}${truncated ? '…' : ''}`
}

/** The place itself, or the one before it where a character of two units would be split. */
function characterStart(text: string, at: number): number {
  return (text.codePointAt(at - 1) ?? 0) > 0xffff ? at - 1 : at
}
