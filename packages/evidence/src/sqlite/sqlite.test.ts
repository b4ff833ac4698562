// The sample was written by SQLite: pages of 512 bytes, so that small tables have interior and overflow
// pages, and a write-ahead log with committed changes, a new column and an open transaction.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { columnsOf } from './columns.ts'
import { openDatabase, type Row } from './sqlite.ts'

const sample = (name: string) => gunzipSync(readFileSync(path.join(import.meta.dirname, name)))

let folder: string
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'zee-sqlite-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function sampleFile(
  name: string,
  change: (database: Buffer, log: Buffer) => void = () => {},
): string {
  const file = path.join(folder, name)
  const [database, log] = [sample('sample.db.gz'), sample('sample.db-wal.gz')]
  change(database, log)
  writeFileSync(file, database)
  writeFileSync(`${file}-wal`, log)
  return file
}

function rowsOf(file: string, table: string): Row[] {
  const database = openDatabase(file)
  try {
    return [...(database.table(table)?.rows() ?? [])].map(({ row }) => row)
  } finally {
    database.close()
  }
}

describe('a SQLite database', () => {
  it('has the rows of its tables, with numbers, texts, blobs and nulls', () => {
    const rows = rowsOf(sampleFile('all.db'), 'part')
    expect(rows).toHaveLength(120)
    expect(rows[19]).toEqual({
      id: 'p020',
      n: 1,
      'x y': 5,
      'a"b': Buffer.from([20]),
      data: 'é'.repeat(140),
      late: null,
    })
    expect(rows.map(({ n }) => n).slice(14, 19)).toEqual(
      [15, 16, 17, 18, 19].map((index) => (-1) ** index * 7 ** index),
    )
    expect(rows.at(-2)?.data).toBe('é'.repeat(119 * 7))
  })

  it('has the committed changes of the write-ahead log and no others', () => {
    const file = sampleFile('log.db')
    const rows = rowsOf(file, 'part')
    expect(rows[5]).toMatchObject({ id: 'p005', data: 'changed' })
    expect(rows.some(({ id }) => id === 'p006')).toBe(false)
    expect(rows.at(-1)).toMatchObject({ id: 'p999', late: 'here' })
    expect(rowsOf(file, 'num')).toEqual([
      { id: 41, v: 'a'.repeat(2000) },
      { id: 42, v: null },
    ])
  })

  it('ignores frames of the log after a torn one', () => {
    const torn = sampleFile('torn.db', (_database, log) => void log.fill(0, 600, 700))
    expect(rowsOf(torn, 'part')).toHaveLength(120)
    expect(rowsOf(torn, 'part')[5]).not.toMatchObject({ data: 'changed' })
  })

  it('finds a row by its rowid', () => {
    const database = openDatabase(sampleFile('rowid.db'))
    const table = database.table('part')
    for (const { rowid, row } of table?.rows() ?? []) expect(table?.row(rowid)).toEqual(row)
    expect(table?.row(7)).toBeUndefined()
    expect(database.table('none')).toBeUndefined()
    expect(() => database.table('bare')).toThrow('bare has no rowids')
    database.close()
  })

  it('is refused if it is damaged, and never read without end', () => {
    const file = path.join(folder, 'text')
    writeFileSync(file, 'SQLite format 4')
    expect(() => openDatabase(file)).toThrow('not a readable SQLite database')
    for (let at = 100; at < 117_000; at += 4999) {
      const damaged = sampleFile('damaged.db', (database, log) => {
        database.fill(0xff, at, at + 4)
        log.fill(0)
      })
      try {
        rowsOf(damaged, 'part')
      } catch (error) {
        expect(String(error)).toContain('SQLite')
      }
    }
  })
})

describe('columnsOf', () => {
  it.each([
    ['CREATE TABLE a (id INTEGER PRIMARY KEY, b)', ['id', 'b'], 0],
    ['CREATE TABLE a ("id" integer PRIMARY KEY AUTOINCREMENT NOT NULL)', ['id'], 0],
    ['CREATE TABLE a (b TEXT, c DEFAULT (max(1, 2)), PRIMARY KEY (b, c))', ['b', 'c'], -1],
    ["CREATE TABLE a (b TEXT DEFAULT ',', -- x, y\n c /* , */ INT)", ['b', 'c'], -1],
    ['CREATE TABLE a (id INT PRIMARY KEY)', ['id'], -1],
  ])('of %s', (sql, names, rowid) => {
    expect(columnsOf(sql)).toEqual({ names, rowid })
  })

  it('is undefined for tables without rowids', () => {
    expect(columnsOf('CREATE TABLE a (b) WITHOUT ROWID')).toBeUndefined()
    expect(columnsOf('CREATE VIRTUAL TABLE a USING fts5(b)')).toBeUndefined()
  })
})
