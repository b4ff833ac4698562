// Reads the sessions of OpenCode from its SQLite database, from a file of `opencode export`, or from the
// folder of JSON files of older versions.
import { openDatabase, type Database } from '../sqlite/sqlite.ts'
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { readBoundedFile } from '@zee/core/bounded-file'
import type { Loose } from './log-values.ts'
import { listAt, objectAt, parsedObject, textAt } from './log-values.ts'
import type { OpencodeSession } from './opencode.ts'

/** `storage` holds session/<project>/<id>.json, message/<session>/<id>.json, part/<message>/<id>.json. */
export function* storedSessions(storage: string): Generator<OpencodeSession> {
  for (const project of names(path.join(storage, 'session'))) {
    for (const file of names(path.join(storage, 'session', project))) {
      let unread = 0
      const read = (...place: string[]): Loose[] => {
        const value = readJson(path.join(storage, ...place))
        if (value === undefined) unread += 1
        return value === undefined ? [] : [value]
      }
      const [session] = read('session', project, file)
      const id = textAt(session?.id)
      if (session === undefined || id === undefined) continue
      // Ids begin with a time, so that the order of names is the order of events.
      const messages = names(path.join(storage, 'message', id))
        .flatMap((name) => read('message', id, name))
        .map((message) => {
          const folder = path.join('part', textAt(message.id) ?? '')
          const parts = names(path.join(storage, folder)).flatMap((name) => read(folder, name))
          return { message, parts }
        })
      yield { session, messages, unread }
    }
  }
}

export function* databaseSessions(file: string): Generator<OpencodeSession> {
  const database = openDatabase(file)
  try {
    const sessions = database.table('session')
    const messages = rowsBy(database, 'message', 'session_id')
    const parts = rowsBy(database, 'part', 'message_id')
    for (const { row } of sessions?.rows() ?? []) {
      const id = textAt(row.id)
      if (id === undefined) continue
      const stored = messages(id).map((message) => ({
        message: withData(message),
        parts: parts(String(message.id)).map(withData),
      }))
      yield { session: row, messages: stored, unread: 0 }
    }
  } finally {
    database.close()
  }
}

/** A file of `opencode export`; undefined for another file, such as the database. */
export function exportedSession(file: string): OpencodeSession | undefined {
  if (!file.endsWith('.json')) return undefined
  const exported = readJson(file)
  const session = objectAt(exported?.info)
  if (textAt(session.id) === undefined) return undefined
  const messages = listAt(exported?.messages)
    .map(objectAt)
    .map(({ info, parts }) => ({ message: objectAt(info), parts: listAt(parts).map(objectAt) }))
  return { session, messages, unread: 0 }
}

/** Finds the rows with a value in `column`, in the order of their ids. Keeps only rowids in memory. */
function rowsBy(database: Database, name: string, column: string): (value: string) => Loose[] {
  const table = database.table(name)
  const rowids = new Map<string, { id: string; rowid: number }[]>()
  for (const { rowid, row } of table?.rows() ?? []) {
    const value = String(row[column])
    const entry = { id: String(row.id), rowid }
    const entries = rowids.get(value)
    if (entries === undefined) rowids.set(value, [entry])
    else entries.push(entry)
  }
  return (value) =>
    [...(rowids.get(value) ?? [])]
      .sort((a, b) => (a.id < b.id ? -1 : 1))
      .map(({ rowid }) => objectAt(table?.row(rowid)))
}

/** The fields of a record are JSON in its column `data`. */
function withData(row: Loose): Loose {
  return { ...row, ...parsedObject(row.data) }
}

function names(folder: string): string[] {
  try {
    return readdirSync(folder).sort()
  } catch {
    return []
  }
}

function readJson(file: string): Loose | undefined {
  try {
    const value: unknown = JSON.parse(
      readBoundedFile(file, { maxBytes: 256 << 20 }).toString('utf8'),
    )
    return objectAt(value)
  } catch {
    return undefined
  }
}
