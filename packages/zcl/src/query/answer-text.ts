// Streams a query result as text, in blocks of rows, so that memory stays constant.
import type { DuckDBResult } from '@duckdb/node-api'
import { csvField } from '@zee/evidence/exports'
import { jsonCell, textCell, type JsonCell } from './answer-cells.ts'
import type { DuckDB } from './duckdb.ts'
import { fitTable } from './fit-table.ts'

export type TextForm = 'table' | 'json' | 'csv' | 'md' | 'document'

/**
 * `document` is the `--json` output: columns with types, rows, total. A table has lines of at most `width`
 * columns.
 */
export async function* answerText(
  duckdb: DuckDB,
  result: DuckDBResult,
  form: TextForm,
  width = Number.POSITIVE_INFINITY,
): AsyncGenerator<string> {
  const names = result.deduplicatedColumnNames()
  switch (form) {
    case 'table':
      yield* tableText(names, blocksOf(duckdb, result), width)
      return
    case 'md':
      yield* markdownText(names, blocksOf(duckdb, result))
      return
    case 'csv':
      yield* csvText(names, blocksOf(duckdb, result))
      return
    case 'json':
      yield* jsonText(names, blocksOf(duckdb, result), '', '\n]\n', ']\n')
      return
    case 'document':
      yield* documentText(duckdb, result, names)
  }
}

const rowsPerBlock = 1000

async function* blocksOf(duckdb: DuckDB, result: DuckDBResult): AsyncGenerator<JsonCell[][]> {
  let block: JsonCell[][] = []
  for await (const rows of result.yieldRows()) {
    for (const row of rows) block.push(row.map((value) => jsonCell(duckdb, value)))
    if (block.length < rowsPerBlock) continue
    yield block
    block = []
  }
  if (block.length > 0) yield block
}

/** Aligns each block on its own: a later block may have wider columns. */
async function* tableText(
  names: readonly string[],
  blocks: AsyncGenerator<JsonCell[][]>,
  width: number,
): AsyncGenerator<string> {
  let firstRow = 1
  for await (const block of blocks) {
    const rows = block.map((row) => row.map(textCell))
    const { head, lines } = fitTable(names, rows, width, firstRow)
    yield `${(firstRow === 1 ? [...head, ...lines] : lines).join('\n')}\n`
    firstRow += rows.length
  }
  // The names stay whole: no cells need the room.
  if (firstRow === 1) yield `${names.join('  ')}\nNo rows.\n`
}

/** A table of GitHub Flavored Markdown. */
async function* markdownText(
  names: readonly string[],
  blocks: AsyncGenerator<JsonCell[][]>,
): AsyncGenerator<string> {
  const cell = (text: string) =>
    text.replaceAll(/[\\|`<*]/g, String.raw`\$&`).replaceAll(/\r\n?|\n/g, '<br>')
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |\n`
  yield `${line(names)}|${names.map(() => ' --- |').join('')}\n`
  for await (const block of blocks) {
    yield block.map((row) => line(row.map(textCell))).join('')
  }
}

async function* csvText(
  names: readonly string[],
  blocks: AsyncGenerator<JsonCell[][]>,
): AsyncGenerator<string> {
  const line = (cells: readonly (string | number | boolean | undefined)[]) =>
    `${cells.map(csvField).join(',')}\n`
  const plain = (cell: JsonCell) =>
    typeof cell === 'number' || typeof cell === 'boolean' ? cell : textCell(cell)
  yield line(names)
  for await (const block of blocks) yield block.map((row) => line(row.map(plain))).join('')
}

async function* documentText(
  duckdb: DuckDB,
  result: DuckDBResult,
  names: readonly string[],
): AsyncGenerator<string> {
  const types = result.columnTypes()
  const columns = names.map((name, index) => ({ name, type: String(types[index]) }))
  const head = JSON.stringify({ ok: true, columns }, undefined, 2)
  yield `${head.slice(0, -2)},\n  "rows": `
  let total = 0
  const counted = async function* () {
    for await (const block of blocksOf(duckdb, result)) {
      total += block.length
      yield block
    }
  }
  yield* jsonText(names, counted(), '  ', '\n  ]', ']')
  yield `,\n  "total": ${total}\n}\n`
}

/** Writes an array of objects with an indent of two, like JSON.stringify. */
async function* jsonText(
  names: readonly string[],
  blocks: AsyncGenerator<JsonCell[][]>,
  indent: string,
  close: string,
  closeEmpty: string,
): AsyncGenerator<string> {
  let isFirst = true
  yield '['
  for await (const block of blocks) {
    const texts = block.map((row) => {
      const entries = names.map((name, index) => [name, row[index] ?? null] as const)
      const text = JSON.stringify(Object.fromEntries(entries), undefined, 2)
      return `\n${indent}  ${text.replaceAll('\n', `\n${indent}  `)}`
    })
    yield `${isFirst ? '' : ','}${texts.join(',')}`
    isFirst = false
  }
  yield isFirst ? closeEmpty : close
}
