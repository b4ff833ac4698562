// `zdx sessions import`: turns the logs of other programs into zdx sessions. The logs are only read.
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Host } from '@zee/core/exit'
import { createRedactor } from '@zee/core/redact'
import path from 'node:path'
import type { SessionScope } from '../../project/project.ts'
import { readLogs, zstdDecoder } from '@zee/evidence/transcripts'
import type { ImportProgram, LogReading } from '@zee/evidence/transcripts'
import { SessionBuilder } from './builder.ts'
import type { ImportStore, Stored } from './store.ts'
import { importedId, storeSession } from './store.ts'

export type { ImportProgram } from '@zee/evidence/transcripts'

export interface ImportReport {
  counts: Record<Stored | 'empty', number>
  /** Records that were not understood. */
  unreadLines: number
  /** Logs that could not be read. */
  failures: { file: string; reason: string }[]
  sessions: { id: string; stored: Stored; unread: number }[]
}

export async function importSessions(
  host: Host,
  { base, folder }: Pick<SessionScope, 'base' | 'folder'>,
  program: ImportProgram,
  location: string | undefined,
): Promise<ImportReport> {
  const redactor = createRedactor({ environment: host.env })
  const store: ImportStore = { base, folder, redactor, clock: host.clock }
  const named = location === undefined ? undefined : path.resolve(host.cwd, location)
  const report: ImportReport = {
    counts: { imported: 0, updated: 0, unchanged: 0, kept: 0, empty: 0 },
    unreadLines: 0,
    failures: [],
    sessions: [],
  }
  const place = { program, named, env: host.env, unzstd: await zstdDecoder() }
  for (const reading of readLogs(place, () => new SessionBuilder())) {
    await addReading(report, store, program, reading)
  }
  return report
}

async function addReading(
  report: ImportReport,
  store: ImportStore,
  program: ImportProgram,
  { file, session: read, builder, failure }: LogReading<SessionBuilder>,
): Promise<void> {
  if (read === undefined) {
    report.failures.push({ file, reason: failure })
    return
  }
  const session = { ...read, lines: builder.lines }
  report.unreadLines += session.unread
  if (session.lines.length === 0) {
    report.counts.empty += 1
    return
  }
  try {
    const stored = await storeSession(store, program, file, session)
    report.counts[stored] += 1
    report.sessions.push({ id: importedId(program, session.id), stored, unread: session.unread })
  } catch (error) {
    if (error instanceof ZeeError) throw error
    report.failures.push({ file, reason: reasonOf(error) })
  }
}

/** `3 imported, 1 updated, 2 unchanged; 5 records could not be read` */
export function reportText(
  program: string,
  { counts, unreadLines, failures }: ImportReport,
): string {
  const parts = [
    `${counts.imported} imported`,
    `${counts.updated} updated`,
    `${counts.unchanged} unchanged`,
    ...(counts.kept === 0 ? [] : [`${counts.kept} kept, because they were continued with zdx`]),
    ...(counts.empty === 0 ? [] : [`${counts.empty} empty`]),
  ]
  return (
    `${program}: ${parts.join(', ')}; ` +
    `${unreadLines} records and ${failures.length} logs could not be read\n`
  )
}
