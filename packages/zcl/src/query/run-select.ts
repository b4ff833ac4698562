// Runs one SELECT over the cached tables. Before it runs, the database is restricted to these files,
// extensions are off, and its settings are locked.
import type { DuckDBResult } from '@duckdb/node-api'
import { errnoOf, ZeeError } from '@zee/core/errors'
import type { CachedTables } from './cache/cache.ts'
import { sqlName, sqlText, type Connection, type DuckDB } from './duckdb.ts'
import { refuseUnsafeFunctions } from './table-functions.ts'
import { tables } from './tables.ts'

export interface SelectOptions {
  duckdb: DuckDB
  sql: string
  cached: CachedTables
  /** Writes the result to this file as Parquet and does not call `use`. */
  parquet?: string
}

/** Calls `use` with the result while the database is open. */
export async function runSelect(
  { duckdb, sql, cached, parquet }: SelectOptions,
  use: (result: DuckDBResult) => Promise<void>,
): Promise<void> {
  const instance = await duckdb.DuckDBInstance.create(':memory:', {
    temp_directory: '',
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  })
  try {
    const connection = await instance.connect()
    try {
      await restrict(connection, cached, parquet)
      const statement = await singleSelect(duckdb, connection, sql)
      if (parquet === undefined) await use(await asQueryError(sql, () => statement.stream()))
      else await asQueryError(sql, () => writeParquet(connection, sql, parquet))
    } finally {
      connection.closeSync()
    }
  } finally {
    instance.closeSync()
  }
}

/** Runs `work` and turns database errors into a ZCL_E_QUERY error with one line. */
export async function asQueryError<T>(sql: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof ZeeError || errnoOf(error) !== undefined) throw error
    const [first = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new ZeeError('ZCL_E_QUERY', withColumns(first, sql), { exitCode: 2, cause: error })
  }
}

/** Adds the columns of the named tables to an error about a column, and the tables to one about a table. */
function withColumns(message: string, sql: string): string {
  if (message.startsWith('Catalog Error: Table with name')) {
    return `${message}; tables: ${tables.map(({ name }) => name).join(', ')}`
  }
  if (!/^Binder Error: .*column/.test(message)) return message
  if (!/not found|does not have/.test(message)) return message
  const named = tables.filter(({ name }) => new RegExp(`\\b${name}\\b`, 'i').test(sql))
  const lists = (named.length === 0 ? tables : named).map(
    ({ name, columns }) => `columns of ${name}: ${columns.map(([column]) => column).join(', ')}`,
  )
  return `${message}; ${lists.join('; ')}`
}

async function restrict(
  connection: Connection,
  cached: CachedTables,
  parquet: string | undefined,
): Promise<void> {
  for (const { name, columns } of tables) {
    const files = cached[name].map(sqlText).join(', ')
    const typed = columns.map(([column, type]) => `${sqlName(column)} ${type}`).join(', ')
    await connection.run(
      files === ''
        ? `CREATE TABLE ${name} (${typed})`
        : `CREATE VIEW ${name} AS SELECT * FROM read_parquet([${files}])`,
    )
  }
  const allowed = [...Object.values(cached).flat(), ...(parquet === undefined ? [] : [parquet])]
  await connection.run(`SET allowed_paths = [${allowed.map(sqlText).join(', ')}]`)
  await connection.run('SET enable_external_access = false')
  await connection.run('SET lock_configuration = true')
}

async function singleSelect(duckdb: DuckDB, connection: Connection, sql: string) {
  const statements = await asQueryError(sql, () => connection.extractStatements(sql))
  if (statements.count !== 1) throw notOneSelect()
  const statement = await asQueryError(sql, () => statements.prepare(0))
  if (statement.statementType !== duckdb.StatementType.SELECT) throw notOneSelect()
  await asQueryError(sql, () => refuseUnsafeFunctions(connection, sql))
  if (statement.parameterCount > 0) {
    throw new ZeeError('ZCL_E_QUERY', 'the SQL has parameters; zcl query cannot bind values', {
      exitCode: 2,
    })
  }
  return statement
}

function notOneSelect(): ZeeError {
  const message = 'pass exactly one SELECT (over runs, attempts, calls, findings)'
  return new ZeeError('ZCL_E_QUERY', message, { exitCode: 2 })
}

/** Safe to concatenate: `sql` was parsed as exactly one SELECT before. */
async function writeParquet(connection: Connection, sql: string, file: string): Promise<void> {
  await connection.run(`CREATE TEMP VIEW zcl_answer AS ${sql}`)
  const options = '(FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)'
  await connection.run(`COPY (FROM zcl_answer) TO ${sqlText(file)} ${options}`)
}
