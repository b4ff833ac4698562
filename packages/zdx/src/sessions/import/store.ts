// Stores imported sessions. A second import changes nothing; a log that has grown replaces its session,
// unless the session was continued with zdx in the meantime.
import { sessionPath } from '@zee/agent'
import { projectRoot } from '@zee/agent/project'
import { writeFileAtomic } from '@zee/core/atomic-file'
import type { Clock } from '@zee/core/clock'
import { rfc3339 } from '@zee/core/clock'
import { ensureDurableFolder } from '@zee/core/folders'
import { openJournal, readJournalSync } from '@zee/core/journal'
import type { Redactor } from '@zee/core/redact'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, utimesSync } from 'node:fs'
import path from 'node:path'
import type { ImportedSession } from './builder.ts'

export type Stored = 'imported' | 'updated' | 'unchanged' | 'kept'

export interface ImportStore {
  base: string
  folder: string
  redactor: Redactor
  clock: Clock
}

/** The id that a session gets in zdx. */
export function importedId(program: string, id: string): string {
  return `${program}-${id.replace(/[^A-Za-z0-9._-]+/g, '_')}`.slice(0, 150)
}

/** `kept`: the session was continued with zdx, and its log has changed. */
export async function storeSession(
  store: ImportStore,
  program: string,
  file: string,
  session: ImportedSession,
): Promise<Stored> {
  const id = importedId(program, session.id)
  const text = sessionText(store.redactor, program, file, session)
  const target = sessionPath(store.folder, id)
  const old = existsSync(target) ? readFileSync(target, 'utf8') : undefined
  if (old === text || (old !== undefined && old.startsWith(text))) return 'unchanged'
  if (old !== undefined && !wasImported(store.base, id, sha256(old))) return 'kept'
  ensureDurableFolder(store.folder, 0o700)
  // A hash without its session does no harm. A session without its hash counts as continued with zdx.
  recordImport(store, id, sha256(text))
  await writeFileAtomic(target, text, { mode: 0o600 })
  setTime(target, session)
  return old === undefined ? 'imported' : 'updated'
}

/** The list sorts by time: an old session must not become the newest. */
function setTime(target: string, { lines }: ImportedSession): void {
  const last = Date.parse(String(lines.at(-1)?.ts ?? '')) / 1000
  if (!Number.isFinite(last)) return
  try {
    utimesSync(target, last, last)
  } catch {
    // The session is stored; it only has another place in the list.
  }
}

function sessionText(
  redactor: Redactor,
  program: string,
  file: string,
  { id, cwd, lines }: ImportedSession,
): string {
  const meta = {
    type: 'meta',
    schema_version: 1,
    ts: String(lines[0]?.ts ?? ''),
    ...(cwd === undefined ? {} : { root: projectRoot(cwd) }),
    source: { program, id, file },
  }
  const safe = lines.map((line) => redactor.value(line).value)
  return [meta, ...safe].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Hashes of imported sessions as they were written, one line per import. */
function importsPath(base: string): string {
  return path.join(base, 'imports.jsonl')
}

function recordImport({ base, clock }: ImportStore, id: string, hash: string): void {
  const journal = openJournal(importsPath(base))
  try {
    journal.append({ id, sha256: hash, ts: rfc3339(clock.now(), 0) })
    journal.sync()
  } finally {
    journal.close()
  }
}

/** Whether an import wrote the session with these bytes. */
function wasImported(base: string, id: string, hash: string): boolean {
  let isFound = false
  if (!existsSync(importsPath(base))) return false
  readJournalSync(importsPath(base), ({ record }) => {
    if (record.id === id && record.sha256 === hash) isFound = true
  })
  return isFound
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
