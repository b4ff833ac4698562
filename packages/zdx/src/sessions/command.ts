// `zdx sessions`: list, show, resume and manage sessions.
import { latestSession, openSession } from '@zee/agent'
import { deleteSession, forkSession, renameSession } from '@zee/agent/sessions'
import type { Call } from '@zee/core/command-line'
import { oneLine, usageError, ZeeError } from '@zee/core/errors'
import { newUuid } from '@zee/core/ids'
import { terminalSafeWriter } from '@zee/core/lossless'
import type { Globals } from '../cli/cli.ts'
import { withErrorContext } from '../errors/errors.ts'
import { baseFolder, sessionsFolder, undoFolder, workingFolder } from '../settings/settings.ts'
import { requireSession } from './require-session.ts'
import { exportSession, writeMarkdown } from './export/export.ts'
import { searchSessions } from './search.ts'
import { noSessionsText, sessionLines } from './sessions.ts'
import { statsTable } from './stats.ts'

type SessionCall = Pick<Call, 'host' | 'args'>

export async function runList({ host }: Pick<Call, 'host'>): Promise<number> {
  const base = baseFolder(host.env, host.cwd)
  const lines = await withErrorContext('list sessions', () => sessionLines(base))
  await terminalSafeWriter(host.stdout)(lines.join('') || noSessionsText)
  return 0
}

const maxResultCharacters = 500

export async function runShow({ host, args }: SessionCall): Promise<number> {
  const id = args[0] ?? ''
  const write = terminalSafeWriter(host.stdout)
  const sections = await writeMarkdown(host, id, write, maxResultCharacters)
  if (sections === 0) await write(`Session '${id}' is empty or not found.\n`)
  return 0
}

/** Resumes the named session, by default the latest. */
export async function runResume(call: SessionCall & { globals: Globals }): Promise<number> {
  const folder = sessionsFolder(baseFolder(call.host.env, call.host.cwd))
  const id =
    call.args[0] ?? (await withErrorContext('find latest session id', () => latestSession(folder)))
  if (id === undefined) throw new ZeeError('no_session', 'No sessions found to resume')
  return (await import('../chat/chat.ts')).runChat(call, { sessionId: id })
}

export async function runFork(
  call: SessionCall & { options: { at: number | undefined } },
): Promise<number> {
  const { id, folder } = requireSession(call.host, call.args[0])
  const newId = newUuid()
  await withErrorContext(`fork session '${id}'`, () =>
    forkSession(folder, id, newId, call.options.at),
  )
  call.host.stdout.write(`${newId}\n`)
  return 0
}

export async function runRename(call: SessionCall): Promise<number> {
  const { id, folder, base } = requireSession(call.host, call.args[0])
  const title = oneLine(call.args[1] ?? '')
  if (title === '') throw usageError('the title is empty')
  await withErrorContext(`rename session '${id}'`, () =>
    renameSession(base, folder, id, title, call.host.clock),
  )
  return 0
}

export async function runDelete(call: SessionCall): Promise<number> {
  const { id, folder, base } = requireSession(call.host, call.args[0])
  await withErrorContext(`delete session '${id}'`, () =>
    deleteSession({ base, folder, undo: undoFolder(base, id) }, id, call.host.clock),
  )
  return 0
}

/** Case-insensitive. */
export async function runSearch({ host, args }: SessionCall): Promise<number> {
  const needle = (args[0] ?? '').toLowerCase()
  if (needle.trim() === '') throw usageError('the search text is empty')
  const write = terminalSafeWriter(host.stdout)
  await withErrorContext('search sessions', () => searchSessions(host, needle, write))
  return 0
}

export async function runExport(
  call: SessionCall & { options: { format: string; out: string | undefined } },
): Promise<number> {
  await exportSession(call.host, call.args[0] ?? '', call.options)
  return 0
}

/** Sums one session, by default all. */
export async function runStats({ host, args }: SessionCall): Promise<number> {
  await terminalSafeWriter(host.stdout)(await statsTable(host, args[0]))
  return 0
}

export async function runUndo(
  call: SessionCall & { options: { to: number | undefined } },
): Promise<number> {
  const { id, folder, base } = requireSession(call.host, call.args[0])
  const { undoSession } = await import('@zee/agent/undo')
  const folders = { sessions: folder, undo: undoFolder(base, id), id }
  const session = openSession(folder, id, call.host.clock)
  try {
    const { files } = await withErrorContext(`undo session '${id}'`, () =>
      undoSession(folders, call.options.to, session),
    )
    call.host.stdout.write(files.map((file) => `Restored ${oneLine(file)}\n`).join(''))
  } finally {
    session.close()
  }
  return 0
}

export async function runDiff(call: SessionCall & { globals: Globals }): Promise<number> {
  const { id, folder, base } = requireSession(call.host, call.args[0])
  const { sessionDiff } = await import('@zee/agent/undo')
  const folders = { sessions: folder, undo: undoFolder(base, id), id }
  const diff = await sessionDiff(folders, workingFolder(call.host, call.globals))
  await terminalSafeWriter(call.host.stdout)(diff)
  return 0
}
