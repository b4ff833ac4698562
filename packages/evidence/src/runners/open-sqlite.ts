// Opens a SQLite database for reading with whatever this Node has for it: its own module from 22.13 on,
// or better-sqlite3 where a project has it. Neither is loaded before it is needed.
import { createRequire } from 'node:module'
import path from 'node:path'

export interface Database {
  prepare(sql: string): Statement
  close(): void
}

interface Statement {
  get(...values: string[]): unknown
  all(...values: string[]): unknown[]
}

type OpenDatabase = (file: string) => Database
type Constructor = new (file: string, options: object) => Database

/** Undefined where nothing can read such a file. */
export function sqliteReader(cwd: string): OpenDatabase | undefined {
  const own = builtinSqlite()
  if (own !== undefined) return (file) => new own.DatabaseSync(file, { readOnly: true })
  try {
    const load = createRequire(path.join(cwd, 'package.json'))
    const Sqlite = load('better-sqlite3') as Constructor
    return (file) => new Sqlite(file, { readonly: true, fileMustExist: true })
  } catch {
    return undefined
  }
}

/** Node 22 announces on stderr that the module may change, which is nothing for a user to act upon. */
function builtinSqlite(): { DatabaseSync: Constructor } | undefined {
  const { emitWarning } = process
  process.emitWarning = () => {}
  try {
    return process.getBuiltinModule('node:sqlite') as { DatabaseSync: Constructor } | undefined
  } finally {
    process.emitWarning = emitWarning
  }
}
