// Looks up the session that a command works on.
import { sessionPath } from '@zee/agent'
import { oneLine, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { existsSync } from 'node:fs'
import { baseFolder, sessionsFolder } from '../settings/settings.ts'

export interface ExistingSession {
  id: string
  folder: string
  base: string
}

/** Throws if the session does not exist. */
export function requireSession({ env, cwd }: Host, id = ''): ExistingSession {
  const base = baseFolder(env, cwd)
  const folder = sessionsFolder(base)
  if (!existsSync(sessionPath(folder, id))) {
    throw new ZeeError('no_session', `there is no session '${oneLine(id)}'`)
  }
  return { id, folder, base }
}
