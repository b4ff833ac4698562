// Buffers rows in memory up to a bound and writes them as Parquet. Texts are interned and rows refer to
// them by id, because most texts of a trace repeat.
import type { DuckDBAppender, DuckDBType } from '@duckdb/node-api'
import { sqlName, sqlText, type Connection, type DuckDB } from '../duckdb.ts'
import type { Cell, ColumnType, Table } from '../tables.ts'

const rowsPerChunk = 2048
/** Thresholds at which the buffered rows are written to a file; 122,880 is DuckDB's row group size. */
const maxRows = 122_880
const maxTextBytes = 32 * 1024 * 1024

export class StagedTable {
  readonly #table: Table
  readonly #connection: Connection
  readonly #rows: ChunkedAppender
  readonly #texts: ChunkedAppender
  /** One map per column, so that each join holds only the texts of its column. */
  readonly #ids: Map<string, number>[]
  #count = 0
  #textBytes = 0

  static async open(duckdb: DuckDB, connection: Connection, table: Table): Promise<StagedTable> {
    const columns = table.columns.map(([, type], index) => `c${index} ${stagedType(type)}`)
    await connection.run(`CREATE TABLE ${rowsTableName(table)} (${columns.join(', ')})`)
    await connection.run(
      `CREATE TABLE ${textsTableName(table)} (c INTEGER, id INTEGER, text VARCHAR)`,
    )
    return new StagedTable(
      duckdb,
      connection,
      table,
      await connection.createAppender(rowsTableName(table)),
      await connection.createAppender(textsTableName(table)),
    )
  }

  constructor(
    duckdb: DuckDB,
    connection: Connection,
    table: Table,
    rows: DuckDBAppender,
    texts: DuckDBAppender,
  ) {
    this.#connection = connection
    this.#table = table
    this.#ids = table.columns.map(() => new Map())
    const types = table.columns.map(([, type]) => duckdb[stagedType(type)])
    this.#rows = new ChunkedAppender(duckdb, rows, types)
    this.#texts = new ChunkedAppender(duckdb, texts, [
      duckdb.INTEGER,
      duckdb.INTEGER,
      duckdb.VARCHAR,
    ])
  }

  get isEmpty(): boolean {
    return this.#count === 0
  }

  /** Whether a threshold is reached. */
  get isFull(): boolean {
    return this.#count >= maxRows || this.#textBytes >= maxTextBytes
  }

  add(row: readonly Cell[]): void {
    this.#rows.add(
      row.map((cell, column) => (typeof cell === 'string' ? this.#idOf(cell, column) : cell)),
    )
    this.#count++
  }

  /** Writes the buffered rows as one Parquet file and empties the buffer. */
  async writeTo(file: string): Promise<void> {
    this.#rows.flush()
    this.#texts.flush()
    await this.#connection.run(
      `COPY (${selectStatement(this.#table)}) TO ${sqlText(file)} ${asParquet}`,
    )
    await this.#connection.run(`TRUNCATE ${rowsTableName(this.#table)}`)
    await this.#connection.run(`TRUNCATE ${textsTableName(this.#table)}`)
    for (const ids of this.#ids) ids.clear()
    this.#count = 0
    this.#textBytes = 0
  }

  close(): void {
    this.#rows.close()
    this.#texts.close()
  }

  #idOf(text: string, column: number): number {
    const ids = this.#ids[column] as Map<string, number>
    const existing = ids.get(text)
    if (existing !== undefined) return existing
    const id = ids.size
    ids.set(text, id)
    this.#texts.add([column, id, text])
    this.#textBytes += text.length
    return id
  }
}

export const asParquet = '(FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false)'

/** Appends rows in column chunks, which costs a tenth of appending single values. */
class ChunkedAppender {
  readonly #duckdb: DuckDB
  readonly #appender: DuckDBAppender
  readonly #types: readonly DuckDBType[]
  #columns: Cell[][]

  constructor(duckdb: DuckDB, appender: DuckDBAppender, types: readonly DuckDBType[]) {
    this.#duckdb = duckdb
    this.#appender = appender
    this.#types = types
    this.#columns = types.map(() => [])
  }

  add(row: readonly Cell[]): void {
    for (const [index, column] of this.#columns.entries()) column.push(row[index] ?? null)
    if (this.#columns[0]?.length === rowsPerChunk) this.#append()
  }

  flush(): void {
    this.#append()
    this.#appender.flushSync()
  }

  close(): void {
    this.#appender.closeSync()
  }

  #append(): void {
    const rows = this.#columns[0]?.length ?? 0
    if (rows === 0) return
    const chunk = this.#duckdb.DuckDBDataChunk.create(this.#types, rows)
    chunk.setColumns(this.#columns)
    this.#appender.appendDataChunk(chunk)
    this.#columns = this.#types.map(() => [])
  }
}

function stagedType(type: ColumnType): 'INTEGER' | 'BOOLEAN' | 'DOUBLE' {
  if (isText(type)) return 'INTEGER'
  return type === 'BOOLEAN' ? 'BOOLEAN' : 'DOUBLE'
}

function isText(type: ColumnType): boolean {
  return type === 'VARCHAR' || type.endsWith('[]')
}

function rowsTableName({ name }: Table): string {
  return `staged_${name}`
}

function textsTableName({ name }: Table): string {
  return `words_${name}`
}

/** Joins the rows with their texts and converts them to the final types. */
function selectStatement(table: Table): string {
  const columns = table.columns.map(([name, type], index) => {
    const value = isText(type) ? `w${index}.text` : `s.c${index}`
    return `${convertedValue(value, type)} AS ${sqlName(name)}`
  })
  const joins = table.columns.flatMap(([, type], index) =>
    isText(type)
      ? [
          `LEFT JOIN ${textsTableName(table)} w${index} ON w${index}.c = ${index} AND w${index}.id = s.c${index}`,
        ]
      : [],
  )
  return `SELECT ${columns.join(', ')} FROM ${rowsTableName(table)} s ${joins.join(' ')}`
}

function convertedValue(value: string, type: ColumnType): string {
  if (type === 'VARCHAR' || type === 'BOOLEAN') return value
  if (type === 'TIMESTAMP') return `epoch_ms(${value}::BIGINT)`
  if (type === 'VARCHAR[]') return `from_json(${value}, '["VARCHAR"]')`
  return `TRY_CAST(${value} AS ${type})`
}
