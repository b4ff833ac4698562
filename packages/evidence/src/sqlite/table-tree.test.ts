import { describe, expect, it } from 'vitest'
import {
  interiorCell,
  leafCell,
  pageSize,
  pagesOf,
  treePage,
  uint32,
  varint,
} from '../../test/sqlite-pages.ts'
import { tableCell, tableCells } from './table-tree.ts'

const invalid = (reason: string) =>
  expect.objectContaining({ message: `it is not a readable SQLite database (${reason})` })
const bytes = (length: number): Buffer =>
  Buffer.from(Array.from({ length }, (_, index) => index % 251))
const leaf = (...rows: [rowid: number, record: Buffer][]): Buffer =>
  treePage({ type: 13, cells: rows.map(([rowid, each]) => leafCell(rowid, each)) })
const [one, two, three] = [bytes(3), bytes(200), bytes(0)]

describe('a tree of a table', () => {
  const tree = pagesOf({
    1: treePage({
      type: 5,
      start: 100,
      cells: [interiorCell(2, 7), interiorCell(3, 300)],
      rightmost: 4,
    }),
    2: leaf([5, one], [7, two]),
    3: leaf([300, three]),
    4: leaf([301, two], [5000, one]),
  })

  it('has its rows in order', () => {
    expect([...tableCells(tree, 1)]).toEqual([
      { rowid: 5, record: one },
      { rowid: 7, record: two },
      { rowid: 300, record: three },
      { rowid: 301, record: two },
      { rowid: 5000, record: one },
    ])
  })

  it.each([
    [5, one],
    [6, undefined],
    [7, two],
    [8, undefined],
    [300, three],
    [301, two],
    [5000, one],
    [5001, undefined],
  ])('has at the rowid %i the record %j', (rowid, found) => {
    expect(tableCell(tree, 1, rowid)?.record).toEqual(found)
  })

  it.each([
    [477, 477],
    [478, 39],
    [546, 39],
    [547, 39],
    [548, 40],
    [985, 477],
    [986, 39],
    [1500, 39],
  ])('of a record of %i bytes has %i on its page', (size, local) => {
    const whole = bytes(size)
    const pages: Record<number, Buffer> = {
      2: treePage({ type: 13, cells: [leafCell(9, whole, local, 3)] }),
    }
    const rest = whole.subarray(local)
    const count = Math.ceil(rest.length / 508)
    for (let index = 0; index < count; index++) {
      const part = rest.subarray(508 * index, 508 * (index + 1))
      const next = uint32(index === count - 1 ? 0 : index + 4)
      pages[index + 3] = Buffer.concat([Buffer.from(next), part, Buffer.alloc(508 - part.length)])
    }
    expect([...tableCells(pagesOf(pages), 2)]).toEqual([{ rowid: 9, record: whole }])
  })

  it.each([0, 1, 2, 4, 10])('refuses a page of the type %i', (type) => {
    const pages = pagesOf({ 2: treePage({ type, cells: [] }) })
    expect(() => [...tableCells(pages, 2)]).toThrow(invalid('page 2 has no table'))
  })

  it.each([
    [13, 252],
    [5, 250],
  ])('of the type %i has at most %i cells', (type, count) => {
    const page = treePage({ type, cells: [], rightmost: 3 })
    const pages = pagesOf({ 2: page, 3: leaf() })
    page.writeUInt16BE(count + 1, 3)
    expect(() => tableCell(pages, 2, 99_999)).toThrow(invalid('page 2 has too many cells'))
    page.writeUInt16BE(count, 3)
    expect(tableCell(pages, 2, 99_999)).toBeUndefined()
  })

  it('may have 40 levels of pages above its rows', () => {
    const chain = (levels: number) => {
      const pages: Record<number, Buffer> = { [levels + 2]: leaf([1, one]) }
      for (let level = 0; level < levels; level++) {
        pages[level + 2] = treePage({ type: 5, cells: [], rightmost: level + 3 })
      }
      return pagesOf(pages)
    }
    expect([...tableCells(chain(40), 2)]).toEqual([{ rowid: 1, record: one }])
    expect(tableCell(chain(40), 2, 1)).toEqual({ rowid: 1, record: one })
    const deep = invalid('the tree of a table is too deep')
    expect(() => [...tableCells(chain(41), 2)]).toThrow(deep)
    expect(() => tableCell(chain(41), 2, 1)).toThrow(deep)
  })

  it('descends to the left as often as to the right', () => {
    const pages: Record<number, Buffer> = { 43: leaf([1, one]), 99: leaf() }
    for (let number = 2; number < 43; number++) {
      pages[number] = treePage({ type: 5, cells: [interiorCell(number + 1, 5)], rightmost: 99 })
    }
    const deep = invalid('the tree of a table is too deep')
    expect(() => [...tableCells(pagesOf(pages), 2)]).toThrow(deep)
    expect([...tableCells(pagesOf(pages), 3)]).toEqual([{ rowid: 1, record: one }])
  })

  it('refuses a record of more than 256 MiB before it is read', () => {
    const sized = (size: number) => {
      const cell = [...varint(size), 1, ...Array.from({ length: 200 }, () => 0)]
      return pagesOf({ 2: treePage({ type: 13, cells: [cell] }) })
    }
    const limit = 256 * 1024 * 1024
    const large = invalid('a record is larger than 256 MiB')
    expect(() => [...tableCells(sized(limit + 1), 2)]).toThrow(large)
    expect(() => [...tableCells(sized(limit), 2)]).toThrow('no page 0')
  })

  it('of pages with reserved bytes uses fewer of them', () => {
    const whole = bytes(470)
    const pages = {
      2: treePage({ type: 13, cells: [leafCell(9, whole, 38, 3)] }),
      3: Buffer.concat([
        Buffer.from(uint32(0)),
        whole.subarray(38),
        Buffer.alloc(pageSize),
      ]).subarray(0, pageSize),
    }
    const reserved = { ...pagesOf(pages), usableSize: 502 }
    expect([...tableCells(reserved, 2)]).toEqual([{ rowid: 9, record: whole }])
  })
})
