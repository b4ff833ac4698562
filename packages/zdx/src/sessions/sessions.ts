// The list of sessions: newest first, one line each.
import type { SessionEntry } from '@zee/agent'
import { listSessions } from '@zee/agent'
import type { SessionSummary } from '@zee/agent/sessions'
import { readTitles, summarizeSession } from '@zee/agent/sessions'
import { rfc3339 } from '@zee/core/clock'
import { oneLine } from '@zee/core/errors'
import { cutCharacters } from '../text/text.ts'
import { sessionsFolder } from '../settings/settings.ts'

const titleCharacters = 60

export const noSessions = 'No sessions found.\n'

/** Id and time, then model, tokens and title as far as they are known. */
export function sessionLines(base: string): string[] {
  const folder = sessionsFolder(base)
  const titles = readTitles(base)
  return listSessions(folder).map((entry) => {
    const { title, model, tokens } = summaryOf(folder, entry)
    const shown = cutCharacters(oneLine(titles.get(entry.id) ?? title ?? ''), titleCharacters)
    const known = shown.text !== '' || model !== undefined
    const columns = [
      entry.id,
      minute(entry.modifiedMs),
      ...(known ? [model ?? '-', tokens === undefined ? '-' : `${tokens} tokens`] : []),
      ...(shown.text === '' ? [] : [`${shown.text}${shown.truncated ? '…' : ''}`]),
    ]
    return `${columns.join('  ')}\n`
  })
}

/** One session that cannot be read, or has just gone, must not hide the others. */
function summaryOf(folder: string, entry: SessionEntry): SessionSummary {
  try {
    return summarizeSession(folder, entry)
  } catch {
    return {}
  }
}

function minute(ms: number): string {
  return rfc3339(new Date(ms), 0).slice(0, 16).replace('T', ' ')
}
