// Lists sessions, newest first, as lines for people or as JSON objects.
import path from 'node:path'
import type { SessionEntry } from '@zee/agent'
import { listSessions } from '@zee/agent'
import type { SessionSummary } from '@zee/agent/sessions'
import { readTitles, summarizeSession } from '@zee/agent/sessions'
import { rfc3339 } from '@zee/core/clock'
import { fitColumns } from '@zee/core/columns'
import { errnoOf, oneLine, reasonOf } from '@zee/core/errors'
import type { SessionScope } from '../project/project.ts'
import { cutToCharacters } from '../text/text.ts'
export { undoneLines } from './undone-lines.ts'

const maxTitleCharacters = 60
const minPrefixLength = 8

export const noSessionsText = 'No sessions found.\n'

export interface ListedSession extends SessionEntry, SessionSummary {
  /** Why the summary is empty: the file cannot be read. */
  problem?: string
}

/** The sessions in scope; `others` counts those of other projects. */
export function listedSessions({ base, folder, project }: SessionScope): {
  sessions: ListedSession[]
  others: number
} {
  const titles = readTitles(base)
  const all = listSessions(folder).map((entry) => {
    const summary = summaryOrEmpty(folder, entry)
    return { ...entry, ...summary, title: titles.get(entry.id) ?? summary.title }
  })
  const isHere = ({ root }: ListedSession) =>
    project === undefined || root === undefined || root === project
  const sessions = all.filter(isHere)
  return { sessions, others: all.length - sessions.length }
}

/**
 * The lines of a table that fits into a terminal. A UUID is cut to the shortest prefix of at least eight characters
 * that is unique here, because commands accept it; names that a user chose stay whole. Undefined if the terminal is
 * too narrow.
 */
export function sessionTable(
  sessions: readonly ListedSession[],
  withProject: boolean,
  width: number,
): string[] | undefined {
  const length = uniqueLength(sessions.map(({ id }) => id))
  const rows = sessions.map(({ id, modifiedMs, root, model, tokens, title }) => [
    isUuid(id) ? id.slice(0, length) : id,
    formatMinute(modifiedMs),
    ...(withProject ? [oneLine(path.basename(root ?? '-'))] : []),
    model ?? '-',
    tokens === undefined ? '-' : String(tokens),
    oneLine(title ?? ''),
  ])
  const names = ['id', 'changed', ...(withProject ? ['project'] : []), 'model', 'tokens', 'title']
  return fitColumns([names, ...rows], width, [names.indexOf('tokens')], [names.indexOf('changed')])
}

function isUuid(id: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/.test(id)
}

/** The length from which on the prefixes of sorted neighbours differ. */
function uniqueLength(ids: readonly string[]): number {
  const sorted = ids.toSorted()
  let length = minPrefixLength
  for (const [index, id] of sorted.entries()) {
    const next = sorted[index + 1] ?? ''
    while (length < id.length && id.slice(0, length) === next.slice(0, length)) length++
  }
  return length
}

/** One line per session: id and time, the project if requested, then model, tokens and title. */
export function sessionLine(session: ListedSession, withProject: boolean): string {
  const { id, modifiedMs, root, model, tokens, title } = session
  const shown = cutToCharacters(oneLine(title ?? ''), maxTitleCharacters)
  const hasSummary = shown.text !== '' || model !== undefined
  const columns = [
    id,
    formatMinute(modifiedMs),
    ...(withProject ? [oneLine(root ?? '-')] : []),
    ...(hasSummary ? [model ?? '-', tokens === undefined ? '-' : `${tokens} tokens`] : []),
    ...(shown.text === '' ? [] : [`${shown.text}${shown.truncated ? '…' : ''}`]),
  ]
  return `${columns.join('  ')}\n`
}

export function sessionJson(session: ListedSession): string {
  const { id, modifiedMs, bytes, root, provider, model, tokens, title } = session
  const modified = rfc3339(new Date(modifiedMs), 0)
  const fields = { id, modified, root, provider, model, tokens, title, bytes }
  return `${JSON.stringify(fields)}\n`
}

export function sessionLines(scope: SessionScope): string[] {
  return listedSessions(scope).sessions.map((session) => sessionLine(session, false))
}

/** Empty for a session that is unreadable or just deleted: it must not fail the list. */
function summaryOrEmpty(
  folder: string,
  entry: SessionEntry,
): Pick<ListedSession, keyof SessionSummary | 'problem'> {
  try {
    return summarizeSession(folder, entry)
  } catch (error) {
    return errnoOf(error) === 'ENOENT' ? {} : { problem: reasonOf(error) }
  }
}

export function formatMinute(ms: number): string {
  return rfc3339(new Date(ms), 0).slice(0, 16).replace('T', ' ')
}
