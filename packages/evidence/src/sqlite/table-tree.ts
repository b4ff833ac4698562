// Walks the b-tree of a table: interior pages lead to leaves, whose cells hold one record per row. A long
// record continues on overflow pages.
import { invalid } from './invalid.ts'
import type { Pages } from './pages.ts'
import { readVarint } from './varint.ts'

export interface Cell {
  rowid: number
  record: Buffer
}

const leafPage = 0x0d
const interiorPage = 0x05
/** Trees of real databases are less than ten pages deep. */
const maxDepth = 40
const maxRecordBytes = 256 * 1024 * 1024

/** Every row of the table in the order of its rowid. */
export function* tableCells(pages: Pages, root: number, depth = 0): Generator<Cell> {
  if (depth > maxDepth) throw invalid('the tree of a table is too deep')
  const { type, cells, rightmost, page } = readPage(pages, root)
  if (type === leafPage) {
    for (const at of cells) yield leafCell(pages, page, at)
    return
  }
  for (const at of cells) yield* tableCells(pages, page.readUInt32BE(at), depth + 1)
  yield* tableCells(pages, rightmost, depth + 1)
}

/** One row by its rowid. */
export function tableCell(pages: Pages, root: number, rowid: number): Cell | undefined {
  let number = root
  for (let depth = 0; depth <= maxDepth; depth++) {
    const { type, cells, rightmost, page } = readPage(pages, number)
    if (type === leafPage) {
      const at = cells.find((each) => rowidAt(page, each) === rowid)
      return at === undefined ? undefined : leafCell(pages, page, at)
    }
    const next = cells.find((each) => rowid <= readVarint(page, each + 4).value)
    number = next === undefined ? rightmost : page.readUInt32BE(next)
  }
  throw invalid('the tree of a table is too deep')
}

interface TreePage {
  type: number
  page: Buffer
  /** Offsets of the cells. */
  cells: number[]
  rightmost: number
}

function readPage(pages: Pages, number: number): TreePage {
  const page = pages.page(number)
  // The first page begins with the header of the file.
  const start = number === 1 ? 100 : 0
  const type = page.readUInt8(start)
  if (type !== leafPage && type !== interiorPage) throw invalid(`page ${number} has no table`)
  const count = page.readUInt16BE(start + 3)
  const first = start + (type === leafPage ? 8 : 12)
  if (first + 2 * count > page.length) throw invalid(`page ${number} has too many cells`)
  const cells = Array.from({ length: count }, (_none, index) =>
    page.readUInt16BE(first + 2 * index),
  )
  return { type, page, cells, rightmost: type === leafPage ? 0 : page.readUInt32BE(start + 8) }
}

function rowidAt(page: Buffer, cell: number): number {
  return readVarint(page, readVarint(page, cell).end).value
}

function leafCell(pages: Pages, page: Buffer, at: number): Cell {
  const size = readVarint(page, at)
  const rowid = readVarint(page, size.end)
  const local = localSize(size.value, pages.usableSize)
  const start = rowid.end
  const head = page.subarray(start, start + local)
  if (local === size.value) return { rowid: rowid.value, record: head }
  const rest = overflow(pages, page.readUInt32BE(start + local), size.value - local)
  return { rowid: rowid.value, record: Buffer.concat([head, ...rest]) }
}

/** How much of a record of `size` bytes lies on the page itself. */
function localSize(size: number, usable: number): number {
  if (size > maxRecordBytes) throw invalid('a record is larger than 256 MiB')
  const max = usable - 35
  if (size <= max) return size
  const min = Math.floor(((usable - 12) * 32) / 255) - 23
  const wanted = min + ((size - min) % (usable - 4))
  return wanted <= max ? wanted : min
}

function overflow(pages: Pages, first: number, size: number): Buffer[] {
  const parts: Buffer[] = []
  let number = first
  for (let left = size; left > 0;) {
    const page = pages.page(number)
    const part = page.subarray(4, Math.min(4 + left, pages.usableSize))
    parts.push(part)
    left -= part.length
    number = page.readUInt32BE(0)
  }
  return parts
}
