// Files that were sifted elsewhere or before, as a batch: those that may hold the needle are read now.
import type { CorpusRoot } from '../../root/root.ts'
import { openLink } from '../../walk/walk.ts'
import type { FileBatch, ReadBatch } from '../file-batch.ts'
import type { LargeFile } from '../../content/content.ts'
import type { Prefiltered } from './jobs.ts'

export class FilteredBatch implements ReadBatch {
  at = -1
  readonly #root: CorpusRoot
  readonly #sifted: Prefiltered
  readonly #paths: readonly string[]
  /** Holds the file at hand. */
  readonly #file: FileBatch
  #next = 0
  /** Of the files that were kept, up to the one at hand. */
  #chars = 0
  #skipped = 0

  /** The paths are of those that were kept; they are read into `file`. */
  constructor(root: CorpusRoot, sifted: Prefiltered, paths: readonly string[], file: FileBatch) {
    this.#root = root
    this.#sifted = sifted
    this.#paths = paths
    this.#file = file
  }

  get length(): number {
    return this.#sifted.files
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
    const number = this.#sifted.kept[this.#next]
    this.at = number ?? this.length
    if (number === undefined) return false
    const path = this.#paths[this.#next++] as string
    this.#file.clear()
    this.#file.add(path, '', openLink(this.#root, path))
    this.#file.seek()
    this.#chars += this.#file.charsTo(0)
    this.#skipped += this.#file.skippedTo(0)
    return true
  }

  /** Only ever asked of the file at hand, or of all. */
  charsTo(index: number): number {
    const { chars, allChars } = this.#sifted
    return this.#chars + (this.#isAtHand(index) ? (chars[this.#next - 1] as number) : allChars)
  }

  skippedTo(index: number): number {
    const { skipped, allSkipped } = this.#sifted
    return (
      this.#skipped + (this.#isAtHand(index) ? (skipped[this.#next - 1] as number) : allSkipped)
    )
  }

  #isAtHand(index: number): boolean {
    return index === this.at && index < this.length
  }
}
