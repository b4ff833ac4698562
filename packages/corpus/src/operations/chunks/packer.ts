// Packs parts of files into chunks. Where a chunk may end at several files, it ends before the one whose path has the
// smallest hash: a change of one file then moves few ends, and the other chunks stay the same.
import { sha256Hex } from '../../hash.ts'
import type { PlacedPart } from './chunks.ts'

/** A chunk ends when it is at least this full. */
const minFill = 0.65

export class ChunkPacker {
  readonly #maxChars: number
  #pending: PlacedPart[] = []
  #chars = 0

  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  /** Adds a part; returns the chunks that it completes. */
  add(part: PlacedPart): PlacedPart[][] {
    const full: PlacedPart[][] = []
    while (this.#pending.length > 0 && this.#chars + sizeOf(part) > this.#maxChars + 1) {
      full.push(this.#take(this.#end(part)))
    }
    this.#pending.push(part)
    this.#chars += sizeOf(part)
    return full
  }

  finish(): PlacedPart[][] {
    return this.#pending.length === 0 ? [] : [this.#take(this.#pending.length)]
  }

  #take(count: number): PlacedPart[] {
    const taken = this.#pending.splice(0, count)
    this.#chars = this.#pending.reduce((sum, part) => sum + sizeOf(part), 0)
    return taken
  }

  /** The number of parts before the end with the smallest hash, among the ends that fill the chunk enough. */
  #end(next: PlacedPart): number {
    let best = this.#pending.length
    let bestHash = endHash(next)
    let chars = 0
    for (const [index, part] of this.#pending.entries()) {
      if (index > 0 && chars >= this.#maxChars * minFill && endHash(part) < bestHash) {
        best = index
        bestHash = endHash(part)
      }
      chars += sizeOf(part)
    }
    return best
  }
}

/** With a line end, which joins it to the next piece of its file. */
function sizeOf({ chars }: PlacedPart): number {
  return chars + 1
}

function endHash({ path, start_line: line }: PlacedPart): string {
  return sha256Hex(`${path}\0${line}`)
}
