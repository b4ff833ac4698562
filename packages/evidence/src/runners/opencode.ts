// OpenCode stores sessions in SQLite (~/.local/share/opencode/opencode.db): one row per session
// with its totals, and messages and parts as JSON. Missing columns yield no number.
import path from 'node:path'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { sqliteReader, type SqliteDatabase } from './open-sqlite.ts'
import { readOpencodeExport } from './opencode-export.ts'
import { asObject } from '../json/json.ts'
import { asCount, withoutUndefined, nonEmptyText } from './log.ts'
import type { Loose, RunnerNumbers, RunnerReading } from './log.ts'
import { usageNumbers } from './token-sum.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface SessionSearch {
  agentId: string | undefined
  /** The start of the first user text; empty without a prompt. */
  promptExcerpt: string
  /** The database is used by this attempt only, so its newest session is the fallback. */
  canTakeNewest: boolean
}

/** Number of sessions, newest first, that are searched for the prompt. */
const maxSessions = 500

const usageFields = {
  input: 'tokens_input',
  output: 'tokens_output',
  cached: 'tokens_cache_read',
  written: 'tokens_cache_write',
  reasoning: 'tokens_reasoning',
  outputLacksThinking: true,
}

export function opencodeDatabase({ XDG_DATA_HOME, HOME }: Environment): string | undefined {
  if (XDG_DATA_HOME) return path.join(XDG_DATA_HOME, 'opencode/opencode.db')
  return HOME ? path.join(HOME, '.local/share/opencode/opencode.db') : undefined
}

/** The session of an attempt, or of an exported file; undefined if the database does not contain it. */
export function readOpencode(
  file: string,
  search: SessionSearch,
  program: string | undefined,
): RunnerReading | undefined {
  const exported = readOpencodeExport(file)
  if (exported !== undefined) return exported
  const open = sqliteReader(program)
  if (open === undefined) {
    const remedy =
      'use Node 22.13 or later, install better-sqlite3 beside zcl, or name a file of opencode export'
    throw new ZeeError('unsupported_log', `OpenCode keeps its log in SQLite: ${remedy}`)
  }
  try {
    const database = open(file)
    try {
      const session = findSession(database, search)
      return session && readSession(database, session)
    } finally {
      database.close()
    }
  } catch (error) {
    throw new ZeeError('unreadable_log', `cannot read ${file}: ${reasonOf(error)}`)
  }
}

function findSession(database: SqliteDatabase, search: SessionSearch): Loose | undefined {
  if (search.agentId !== undefined) {
    const row = database.prepare('SELECT * FROM session WHERE id = ?').get(search.agentId)
    if (row !== undefined) return asObject(row)
  }
  const newest = `SELECT * FROM session ORDER BY rowid DESC LIMIT ${maxSessions}`
  const sessions = database.prepare(newest).all().map(asObject)
  const { promptExcerpt } = search
  const byPrompt =
    promptExcerpt === ''
      ? undefined
      : sessions.find((each) => firstUserText(database, each).includes(promptExcerpt))
  return byPrompt ?? (search.canTakeNewest ? sessions[0] : undefined)
}

function firstUserText(database: SqliteDatabase, { id }: Loose): string {
  const sql = `SELECT ${jsonMember('text')} AS text FROM part
    WHERE session_id = ? AND ${jsonMember('type')} = 'text' ORDER BY rowid LIMIT 1`
  return nonEmptyText(firstRow(database, sql, nonEmptyText(id)).text) ?? ''
}

function readSession(database: SqliteDatabase, session: Loose): RunnerReading | undefined {
  const sessionId = nonEmptyText(session.id)
  if (sessionId === undefined) return undefined
  return {
    usableLines: 1,
    sessionId,
    firstUserTexts: [],
    numbers: {
      ...modelOf(database, session),
      ...withoutUndefined({ turnCount: countRows(database, 'message', 'role', 'user', sessionId) }),
      ...usageNumbers(session, usageFields),
      ...withoutUndefined({
        modelCalls: countRows(database, 'message', 'role', 'assistant', sessionId),
        toolCalls: countRows(database, 'part', 'type', 'tool', sessionId),
      }),
    },
  }
}

/** The model of the session, or else of its last answer. */
function modelOf(database: SqliteDatabase, { id, model }: Loose): RunnerNumbers {
  const stored = typeof model === 'string' ? parseLoose(model) : asObject(model)
  const sql = `SELECT ${jsonMember('modelID')} AS modelID, ${jsonMember('providerID')} AS providerID FROM message
    WHERE session_id = ? AND ${jsonMember('modelID')} IS NOT NULL ORDER BY rowid DESC LIMIT 1`
  const name = nonEmptyText(stored.modelID) ?? nonEmptyText(stored.id)
  const { modelID, providerID } =
    name === undefined
      ? firstRow(database, sql, nonEmptyText(id))
      : { modelID: name, providerID: stored.providerID }
  return withoutUndefined({ model: nonEmptyText(modelID), modelProvider: nonEmptyText(providerID) })
}

function countRows(
  database: SqliteDatabase,
  table: 'message' | 'part',
  key: string,
  value: string,
  sessionId: string,
): number | undefined {
  const sql = `SELECT count(*) AS n FROM ${table} WHERE session_id = ? AND ${jsonMember(key)} = '${value}'`
  return asCount(firstRow(database, sql, sessionId).n)
}

/** SQL for a member of the JSON in `data`; null if `data` is not JSON. */
function jsonMember(key: string): string {
  return `CASE WHEN json_valid(data) THEN json_extract(data, '$.${key}') END`
}

/** The first row; empty if there is none, or if this version of OpenCode lacks the table. */
function firstRow(database: SqliteDatabase, sql: string, sessionId = ''): Loose {
  try {
    return asObject(database.prepare(sql).get(sessionId))
  } catch {
    return {}
  }
}

function parseLoose(text: string): Loose {
  try {
    return asObject(JSON.parse(text))
  } catch {
    return {}
  }
}
