import { describe, expect, it } from 'vitest'
import { record } from '../../test/sqlite-pages.ts'
import { columnsOf } from './columns.ts'
import { decodeRecord, type Value } from './record.ts'
import { readVarint } from './varint.ts'

const invalid = (reason: string) =>
  expect.objectContaining({
    code: 'unreadable_log',
    message: `it is not a readable SQLite database (${reason})`,
  })

describe('readVarint', () => {
  it.each([
    [[0], 0, 0, 1],
    [[0x7f], 0, 127, 1],
    [[0x81, 0], 0, 128, 2],
    [[9, 0x81, 0x82, 3], 1, 16_643, 4],
    [[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x81, 2], 0, 130, 8],
    [[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x81, 0x85, 7], 0, 389, 9],
    [[0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80], 1, 128, 10],
  ])('of %j at %i is %i and ends at %i', (bytes, start, value, end) => {
    expect(readVarint(Buffer.from(bytes), start)).toEqual({ value, end })
  })

  it.each([[[]], [[0x80]], [[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80]]])(
    'refuses %j',
    (bytes) => {
      expect(() => readVarint(Buffer.from(bytes), 0)).toThrow(invalid('a number is cut'))
    },
  )
})

const double = Buffer.alloc(8)
double.writeDoubleBE(1.5)

describe('decodeRecord', () => {
  it.each<[string, number[], number[], Value[]]>([
    ['nothing', [], [], []],
    ['null', [0], [], [null]],
    ['a number of 1 byte', [1], [0xff], [-1]],
    ['a number of 2 bytes', [2], [1, 2], [258]],
    ['a number of 3 bytes', [3], [1, 0, 2], [65_538]],
    ['a number of 4 bytes', [4], [0x80, 0, 0, 0], [-2_147_483_648]],
    ['a number of 6 bytes', [5], [0, 1, 0, 0, 0, 0], [4_294_967_296]],
    ['a number of 8 bytes', [6], [0, 0, 0, 1, 0, 0, 0, 3], [4_294_967_299]],
    ['a float', [7], [...double], [1.5]],
    ['zero and one', [8, 9], [], [0, 1]],
    ['an empty blob and an empty text', [12, 13], [], [Buffer.alloc(0), '']],
    ['a blob and a text', [14, 17], [1, 0xc3, 0xa9], [Buffer.from([1]), 'é']],
    ['values in order', [1, 0, 15, 2], [5, 0x78, 0, 7], [5, null, 'x', 7]],
    ['a long text', [13 + 2 * 200], Array.from({ length: 200 }, () => 0x61), ['a'.repeat(200)]],
  ])('of %s', (_, types, body, values) => {
    expect(decodeRecord(Buffer.from(record(types, body)), 'utf8')).toEqual(values)
  })

  it.each([
    ['utf16le', [0x61, 0, 0xe9, 0], 'aé'],
    ['utf16be', [0, 0x61, 0, 0xe9], 'aé'],
    ['utf16be', [0, 0x61, 0], 'a'],
  ] as const)('of a text in %s with the bytes %j is %j', (encoding, bytes, text) => {
    expect(decodeRecord(record([13 + 2 * bytes.length], bytes), encoding)).toEqual([text])
  })

  it('ignores bytes after its values and refuses a record that is cut', () => {
    expect(decodeRecord(record([2], [0, 1, 9]), 'utf8')).toEqual([1])
    expect(() => decodeRecord(record([2], [0]), 'utf8')).toThrow(invalid('a record is cut'))
  })
})

describe('columnsOf', () => {
  it.each<[string, string[], number]>([
    ['CREATE TABLE a (b)', ['b'], -1],
    [' create temp table a(b,c)', ['b', 'c'], -1],
    ['CREATE TEMPORARY TABLE a (b INT)', ['b'], -1],
    ['CREATE TABLE a (b, CONSTRAINT c UNIQUE (b), constrained)', ['b', 'constrained'], -1],
    ['CREATE TABLE a (b, PRIMARY KEY (b), primary1)', ['b', 'primary1'], -1],
    ['CREATE TABLE a (b, UNIQUE (b, c), c)', ['b', 'c'], -1],
    ['CREATE TABLE a (b, CHECK (b > 0))', ['b'], -1],
    ['CREATE TABLE a (b, foreign key (b) REFERENCES x)', ['b'], -1],
    ['CREATE TABLE a ([x y], `q``r`, \'it\'\'s\', "a""b")', ['x y', 'q`r', "it's", 'a"b'], -1],
    ['CREATE TABLE a ([x]]y] INT)', ['x'], -1],
    ['CREATE TABLE a (b -- ) x\n, c)', ['b', 'c'], -1],
    ['CREATE TABLE a (b /* ) , */, c)', ['b', 'c'], -1],
    ['CREATE TABLE a (b DEFAULT (f(1, (2))), c)', ['b', 'c'], -1],
    ["CREATE TABLE a (b DEFAULT 'without rowid, )', c)", ['b', 'c'], -1],
    ['CREATE TABLE "without rowid" (b)', ['b'], -1],
    ['CREATE TABLE a (b DECIMAL(1,2), c(3))', ['b', 'c'], -1],
    ['CREATE TABLE a ()', [], -1],
    ['CREATE TABLE a (b) STRICT', ['b'], -1],
    ['CREATE TABLE a (b, id INTEGER PRIMARY KEY)', ['b', 'id'], 1],
    ['CREATE TABLE a ("i d" integer  primary  key)', ['i d'], 0],
    ['CREATE TABLE a (b, [i(d] INTEGER PRIMARY KEY ASC)', ['b', 'i(d'], 1],
    ['CREATE TABLE a (id INTEGER PRIMARY KEY DESC)', ['id'], -1],
    ['CREATE TABLE a (integer PRIMARY KEY)', ['integer'], -1],
    ['CREATE TABLE a (x INTEGER, y PRIMARY KEY)', ['x', 'y'], -1],
  ])('of %s', (sql, names, rowid) => {
    expect(columnsOf(sql)).toEqual({ names, rowid })
  })

  it.each([
    'CREATE TABLE a (b) WITHOUT ROWID',
    'CREATE TABLE a (b) STRICT, without\n rowid',
    'CREATE VIRTUAL TABLE a USING fts5(b)',
    'CREATE VIEW a AS SELECT (1)',
    'CREATE INDEX a ON b (c)',
  ])('is undefined for %s', (sql) => {
    expect(columnsOf(sql)).toBeUndefined()
  })
})
