// Reads the sessions of OpenCode from its SQLite database, from a file of `opencode export`, or from the
// folder of JSON files of older versions.
import { sqliteReader, type SqliteDatabase } from '../runners/runners.ts'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
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
  const open = sqliteReader(undefined)
  if (open === undefined) {
    const remedy = 'use Node 22.13 or later, or name a file of opencode export'
    throw new ZeeError('unsupported_log', `${file} is a SQLite database: ${remedy}`)
  }
  let database: SqliteDatabase
  try {
    database = open(file)
  } catch (error) {
    throw new ZeeError('unreadable_log', `cannot read ${file}: ${reasonOf(error)}`)
  }
  try {
    for (const row of database.prepare('SELECT * FROM session ORDER BY rowid').all()) {
      const session = objectAt(row)
      const id = textAt(session.id)
      if (id !== undefined) yield databaseSession(database, session, id)
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

function databaseSession(database: SqliteDatabase, session: Loose, id: string): OpencodeSession {
  const rows = (sql: string, value: string) => database.prepare(sql).all(value).map(objectAt)
  const messages = rows('SELECT * FROM message WHERE session_id = ? ORDER BY id', id).map((row) => {
    const parts = rows('SELECT * FROM part WHERE message_id = ? ORDER BY id', String(row.id))
    return { message: withData(row), parts: parts.map(withData) }
  })
  return { session, messages, unread: 0 }
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
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return objectAt(value)
  } catch {
    return undefined
  }
}
