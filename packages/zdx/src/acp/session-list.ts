// `session/list`: the stored sessions of a project, newest first, in pages.
import type { ListSessionsRequest, ListSessionsResponse } from '@agentclientprotocol/sdk'
import { RequestError } from '@agentclientprotocol/sdk'
import { projectRoot } from '@zee/agent/project'
import { rfc3339 } from '@zee/core/clock'
import { oneLine } from '@zee/core/errors'
import { listedSessions } from '../sessions/sessions.ts'
import { sessionsFolder } from '../settings/settings.ts'
import { cutToCharacters } from '../text/text.ts'

const pageSize = 100
const maxTitleCharacters = 100

/** Without `cwd` lists the sessions of every project; `base` is the configuration folder. */
export function listEditorSessions(
  base: string,
  fallbackRoot: string,
  { cwd, cursor }: ListSessionsRequest,
): ListSessionsResponse {
  const start = cursor == null ? 0 : Number(cursor)
  if (!Number.isSafeInteger(start) || start < 0) {
    throw RequestError.invalidParams(undefined, 'the cursor is unknown')
  }
  const project = cwd == null ? undefined : projectRoot(cwd)
  const listed = listedSessions({ base, folder: sessionsFolder(base), project }).sessions
  const end = start + pageSize
  const sessions = listed.slice(start, end).map(({ id, root, title, modifiedMs }) => ({
    sessionId: id,
    cwd: root ?? cwd ?? fallbackRoot,
    title: shortTitle(title),
    updatedAt: rfc3339(new Date(modifiedMs), 0),
  }))
  return { sessions, ...(end < listed.length ? { nextCursor: String(end) } : {}) }
}

function shortTitle(title: string | undefined): string | null {
  return title === undefined ? null : cutToCharacters(oneLine(title), maxTitleCharacters).text
}
