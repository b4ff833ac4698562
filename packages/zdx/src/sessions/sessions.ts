// Formats the list of sessions, newest first.
import type { SessionEntry } from '@zee/agent'
import { listSessions } from '@zee/agent'
import type { SessionSummary } from '@zee/agent/sessions'
import { readTitles, summarizeSession } from '@zee/agent/sessions'
import { rfc3339 } from '@zee/core/clock'
import { oneLine } from '@zee/core/errors'
import { cutToCharacters } from '../text/text.ts'
import { sessionsFolder } from '../settings/settings.ts'

const maxTitleCharacters = 60

export const noSessionsText = 'No sessions found.\n'

/** One line per session: id and time, then model, tokens and title if available. */
export function sessionLines(base: string): string[] {
  const folder = sessionsFolder(base)
  const titles = readTitles(base)
  return listSessions(folder).map((entry) => {
    const { title, model, tokens } = summaryOrEmpty(folder, entry)
    const shown = cutToCharacters(oneLine(titles.get(entry.id) ?? title ?? ''), maxTitleCharacters)
    const hasSummary = shown.text !== '' || model !== undefined
    const columns = [
      entry.id,
      formatMinute(entry.modifiedMs),
      ...(hasSummary ? [model ?? '-', tokens === undefined ? '-' : `${tokens} tokens`] : []),
      ...(shown.text === '' ? [] : [`${shown.text}${shown.truncated ? '…' : ''}`]),
    ]
    return `${columns.join('  ')}\n`
  })
}

/** Empty for a session that is unreadable or just deleted: it must not fail the list. */
function summaryOrEmpty(folder: string, entry: SessionEntry): SessionSummary {
  try {
    return summarizeSession(folder, entry)
  } catch {
    return {}
  }
}

function formatMinute(ms: number): string {
  return rfc3339(new Date(ms), 0).slice(0, 16).replace('T', ' ')
}
