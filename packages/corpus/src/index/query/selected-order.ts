// The files of one selection in order, with what they add up to: which file comes where, and how many
// characters lie before it. Kept between requests and brought up to date file by file.
import { comparePaths } from '../../walk/walk.ts'
import { FileFlag, nowhere } from '../file-table.ts'
import type { FileTable } from '../file-table.ts'
import { maxIndexedBytes } from '../signatures/signatures.ts'

export interface Sums {
  chars: number
  /** Files that are larger than was asked for. */
  skippedLarge: number
}

/** Files whose sums are kept together. */
const filesPerGroup = 1024

export class SelectedOrder {
  #ids: Int32Array
  #positions = new Int32Array(0)
  /** Sums per group for the usual size limit; NaN where they have to be made again. */
  #chars = new Float64Array(0)
  #skipped = new Float64Array(0)
  readonly #table: FileTable
  readonly #accepts: (path: string) => boolean

  /** `accepts` tells of a path that is not hidden behind an ignore file whether it is selected. */
  constructor(table: FileTable, ids: Int32Array, accepts: (path: string) => boolean) {
    this.#table = table
    this.#ids = ids
    this.#accepts = accepts
    this.#arrange()
  }

  get length(): number {
    return this.#ids.length
  }

  idAt(position: number): number {
    return this.#ids[position] as number
  }

  /** Where a file stands, NOWHERE when it is not selected. */
  positionOf(id: number): number {
    return id < this.#positions.length ? (this.#positions[id] as number) : nowhere
  }

  /** The first position whose path is not before this one. */
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

  /** Takes files in that came and out that went. */
  change(came: Iterable<number>, went: Iterable<number>): void {
    const gone = new Set([...went].filter((id) => this.positionOf(id) !== nowhere))
    if (gone.size > 0) this.#ids = this.#ids.filter((id) => !gone.has(id))
    const fresh = [...new Set(came)].filter((id) => this.#isNew(id, gone))
    if (gone.size === 0 && fresh.length === 0) return
    for (const id of fresh) this.#insert(id)
    this.#arrange()
  }

  /** What is known of a file is another. */
  touch(id: number): void {
    const position = this.positionOf(id)
    if (position !== nowhere) this.#chars[Math.floor(position / filesPerGroup)] = Number.NaN
  }

  /** What the files from one position up to another add up to. */
  sum(from: number, to: number, maxBytes: number): Sums {
    const sums = { chars: 0, skippedLarge: 0 }
    for (let at = from; at < to;) {
      const group = Math.floor(at / filesPerGroup)
      if (maxBytes === maxIndexedBytes && at % filesPerGroup === 0 && at + filesPerGroup <= to) {
        this.#addGroup(sums, group)
        at += filesPerGroup
      } else {
        const end = Math.min(to, (group + 1) * filesPerGroup)
        this.#addRange(sums, at, end, maxBytes)
        at = end
      }
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

  #arrange(): void {
    const ids = this.#ids
    const positions = new Int32Array(this.#table.names.length).fill(nowhere)
    for (let at = 0; at < ids.length; at++) positions[ids[at] as number] = at
    this.#positions = positions
    const groups = Math.ceil(ids.length / filesPerGroup)
    this.#chars = new Float64Array(groups).fill(Number.NaN)
    this.#skipped = new Float64Array(groups)
  }

  #addGroup(sums: Sums, group: number): void {
    if (Number.isNaN(this.#chars[group])) {
      const own = { chars: 0, skippedLarge: 0 }
      this.#addRange(own, group * filesPerGroup, (group + 1) * filesPerGroup, maxIndexedBytes)
      this.#chars[group] = own.chars
      this.#skipped[group] = own.skippedLarge
    }
    sums.chars += this.#chars[group] as number
    sums.skippedLarge += this.#skipped[group] as number
  }

  #addRange(sums: Sums, from: number, to: number, maxBytes: number): void {
    const table = this.#table
    for (let at = from; at < to; at++) {
      const id = this.#ids[at] as number
      if (isTooLarge(table, id, maxBytes)) sums.skippedLarge++
      else sums.chars += table.chars[id] as number
    }
  }
}

/** Known to be larger than a search wants to look into. */
export function isTooLarge(table: FileTable, id: number, maxBytes: number): boolean {
  const large = table.has(id, FileFlag.large)
  return ((large ? table.sizes[id] : table.lengths[id]) as number) > maxBytes
}
