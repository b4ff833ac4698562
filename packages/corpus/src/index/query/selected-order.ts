// The files of one selection in path order, with sums of their characters. It is cached between requests and updated
// file by file.
import { comparePaths } from '../../walk/walk.ts'
import { FileFlag, nowhere } from '../file-table.ts'
import type { FileTable } from '../file-table.ts'
import { maxIndexedBytes } from '../signatures/signatures.ts'

export interface Sums {
  chars: number
  /** Files larger than `max_bytes`. */
  skippedLarge: number
}

/** Files per cached sum. */
const filesPerGroup = 1024

export class SelectedOrder {
  #ids: Int32Array
  #positions = new Int32Array(0)
  /** Sums per group for the default `max_bytes`; NaN where they are not computed. */
  #chars = new Float64Array(0)
  #skipped = new Float64Array(0)
  readonly #table: FileTable
  readonly #accepts: (path: string) => boolean

  /** `accepts` decides whether a path is selected, apart from ignore files. */
  constructor(table: FileTable, ids: Int32Array, accepts: (path: string) => boolean) {
    this.#table = table
    this.#ids = ids
    this.#accepts = accepts
    this.#rebuild()
  }

  get length(): number {
    return this.#ids.length
  }

  idAt(position: number): number {
    return this.#ids[position] as number
  }

  /** The position of a file; `nowhere` if it is not selected. */
  positionOf(id: number): number {
    return id < this.#positions.length ? (this.#positions[id] as number) : nowhere
  }

  /** The first position with a path that does not sort before `path`. */
  firstFrom(path: string): number {
    let low = 0
    let high = this.#ids.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (comparePaths(this.#table.path(this.idAt(middle)), path) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  update(added: Iterable<number>, removed: Iterable<number>): void {
    const gone = new Set([...removed].filter((id) => this.positionOf(id) !== nowhere))
    if (gone.size > 0) this.#ids = this.#ids.filter((id) => !gone.has(id))
    const fresh = [...new Set(added)].filter((id) => this.#isNew(id, gone))
    if (gone.size === 0 && fresh.length === 0) return
    for (const id of fresh) this.#insert(id)
    this.#rebuild()
  }

  /** Discards the sum that includes a file, because its content changed. */
  invalidate(id: number): void {
    const position = this.positionOf(id)
    if (position !== nowhere) this.#chars[Math.floor(position / filesPerGroup)] = Number.NaN
  }

  /** Totals of the files from one position up to, not including, another. */
  sum(from: number, to: number, maxBytes: number): Sums {
    const sums = { chars: 0, skippedLarge: 0 }
    for (let position = from; position < to;) {
      const group = Math.floor(position / filesPerGroup)
      const groupEnd = this.#endOfGroup(group)
      const isGroup = position % filesPerGroup === 0 && groupEnd <= to
      const end = Math.min(to, groupEnd)
      if (isGroup && maxBytes === maxIndexedBytes) this.#addGroup(sums, group)
      else this.#addRange(sums, position, end, maxBytes)
      position = end
    }
    return sums
  }

  #isNew(id: number, gone: ReadonlySet<number>): boolean {
    if (this.#table.folders[id] === undefined) return false
    if (this.positionOf(id) !== nowhere && !gone.has(id)) return false
    if (this.#table.has(id, FileFlag.toFolder)) return false
    return this.#accepts(this.#table.path(id))
  }

  #insert(id: number): void {
    const at = this.firstFrom(this.#table.path(id))
    const ids = new Int32Array(this.#ids.length + 1)
    ids.set(this.#ids.subarray(0, at))
    ids[at] = id
    ids.set(this.#ids.subarray(at), at + 1)
    this.#ids = ids
  }

  /** Recomputes the positions, and discards all sums. */
  #rebuild(): void {
    const ids = this.#ids
    const positions = new Int32Array(this.#table.names.length).fill(nowhere)
    for (let index = 0; index < ids.length; index++) positions[ids[index] as number] = index
    this.#positions = positions
    const groups = Math.ceil(ids.length / filesPerGroup)
    this.#chars = new Float64Array(groups).fill(Number.NaN)
    this.#skipped = new Float64Array(groups)
  }

  #addGroup(sums: Sums, group: number): void {
    if (Number.isNaN(this.#chars[group])) {
      const groupSums = { chars: 0, skippedLarge: 0 }
      this.#addRange(groupSums, group * filesPerGroup, this.#endOfGroup(group), maxIndexedBytes)
      this.#chars[group] = groupSums.chars
      this.#skipped[group] = groupSums.skippedLarge
    }
    sums.chars += this.#chars[group] as number
    sums.skippedLarge += this.#skipped[group] as number
  }

  /** The last group has fewer files. */
  #endOfGroup(group: number): number {
    return Math.min((group + 1) * filesPerGroup, this.#ids.length)
  }

  #addRange(sums: Sums, from: number, to: number, maxBytes: number): void {
    const table = this.#table
    for (let position = from; position < to; position++) {
      const id = this.#ids[position] as number
      if (isTooLarge(table, id, maxBytes)) sums.skippedLarge++
      else sums.chars += table.chars[id] as number
    }
  }
}

/** Whether a file is known to be larger than `maxBytes`. */
export function isTooLarge(table: FileTable, id: number, maxBytes: number): boolean {
  const large = table.has(id, FileFlag.large)
  return ((large ? table.sizes[id] : table.lengths[id]) as number) > maxBytes
}
