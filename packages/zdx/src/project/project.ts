// Resolves the session that a command works on: by id, by a unique prefix of it, or the newest session
// of the project around `--root`. `--all` widens the choice to every project.
import { latestSession, sessionsNamed } from '@zee/agent'
import { projectRoot } from '@zee/agent/project'
import { oneLine, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import type { Globals } from '../cli/cli.ts'
import { baseFolder, sessionsFolder, workingFolder } from '../settings/settings.ts'

export interface SessionScope {
  base: string
  /** Folder of the session files. */
  folder: string
  /** The canonical path of the project; undefined for every project. */
  project: string | undefined
}

export type ScopeGlobals = Pick<Globals, 'root' | 'all'>

export function sessionScope(host: Host, globals: ScopeGlobals): SessionScope {
  const base = baseFolder(host.env, host.cwd)
  return {
    base,
    folder: sessionsFolder(base),
    project: globals.all ? undefined : projectRoot(workingFolder(host, globals)),
  }
}

/** The newest session in scope; undefined if there is no session at all. */
export function newestSession({ folder, project }: SessionScope): string | undefined {
  const newest = latestSession(folder, project)
  if (newest !== undefined || project === undefined) return newest
  if (latestSession(folder) === undefined) return undefined
  throw new ZeeError(
    'no_session',
    `No sessions found in ${oneLine(project)}; add --all to use the newest of every project`,
  )
}

/** The id of the session that `text` names; undefined if there is none. */
export function sessionNamed(folder: string, text: string): string | undefined {
  const ids = sessionsNamed(folder, text)
  if (ids.length < 2) return ids[0]
  const shown = ids.slice(0, maxCandidates).join(', ')
  const more = ids.length > maxCandidates ? `, and ${ids.length - maxCandidates} more` : ''
  throw new ZeeError(
    'ambiguous_session',
    `'${oneLine(text)}' matches ${ids.length} sessions: ${shown}${more}`,
  )
}

const maxCandidates = 10

export interface ExistingSession extends SessionScope {
  id: string
}

/** The named session, by default the newest in scope; throws if there is none. */
export function requireSession(
  host: Host,
  globals: ScopeGlobals,
  text: string | undefined,
): ExistingSession {
  const scope = sessionScope(host, globals)
  const id = text === undefined ? newestSession(scope) : sessionNamed(scope.folder, text)
  if (id !== undefined) return { ...scope, id }
  const what = text === undefined ? 'No sessions found' : `there is no session '${oneLine(text)}'`
  throw new ZeeError('no_session', what)
}
