// Files that were prefiltered before, as a batch. It reads the files that were kept when the search reaches them.
import type { CorpusRoot } from '../../root/root.ts'
import { openLink } from '../../walk/walk.ts'
import type { FileBatch, ReadBatch } from '../file-batch.ts'
import type { LargeFile } from '../../content/content.ts'
import type { Prefiltered } from './jobs.ts'

export class FilteredBatch implements ReadBatch {
  index = -1
  readonly #root: CorpusRoot
  readonly #filtered: Prefiltered
  readonly #paths: readonly string[]
  /** Holds the current file. */
  readonly #file: FileBatch
  /** Index in `kept` of the next file. */
  #next = 0
  /** Totals of the kept files up to the current one. */
  #chars = 0
  #skipped = 0

  /** `paths` are those of the kept files, which are read into `file` one by one. */
  constructor(root: CorpusRoot, filtered: Prefiltered, paths: readonly string[], file: FileBatch) {
    this.#root = root
    this.#filtered = filtered
    this.#paths = paths
    this.#file = file
  }

  get length(): number {
    return this.#filtered.files
  }

  get failed(): readonly string[] {
    return this.#filtered.failed
  }

  get path(): string {
    return this.#paths[this.#next - 1] ?? ''
  }

  get bytes(): Buffer {
    return this.#file.bytes
  }

  get isLarge(): boolean {
    return this.#file.isLarge
  }

  takeLarge(): LargeFile | undefined {
    return this.#file.takeLarge()
  }

  seek(): boolean {
    const number = this.#filtered.kept[this.#next]
    this.index = number ?? this.length
    if (number === undefined) return false
    const path = this.#paths[this.#next++] as string
    this.#file.clear()
    this.#file.add(path, '', openLink(this.#root, path))
    this.#filtered.failed.push(...this.#file.failed)
    this.#file.seek()
    this.#chars += this.#file.charsTo(0)
    this.#skipped += this.#file.skippedTo(0)
    return true
  }

  /** Only for the current file, or for the last one after the end. */
  charsTo(index: number): number {
    const { chars, allChars } = this.#filtered
    return this.#chars + (this.#isCurrent(index) ? (chars[this.#next - 1] as number) : allChars)
  }

  skippedTo(index: number): number {
    const { skipped, allSkipped } = this.#filtered
    return (
      this.#skipped + (this.#isCurrent(index) ? (skipped[this.#next - 1] as number) : allSkipped)
    )
  }

  #isCurrent(index: number): boolean {
    return index === this.index && index < this.length
  }
}
