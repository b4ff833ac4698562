// Opens a SQLite database for reading, with `node:sqlite` (Node 22.13 or later) or better-sqlite3
// if the project has it. Both are loaded lazily.
import { createRequire } from 'node:module'
import path from 'node:path'

export interface SqliteDatabase {
  prepare(sql: string): Statement
  close(): void
}

interface Statement {
  get(...values: string[]): unknown
  all(...values: string[]): unknown[]
}

type OpenDatabase = (file: string) => SqliteDatabase
type Constructor = new (file: string, options: object) => SqliteDatabase

/**
 * A function that opens a database read-only; undefined without any SQLite module. better-sqlite3 is
 * looked for in `cwd`; without `cwd` only Node's own module counts.
 */
export function sqliteReader(cwd: string | undefined): OpenDatabase | undefined {
  const builtin = builtinSqlite()
  if (builtin !== undefined) return (file) => new builtin.DatabaseSync(file, { readOnly: true })
  if (cwd === undefined) return undefined
  try {
    const load = createRequire(path.join(cwd, 'package.json'))
    const Sqlite = load('better-sqlite3') as Constructor
    return (file) => new Sqlite(file, { readonly: true, fileMustExist: true })
  } catch {
    return undefined
  }
}

/** Loads `node:sqlite` without the experimental warning that Node 22 prints to stderr. */
function builtinSqlite(): { DatabaseSync: Constructor } | undefined {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite') as { DatabaseSync: Constructor } | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}
