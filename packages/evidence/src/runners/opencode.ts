// OpenCode keeps its sessions in SQLite (~/.local/share/opencode/opencode.db): a row for each session
// with its sums, and its messages and their parts as JSON. Columns that are not there are not known.
import path from 'node:path'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { sqliteReader, type Database } from './open-sqlite.ts'
import { countIn, known, objectIn, textIn } from './log.ts'
import type { Loose, RunnerNumbers, RunnerReading } from './log.ts'
import { usageNumbers } from './token-sum.ts'

type Environment = Readonly<Record<string, string | undefined>>

export interface SessionSearch {
  agentId: string | undefined
  /** The beginning of what the user said first. */
  words: string
  /** The database belongs to this attempt alone, so its newest session is the one. */
  takesNewest: boolean
}

/** The prompt is looked for in so many sessions, the newest first. */
const mostSessions = 500

const usageFields = {
  input: 'tokens_input',
  output: 'tokens_output',
  cached: 'tokens_cache_read',
  reasoning: 'tokens_reasoning',
}

export function opencodeDatabase({ XDG_DATA_HOME, HOME }: Environment): string | undefined {
  if (XDG_DATA_HOME) return path.join(XDG_DATA_HOME, 'opencode/opencode.db')
  return HOME ? path.join(HOME, '.local/share/opencode/opencode.db') : undefined
}

/** Undefined when the database holds no session of this attempt. */
export function readOpencode(
  file: string,
  search: SessionSearch,
  cwd: string,
): RunnerReading | undefined {
  const open = sqliteReader(cwd)
  if (open === undefined) {
    const remedy = 'use Node 22.13 or later, or install better-sqlite3'
    throw new ZeeError('unsupported_log', `OpenCode keeps its log in SQLite: ${remedy}`)
  }
  try {
    const database = open(file)
    try {
      const session = sessionOf(database, search)
      return session && readingOf(database, session)
    } finally {
      database.close()
    }
  } catch (error) {
    throw new ZeeError('unreadable_log', `cannot read ${file}: ${reasonOf(error)}`)
  }
}

function sessionOf(database: Database, search: SessionSearch): Loose | undefined {
  if (search.agentId !== undefined) {
    const row = database.prepare('SELECT * FROM session WHERE id = ?').get(search.agentId)
    if (row !== undefined) return objectIn(row)
  }
  const newest = `SELECT * FROM session ORDER BY rowid DESC LIMIT ${mostSessions}`
  const sessions = database.prepare(newest).all().map(objectIn)
  const { words } = search
  const byPrompt =
    words === '' ? undefined : sessions.find((each) => firstWords(database, each).includes(words))
  return byPrompt ?? (search.takesNewest ? sessions[0] : undefined)
}

function firstWords(database: Database, { id }: Loose): string {
  const sql = `SELECT ${json('text')} AS text FROM part
    WHERE session_id = ? AND ${json('type')} = 'text' ORDER BY rowid LIMIT 1`
  return textIn(firstRow(database, sql, textIn(id)).text) ?? ''
}

function readingOf(database: Database, session: Loose): RunnerReading | undefined {
  const sessionId = textIn(session.id)
  if (sessionId === undefined) return undefined
  return {
    usableLines: 1,
    sessionId,
    firstWords: [],
    numbers: {
      ...modelOf(database, session),
      ...known({ turnCount: countOf(database, 'message', 'role', 'user', sessionId) }),
      ...usageNumbers(session, usageFields),
      ...known({ toolCalls: countOf(database, 'part', 'type', 'tool', sessionId) }),
    },
  }
}

/** The session says it, or else the last of its answers. */
function modelOf(database: Database, { id, model }: Loose): RunnerNumbers {
  const said = typeof model === 'string' ? parsed(model) : objectIn(model)
  const sql = `SELECT ${json('modelID')} AS modelID, ${json('providerID')} AS providerID FROM message
    WHERE session_id = ? AND ${json('modelID')} IS NOT NULL ORDER BY rowid DESC LIMIT 1`
  const name = textIn(said.modelID) ?? textIn(said.id)
  const { modelID, providerID } =
    name === undefined
      ? firstRow(database, sql, textIn(id))
      : { modelID: name, providerID: said.providerID }
  return known({ model: textIn(modelID), modelProvider: textIn(providerID) })
}

function countOf(
  database: Database,
  table: 'message' | 'part',
  key: string,
  value: string,
  sessionId: string,
): number | undefined {
  const sql = `SELECT count(*) AS n FROM ${table} WHERE session_id = ? AND ${json(key)} = '${value}'`
  return countIn(firstRow(database, sql, sessionId).n)
}

/** A member of the JSON in `data`; null where that is no JSON. */
function json(key: string): string {
  return `CASE WHEN json_valid(data) THEN json_extract(data, '$.${key}') END`
}

/** Empty when there is none, and when this version of OpenCode has no such table. */
function firstRow(database: Database, sql: string, sessionId = ''): Loose {
  try {
    return objectIn(database.prepare(sql).get(sessionId))
  } catch {
    return {}
  }
}

function parsed(text: string): Loose {
  try {
    return objectIn(JSON.parse(text))
  } catch {
    return {}
  }
}
