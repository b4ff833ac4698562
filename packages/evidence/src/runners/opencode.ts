// OpenCode keeps its sessions in SQLite (~/.local/share/opencode/opencode.db), which needs a module that
// is not everywhere: Node's own from 22.13 on, or better-sqlite3 where a project has it.
import { createRequire } from 'node:module'
import path from 'node:path'
import { reasonOf, ZeeError } from '@zee/core/errors'
import { known, objectIn, textIn, type Loose, type RunnerReading } from './runner-log.ts'
import { usageNumbers } from './token-sum.ts'

type Environment = Readonly<Record<string, string | undefined>>

interface Database {
  prepare(sql: string): { get(...values: string[]): unknown }
  close(): void
}

type Open = (file: string) => Database

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

/** The session with this id, or the newest one without; undefined when there is none. */
export function readOpencode(
  file: string,
  sessionId: string | undefined,
  cwd: string,
): RunnerReading | undefined {
  const open = sqlite(cwd)
  if (open === undefined) {
    const remedy = 'use Node 22.13 or later, or install better-sqlite3'
    throw new ZeeError('unsupported_log', `OpenCode keeps its log in SQLite: ${remedy}`)
  }
  try {
    const database = open(file)
    try {
      return sessionIn(database, sessionId)
    } finally {
      database.close()
    }
  } catch (error) {
    throw new ZeeError('unreadable_log', `cannot read ${file}: ${reasonOf(error)}`)
  }
}

function sqlite(cwd: string): Open | undefined {
  const own = process.getBuiltinModule('node:sqlite') as
    | { DatabaseSync: new (file: string, options: object) => Database }
    | undefined
  if (own !== undefined) return (file) => new own.DatabaseSync(file, { readOnly: true })
  try {
    const load = createRequire(path.join(cwd, 'package.json'))
    const Sqlite = load('better-sqlite3') as new (file: string, options: object) => Database
    return (file) => new Sqlite(file, { readonly: true, fileMustExist: true })
  } catch {
    return undefined
  }
}

function sessionIn(database: Database, sessionId: string | undefined): RunnerReading | undefined {
  const row =
    sessionId === undefined
      ? database.prepare('SELECT * FROM session ORDER BY rowid DESC LIMIT 1').get()
      : database.prepare('SELECT * FROM session WHERE id = ?').get(sessionId)
  const session = objectIn(row)
  const id = textIn(session.id)
  if (id === undefined) return undefined
  const model = modelOf(session.model)
  return {
    usableLines: 1,
    sessionId: id,
    firstWords: [],
    numbers: {
      ...known({
        model: textIn(model.modelID) ?? textIn(model.id),
        modelProvider: textIn(model.providerID),
      }),
      ...usageNumbers(session, usageFields),
    },
  }
}

function modelOf(value: unknown): Loose {
  if (typeof value !== 'string') return objectIn(value)
  try {
    return objectIn(JSON.parse(value))
  } catch {
    return {}
  }
}
