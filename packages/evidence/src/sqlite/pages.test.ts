import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  fileHeader,
  leafCell,
  logOf,
  pageSize,
  recordOf,
  treePage,
} from '../../test/sqlite-pages.ts'
import { openPages, type Pages } from './pages.ts'
import { openDatabase } from './sqlite.ts'

let folder: string
let file: string
let count = 0
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'zee-pages-'))
})
beforeEach(() => {
  file = path.join(folder, `${count++}.db`)
})
afterAll(() => rmSync(folder, { recursive: true }))

const invalid = (reason: string) =>
  expect.objectContaining({ message: `it is not a readable SQLite database (${reason})` })
const page = (text: string): Buffer => Buffer.alloc(pageSize, text)

/** A file of three pages. */
function write(header = fileHeader()): void {
  const first = Buffer.concat([header, Buffer.alloc(pageSize)]).subarray(0, pageSize)
  writeFileSync(file, Buffer.concat([first, page('two'), page('three')]))
}

function using<Result>(read: (pages: Pages) => Result): Result {
  const pages = openPages(file)
  try {
    return read(pages)
  } finally {
    pages.close()
  }
}

describe('the header of a database', () => {
  it.each([
    [Buffer.alloc(0)],
    [fileHeader().subarray(0, 99)],
    [Buffer.concat([Buffer.from('SQLite format 4\0'), Buffer.alloc(200)])],
  ])('is needed (case %#)', (bytes) => {
    writeFileSync(file, bytes)
    expect(() => openPages(file)).toThrow(invalid('no header'))
  })

  it('may be all that a file has', () => {
    writeFileSync(file, fileHeader())
    expect(using(({ usableSize }) => usableSize)).toBe(512)
  })

  it.each([0, 2, 256, 511, 513, 768, 1000, 65_535])('refuses pages of %i bytes', (size) => {
    write(fileHeader(size))
    expect(() => openPages(file)).toThrow(invalid('wrong page size'))
  })

  it.each([
    [512, 0, 512],
    [512, 3, 509],
    [4096, 12, 4084],
    [32_768, 0, 32_768],
    [1, 1, 65_535],
  ])('with pages of %i bytes of which %i are reserved leaves %i', (size, reserved, usable) => {
    write(fileHeader(size, reserved))
    expect(using(({ usableSize }) => usableSize)).toBe(usable)
  })

  it.each([
    [0, 'utf8'],
    [1, 'utf8'],
    [2, 'utf16le'],
    [3, 'utf16be'],
    [4, 'utf8'],
  ])('has for the encoding %i %s', (number, encoding) => {
    write(fileHeader(512, 0, number))
    expect(using((pages) => pages.encoding)).toBe(encoding)
  })
})

describe('a page', () => {
  it('is numbered from 1', () => {
    write()
    expect(using((pages) => pages.page(2))).toEqual(page('two'))
    expect(using((pages) => pages.page(3))).toEqual(page('three'))
    expect(using((pages) => pages.page(1)).subarray(0, 100)).toEqual(fileHeader())
  })

  it.each([0, 4])('%i is missing', (number) => {
    write()
    expect(() => using((pages) => pages.page(number))).toThrow(invalid(`page ${number} is missing`))
  })

  it('is missing if it is cut', () => {
    write()
    truncateSync(file, 3 * pageSize - 1)
    expect(() => using((pages) => pages.page(3))).toThrow(invalid('page 3 is missing'))
  })

  it('is read once', () => {
    write()
    using((pages) => expect(pages.page(2)).toBe(pages.page(2)))
  })
})

describe('a rollback journal', () => {
  it.each<[number[], boolean]>([
    [[], false],
    [[0, 0, 0, 0, 0, 0, 0, 0, 1], false],
    [[0, 0, 0, 0, 0, 0, 0, 1], true],
    [[1], true],
  ])('of %j tells that a program is writing: %s', (bytes, isWriting) => {
    write()
    writeFileSync(`${file}-journal`, Buffer.from(bytes))
    if (isWriting) expect(() => openPages(file)).toThrow(invalid('a program is writing to it'))
    else expect(using((pages) => pages.page(2))).toEqual(page('two'))
  })
})

