// Converts DuckDB values to JSON: integers as numbers while they are exact, times as RFC 3339, lists and
// structs as JSON, everything else as text.
import type { DuckDBValue } from '@duckdb/node-api'
import type { DuckDB } from './duckdb.ts'

export type JsonCell = null | boolean | number | string | JsonCell[] | { [key: string]: JsonCell }

export function jsonCell(duckdb: DuckDB, value: DuckDBValue): JsonCell {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return exactNumber(String(value))
  const inner = (each: DuckDBValue) => jsonCell(duckdb, each)
  if (value instanceof duckdb.DuckDBListValue || value instanceof duckdb.DuckDBArrayValue) {
    return value.items.map(inner)
  }
  if (value instanceof duckdb.DuckDBStructValue) {
    const entries = Object.entries(value.entries).map(([key, each]) => [key, inner(each)] as const)
    return Object.fromEntries(entries)
  }
  if (value instanceof duckdb.DuckDBMapValue) {
    return value.entries.map(({ key, value: each }) => ({ key: inner(key), value: inner(each) }))
  }
  if (value instanceof duckdb.DuckDBDecimalValue) return exactNumber(String(value))
  if (value instanceof duckdb.DuckDBTimestampValue) return rfc3339Of(String(value))
  return String(value)
}

/** A cell of a table or of CSV. */
export function textCell(cell: JsonCell): string {
  if (cell === null) return ''
  return typeof cell === 'object' ? JSON.stringify(cell) : String(cell)
}

function exactNumber(text: string): number | string {
  const value = Number(text)
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? text : value
}

/** Converts `2026-02-15 18:00:12.001`, which is in UTC. */
function rfc3339Of(text: string): string {
  const found = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)(\.\d+)?$/.exec(text)
  return found === null ? text : `${found[1]}T${found[2]}${(found[3] ?? '.').padEnd(4, '0')}Z`
}
