// The part of a selection that one request may search, with files numbered from 0.
import type { SearchRequest } from '../../search/search.ts'
import type { SelectedOrder, Sums } from './selected-order.ts'

export class SelectedRange {
  /** Number of files. */
  readonly length: number
  /** `max_files` excludes some files of the selection. */
  readonly isLimited: boolean
  /** The position of file 0 in the order. */
  readonly first: number
  readonly #order: SelectedOrder

  constructor(order: SelectedOrder, { resume, selection }: SearchRequest) {
    this.#order = order
    this.first = resume === undefined ? 0 : order.firstFrom(resume.path)
    const maxFiles = Math.max(0, selection.maxFiles - (resume?.files ?? 0))
    this.length = Math.min(order.length - this.first, maxFiles)
    this.isLimited = this.first + this.length < order.length
  }

  idAt(file: number): number {
    return this.#order.idAt(this.first + file)
  }

  /** Totals of the files from one up to, not including, another. */
  sum(from: number, to: number, maxBytes: number): Sums {
    return this.#order.sum(this.first + from, this.first + to, maxBytes)
  }
}
