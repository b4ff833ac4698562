// `zdx sessions`: list, show, resume and manage sessions.
import type { SessionWriter } from '@zee/agent'
import { fitLines } from '@zee/core/fit-lines'
import { openSession } from '@zee/agent'
import { deleteSession, forkSession, renameSession } from '@zee/agent/sessions'
import type { SessionPaths, Undone } from '@zee/agent/undo'
import type { Call } from '@zee/core/command-line'
import { oneLine, usageError, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { newUuid } from '@zee/core/ids'
import { terminalSafeWriter } from '@zee/core/lossless'
import type { Globals } from '../cli/cli.ts'
import { withErrorContext } from '../errors/errors.ts'
import { interruptible, listenForInterrupts } from '../interrupt/interrupt.ts'
import { newestSession, requireSession, sessionNamed, sessionScope } from '../project/project.ts'
import { pageFile, undoFolder, workingFolder } from '../settings/settings.ts'
import type { ImportProgram } from './import/import.ts'
import { exportSession, writeJson, writeMarkdown } from './export/export.ts'
import { hitWriter, noHitsText, searchSessions } from './search.ts'
import {
  listedSessions,
  noSessionsText,
  sessionJson,
  sessionLine,
  sessionTable,
} from './sessions.ts'
import { statsJson, statsTable, sumStats } from './stats.ts'
import { undoneLines } from './undone-lines.ts'

type SessionCall = Pick<Call, 'host' | 'args'> & { globals: Globals }

/** Lists the sessions of this project, with `--all` those of every project. */
export async function runList({ host, globals }: Omit<SessionCall, 'args'>): Promise<number> {
  const scope = sessionScope(host, globals)
  const { sessions, others } = await withErrorContext('list sessions', () => listedSessions(scope))
  for (const { id, problem } of sessions) {
    if (problem === undefined) continue
    host.stderr.write(`Warning: session '${id}' cannot be read: ${problem}\n`)
  }
  const write = terminalSafeWriter(host.stdout)
  if (globals.format === 'json') {
    await write(sessions.map(sessionJson).join(''))
    return 0
  }
  const lines = sessions.map((session) => sessionLine(session, globals.all).trimEnd())
  const table =
    host.stdout.isTTY === true && lines.length > 0
      ? sessionTable(sessions, globals.all, host.stdout.columns || 80)
      : undefined
  const text = (table ?? fitLines(lines, host.stdout)).map((line) => `${line}\n`).join('')
  await write(text || noSessionsText)
  if (lines.length === 0 && others > 0) {
    host.stderr.write(`Other projects have ${others} sessions: add --all\n`)
  }
  return 0
}

const maxResultCharacters = 500

export async function runShow({ host, args, globals }: SessionCall): Promise<number> {
  const id = shownSession(host, globals, args[0])
  const write = terminalSafeWriter(host.stdout)
  const isJson = globals.format === 'json'
  const written = isJson
    ? await writeJson(host, id, write)
    : await writeMarkdown(host, id, write, maxResultCharacters)
  if (written > 0) return 0
  const notFound = `Session '${id}' is empty or not found.\n`
  if (isJson) host.stderr.write(notFound)
  else await write(notFound)
  return 0
}

/** The id of the session to show; it need not exist if the user names it. */
function shownSession(host: Host, globals: Globals, named: string | undefined): string {
  if (named === undefined) return requireSession(host, globals, undefined).id
  return sessionNamed(sessionScope(host, globals).folder, named) ?? named
}

/** Resumes the named session; without a name asks on a terminal, otherwise takes the newest. */
export async function runResume(call: SessionCall): Promise<number> {
  const { host, globals, args } = call
  const scope = sessionScope(host, globals)
  const [named] = args
  if (named !== undefined) {
    const id = sessionNamed(scope.folder, named) ?? named
    return (await import('../chat/chat.ts')).runChat(call, { sessionId: id })
  }
  const newest = await withErrorContext('find latest session id', () => newestSession(scope))
  if (newest === undefined) throw new ZeeError('no_session', 'No sessions found to resume')
  const id =
    host.stdin.isTTY === true && host.stderr.isTTY === true
      ? await (await import('./picker/picker.ts')).pickSession(host, scope)
      : newest
  if (id === undefined) return 0
  return (await import('../chat/chat.ts')).runChat(call, { sessionId: id })
}

export async function runFork(
  call: SessionCall & { options: { at: number | undefined } },
): Promise<number> {
  const { id, folder } = requireSession(call.host, call.globals, call.args[0])
  const newId = newUuid()
  await withErrorContext(`fork session '${id}'`, () =>
    forkSession(folder, id, newId, call.options.at),
  )
  call.host.stdout.write(`${newId}\n`)
  return 0
}

export async function runRename(call: SessionCall): Promise<number> {
  const { id, folder, base } = requireSession(call.host, call.globals, call.args[0])
  const title = oneLine(call.args[1] ?? '')
  if (title === '') throw usageError('the title is empty')
  await withErrorContext(`rename session '${id}'`, () =>
    renameSession(base, folder, id, title, call.host.clock),
  )
  return 0
}

export async function runDelete(call: SessionCall): Promise<number> {
  const { id, folder, base } = requireSession(call.host, call.globals, call.args[0])
  const folders = { base, folder, undo: undoFolder(base, id), page: pageFile(base, id) }
  await withErrorContext(`delete session '${id}'`, () =>
    deleteSession(folders, id, call.host.clock),
  )
  return 0
}

/** Case-insensitive. */
export async function runSearch({ host, args, globals }: SessionCall): Promise<number> {
  const needle = (args[0] ?? '').toLowerCase()
  if (needle.trim() === '') throw usageError('the search text is empty')
  const write = terminalSafeWriter(host.stdout)
  const show = hitWriter(globals.format, write, host.stdout)
  const hits = await withErrorContext('search sessions', () => searchSessions(host, needle, show))
  if (hits === 0 && globals.format !== 'json') host.stderr.write(noHitsText)
  return 0
}

export async function runExport(
  call: SessionCall & { options: { format: string | undefined; out: string | undefined } },
): Promise<number> {
  const { host, globals, args, options } = call
  // A global `--format json` stands before the command.
  const format = options.format ?? (globals.format === 'json' ? 'json' : 'md')
  await exportSession(host, shownSession(host, globals, args[0]), { ...options, format })
  return 0
}

/** Sums one session, by default the newest; with `--all` and no id every session. */
export async function runStats({ host, args, globals }: SessionCall): Promise<number> {
  const scope = sessionScope(host, globals)
  const isEvery = globals.all && args[0] === undefined
  const id = isEvery ? undefined : requireSession(host, globals, args[0]).id
  const stats = await sumStats(host, scope, id)
  const width = host.stdout.isTTY === true ? host.stdout.columns || 80 : Number.POSITIVE_INFINITY
  const text = globals.format === 'json' ? statsJson(stats) : statsTable(stats, width)
  await terminalSafeWriter(host.stdout)(text)
  return 0
}

/** Imports the logs of another program; fails if none could be imported. */
export async function runImport({ host, args, globals }: SessionCall): Promise<number> {
  const { importSessions, reportText } = await import('./import/import.ts')
  const [program, place] = args as [ImportProgram, string | undefined]
  const scope = sessionScope(host, globals)
  const report = await withErrorContext(`import ${program}`, () =>
    importSessions(host, scope, program, place),
  )
  for (const { file, reason } of report.failures) {
    host.stderr.write(`Warning: ${oneLine(file)} was not imported: ${reason}\n`)
  }
  const text =
    globals.format === 'json'
      ? report.sessions.map((session) => `${JSON.stringify(session)}\n`).join('')
      : reportText(program, report)
  await terminalSafeWriter(host.stdout)(text)
  return report.sessions.length === 0 && report.failures.length > 0 ? 1 : 0
}

/** Replays a session; exit 3 if the replay differs from the recording. With `--model` asks a model. */
export async function runReplay({ host, args, globals }: SessionCall): Promise<number> {
  const session = requireSession(host, globals, args[0])
  const { replay } = await import('./replay/replay.ts')
  const interrupts = listenForInterrupts()
  try {
    const { text, exitCode } = await interruptible(interrupts, () =>
      withErrorContext(`replay session '${session.id}'`, () =>
        replay(host, globals, session, interrupts),
      ),
    )
    await terminalSafeWriter(host.stdout)(text)
    return exitCode
  } finally {
    interrupts.stop()
  }
}

/** Prints what one session cost, by default the newest. */
export async function runBill({ host, args, globals }: SessionCall): Promise<number> {
  const { id, folder } = requireSession(host, globals, args[0])
  const { billJson, billText, readBill } = await import('./bill/bill.ts')
  const turns = await withErrorContext(`load session '${id}'`, () => readBill(folder, id))
  const text = globals.format === 'json' ? billJson(id, turns) : billText(id, turns)
  await terminalSafeWriter(host.stdout)(text)
  return 0
}

export async function runUndo(
  call: SessionCall & { options: { to: number | undefined; force: boolean } },
): Promise<number> {
  const { to, force } = call.options
  const { undoSession } = await import('@zee/agent/undo')
  return changeFiles(call, 'undo', (paths, session) => undoSession(paths, { to, force }, session))
}

export async function runRedo(
  call: SessionCall & { options: { force: boolean } },
): Promise<number> {
  const { force } = call.options
  const { redoSession } = await import('@zee/agent/undo')
  return changeFiles(call, 'redo', (paths, session) => redoSession(paths, { force }, session))
}

/** Runs an undo or a redo and prints each file. */
async function changeFiles(
  call: SessionCall,
  verb: 'undo' | 'redo',
  work: (paths: SessionPaths, session: SessionWriter) => Promise<Undone>,
): Promise<number> {
  const { id, folder, base } = requireSession(call.host, call.globals, call.args[0])
  const paths = { sessions: folder, undo: undoFolder(base, id), id, env: call.host.env }
  const session = openSession(folder, id, call.host.clock)
  try {
    const undone = await withErrorContext(`${verb} session '${id}'`, () => work(paths, session))
    call.host.stdout.write(undoneLines(undone))
  } finally {
    session.close()
  }
  return 0
}

export async function runDiff(call: SessionCall): Promise<number> {
  const { id, folder, base } = requireSession(call.host, call.globals, call.args[0])
  const [{ sessionDiff }, { createRedactor }] = await Promise.all([
    import('@zee/agent/undo'),
    import('@zee/core/redact'),
  ])
  const paths = { sessions: folder, undo: undoFolder(base, id), id, env: call.host.env }
  const diff = await sessionDiff(paths, workingFolder(call.host, call.globals))
  const { text } = createRedactor({ environment: call.host.env }).text(diff)
  await terminalSafeWriter(call.host.stdout)(text)
  if (text === '') call.host.stderr.write('This session changed no files.\n')
  return 0
}
