// Reads the tables of a SQLite database without SQLite, which Node has only from 22.13 on: rows of a table
// in order, or one row by its rowid. It sees committed changes in the write-ahead log.
import { columnsOf, type Columns } from './columns.ts'
import { invalid } from './invalid.ts'
import { openPages, type Pages } from './pages.ts'
import { decodeRecord, type Value } from './record.ts'
import { tableCell, tableCells, type Cell } from './table-tree.ts'

export type Row = Readonly<Record<string, Value>>

export interface Table {
  rows(): Generator<{ rowid: number; row: Row }>
  row(rowid: number): Row | undefined
}

export interface Database {
  /** Undefined if there is no such table. */
  table(name: string): Table | undefined
  close(): void
}

/** Throws for a file that is no database, or that a program is writing to. */
export function openDatabase(file: string): Database {
  const pages = openPages(file)
  return {
    table: (name) => {
      const found = schemaOf(pages).find((each) => each.name === name)
      return found && tableOf(pages, found)
    },
    close: () => pages.close(),
  }
}

interface TableSchema {
  name: string
  root: number
  sql: string
}

/** The first page is the root of the table that describes the others. */
function schemaOf(pages: Pages): TableSchema[] {
  return [...tableCells(pages, 1)].flatMap(({ record }) => {
    const [type, name, , root, sql] = decodeRecord(record, pages.encoding)
    const isTable = type === 'table' && typeof root === 'number' && typeof sql === 'string'
    return isTable ? [{ name: String(name), root, sql }] : []
  })
}

function tableOf(pages: Pages, { name, root, sql }: TableSchema): Table {
  const columns = columnsOf(sql)
  if (columns === undefined) throw invalid(`the table ${name} has no rowids`)
  const rowOf = (cell: Cell) => namedRow(columns, cell, pages.encoding)
  return {
    *rows() {
      for (const cell of tableCells(pages, root)) yield { rowid: cell.rowid, row: rowOf(cell) }
    },
    row: (rowid) => {
      const cell = tableCell(pages, root, rowid)
      return cell && rowOf(cell)
    },
  }
}

/** A row that is older than a column lacks its value. */
function namedRow({ names, rowid: alias }: Columns, cell: Cell, encoding: Pages['encoding']): Row {
  const values = decodeRecord(cell.record, encoding)
  const valueAt = (index: number) => (index === alias ? cell.rowid : (values[index] ?? null))
  return Object.fromEntries(names.map((name, index) => [name, valueAt(index)]))
}
