// Searches the messages, tool inputs and tool results of the sessions of every project.
import { readSession } from '@zee/agent'
import type { SessionRecord } from '@zee/agent'
import { cutToBytes } from '@zee/core/bounded'
import { oneLine } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { fitLines } from '@zee/core/fit-lines'
import type { Write } from '@zee/core/lossless'
import { cutToCharacters } from '../text/text.ts'
import { baseFolder, sessionsFolder } from '../settings/settings.ts'
import { forEachSession } from './for-each-session.ts'

const maxHitsPerSession = 3
const contextBefore = 30
const maxExcerptCharacters = 100

export interface Hit {
  id: string
  event: number
  /** `user`, `assistant`, the name of a tool, or `<tool> result`. */
  speaker: string
  excerpt: string
}

export const noHitsText = 'No session contains this text.\n'

/** Calls `show` for each hit and returns their number. `needle` is in lower case. */
export async function searchSessions(
  host: Host,
  needle: string,
  show: (hit: Hit) => Promise<void>,
): Promise<number> {
  const folder = sessionsFolder(baseFolder(host.env, host.cwd))
  let hits = 0
  const showCounted = (hit: Hit) => {
    hits += 1
    return show(hit)
  }
  await forEachSession(host, folder, (id) => showHits(folder, id, needle, showCounted))
  return hits
}

export function hitWriter(
  format: string,
  write: Write,
  stdout: NodeJS.WriteStream,
): (hit: Hit) => Promise<void> {
  if (format === 'json') return (hit) => write(`${JSON.stringify(hit)}\n`)
  return ({ id, event, speaker, excerpt }) =>
    write(`${fitLines([`${id}  ${event}  ${speaker}: ${excerpt}`], stdout).join('\n')}\n`)
}

async function showHits(
  folder: string,
  id: string,
  needle: string,
  show: (hit: Hit) => Promise<void>,
): Promise<void> {
  let hits = 0
  const tools = new Map<string, string>()
  for await (const { event, record } of readSession(folder, id)) {
    if (record.type === 'tool_use') tools.set(record.id, record.name)
    const found = searchableText(record, tools)
    const index = found === undefined ? -1 : found.text.toLowerCase().indexOf(needle)
    if (found === undefined || index === -1) continue
    await show({ id, event, speaker: found.speaker, excerpt: excerptAt(found.text, index) })
    hits += 1
    if (hits === maxHitsPerSession) return
  }
}

/** `tools` holds the names of the calls so far by id. */
function searchableText(
  record: SessionRecord,
  tools: ReadonlyMap<string, string>,
): { speaker: string; text: string } | undefined {
  if (record.type === 'message') return { speaker: record.role, text: record.text }
  if (record.type === 'tool_use') return { speaker: record.name, text: leafText(record.input) }
  if (record.type !== 'tool_result') return undefined
  const { output } = record
  const text = leafText(output.ok ? output.data : output.error)
  return { speaker: `${tools.get(record.tool_use_id) ?? 'tool'} result`, text }
}

/** The texts of a JSON value, one per line, so that quotes and newlines match as written. */
function leafText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value).map(leafText).filter(Boolean).join('\n')
}

function excerptAt(text: string, index: number): string {
  const start = codePointStart(text, Math.max(0, index - contextBefore))
  const piece = oneLine(cutToBytes(text.slice(start), 8 * maxExcerptCharacters).text)
  const { text: shown, truncated } = cutToCharacters(piece, maxExcerptCharacters)
  return `${start > 0 ? '…' : ''}${shown}${truncated ? '…' : ''}`
}

/** `index`, or one less if it would split a surrogate pair. */
function codePointStart(text: string, index: number): number {
  return (text.codePointAt(index - 1) ?? 0) > 0xffff ? index - 1 : index
}
