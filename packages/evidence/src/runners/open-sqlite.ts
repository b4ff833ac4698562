// Opens a SQLite database for reading, with `node:sqlite` (Node 22.13 or later) or better-sqlite3
// if it is installed beside the program. Both are loaded lazily.
import { createRequire } from 'node:module'

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
 * looked for beside `program`, a file of the calling program; without it only Node's own module counts.
 */
export function sqliteReader(program: string | undefined): OpenDatabase | undefined {
  const builtin = builtinSqlite()
  if (builtin !== undefined) return (file) => new builtin.DatabaseSync(file, { readOnly: true })
  if (program === undefined) return undefined
  try {
    const load = createRequire(program)
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