describe('a write-ahead log', () => {
  const frame = (number: number, text: string, commit = 3, salt = 'saltsalt') => ({
    number,
    commit,
    page: page(text),
    salt,
  })
  const log = (bytes: Buffer) => {
    write()
    writeFileSync(`${file}-wal`, bytes)
    return using((pages) => [2, 3].map((each) => pages.page(each).toString('latin1', 0, 5)))
  }
  const unchanged = ['twotw', 'three']

  it.each([0x377f_0682, 0x377f_0683])('with the magic number %i has newer pages', (magic) => {
    expect(log(logOf([frame(2, 'newer')], magic))).toEqual(['newer', 'three'])
    expect(log(logOf([frame(3, 'older'), frame(3, 'newer')], magic))).toEqual(['twotw', 'newer'])
  })

  it('has all pages of a committed transaction, and none of an open one', () => {
    expect(log(logOf([frame(2, 'first', 0), frame(3, 'newer')]))).toEqual(['first', 'newer'])
    expect(log(logOf([frame(2, 'first'), frame(3, 'newer', 0)]))).toEqual(['first', 'three'])
    expect(log(logOf([frame(2, 'first'), frame(2, 'later', 0)]))).toEqual(['first', 'three'])
    expect(log(logOf([frame(2, 'first', 0)]))).toEqual(unchanged)
  })

  it('has pages beyond the end of the database', () => {
    write()
    writeFileSync(`${file}-wal`, logOf([frame(9, 'ninth')]))
    expect(using((pages) => pages.page(9))).toEqual(page('ninth'))
  })

  it('ends at a frame of an older log', () => {
    const frames = [frame(2, 'first'), frame(3, 'older', 3, 'salt-old'), frame(2, 'later')]
    expect(log(logOf(frames))).toEqual(['first', 'three'])
  })

  it('ends at a frame that is cut', () => {
    const whole = logOf([frame(2, 'first'), frame(3, 'newer')])
    expect(log(whole.subarray(0, whole.length - 1))).toEqual(['first', 'three'])
    expect(log(Buffer.concat([whole, Buffer.alloc(10)]))).toEqual(['first', 'newer'])
  })

  it.each([
    ['magic number', 0],
    ['page size', 10],
    ['salt', 16],
    ['first sum', 24],
    ['second sum', 28],
    ['page number of a frame', 35],
    ['size after the commit', 39],
    ['salt of a frame', 40],
    ['end of the salt of a frame', 47],
    ['first sum of a frame', 48],
    ['second sum of a frame', 52],
    ['start of a page', 56],
    ['end of a page', 56 + 511],
  ])('is not read with a damaged %s', (_, at) => {
    const bytes = logOf([frame(2, 'first')])
    bytes[at] = (bytes[at] ?? 0) ^ 0x10
    expect(log(bytes)).toEqual(unchanged)
  })

  it.each([0x377f_0680, 0x377f_0684])('with the magic number %i is not read', (magic) => {
    expect(log(logOf([frame(2, 'first')], magic))).toEqual(unchanged)
  })

  it('of another page size is not read', () => {
    write(fileHeader(1024))
    writeFileSync(`${file}-wal`, logOf([frame(1, 'first')]))
    expect(using((pages) => pages.page(1)).subarray(0, 100)).toEqual(fileHeader(1024))
  })

  it('that is shorter than its header is empty', () => {
    expect(log(Buffer.alloc(31, 'x'))).toEqual(unchanged)
    expect(log(logOf([]))).toEqual(unchanged)
  })

  it('of more than 512 MiB is refused', () => {
    write()
    writeFileSync(`${file}-wal`, '')
    truncateSync(`${file}-wal`, 512 * 1024 * 1024 + 1)
    expect(() => openPages(file)).toThrow(invalid('its write-ahead log is larger than 512 MiB'))
    rmSync(`${file}-wal`)
  })
})

describe('openDatabase', () => {
  it('finds tables by their name, and no indexes or views', () => {
    const schema = [
      ['index', 't', 't', 3, 'CREATE TABLE t (wrong)'],
      ['table', 'u', 'u', null, 'CREATE TABLE u (a)'],
      ['table', 'v', 'v', 2, null],
      ['table', 'bare', 'bare', 2, 'CREATE TABLE bare (a) WITHOUT ROWID'],
      ['table', 't', 't', 2, 'CREATE TABLE t (a, id INTEGER PRIMARY KEY, b)'],
    ] as const
    const cells = schema.map((row, index) => leafCell(index + 1, recordOf(row)))
    const first = treePage({ type: 13, start: 100, cells })
    first.set(fileHeader(), 0)
    const second = treePage({
      type: 13,
      cells: [leafCell(7, recordOf(['x', null])), leafCell(8, recordOf(['y', null, 'z']))],
    })
    writeFileSync(file, Buffer.concat([first, second]))
    const database = openDatabase(file)
    const table = database.table('t')
    const rows = [
      { rowid: 7, row: { a: 'x', id: 7, b: null } },
      { rowid: 8, row: { a: 'y', id: 8, b: 'z' } },
    ]
    expect([...(table?.rows() ?? [])]).toEqual(rows)
    expect(table?.row(8)).toEqual(rows[1]?.row)
    expect(table?.row(9)).toBeUndefined()
    expect(['u', 'v', 'w'].map((name) => database.table(name))).toEqual([
      undefined,
      undefined,
      undefined,
    ])
    expect(() => database.table('bare')).toThrow(invalid('the table bare has no rowids'))
    database.close()
  })

  it('closes its file', () => {
    write()
    const database = openDatabase(file)
    database.close()
    expect(() => database.table('t')).toThrow('EBADF')
  })
})
