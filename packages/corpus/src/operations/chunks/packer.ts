// Packs parts of files into chunks. Where a chunk may end at several files, it ends before the one whose path has the
// smallest hash: a change of one file then moves few ends, and the other chunks stay the same.
import { sha256Hex } from '../../hash.ts'
import { asciiBytesOf } from '../paging.ts'
import type { PlacedPart } from './chunks.ts'

/** A chunk ends when it is at least this full. */
const minFill = 0.65

/** The size of a chunk: its characters, and the bytes that its list of parts takes in an answer. */
interface Size {
  chars: number
  bytes: number
}

export class ChunkPacker {
  readonly #max: Size
  #pending: PlacedPart[] = []
  #size = noSize

  /** A chunk of many small files ends when the list of its parts fills `maxAnswer` bytes. */
  constructor(maxChars: number, maxAnswer = Infinity) {
    this.#max = { chars: maxChars + 1, bytes: maxAnswer }
  }

  /** Adds a part; returns the chunks that it completes. */
  add(part: PlacedPart): PlacedPart[][] {
    const full: PlacedPart[][] = []
    while (this.#pending.length > 0 && !this.#fits(sumOf(this.#size, sizeOf(part)))) {
      full.push(this.#take(this.#end(part)))
    }
    this.#pending.push(part)
    this.#size = sumOf(this.#size, sizeOf(part))
    return full
  }

  finish(): PlacedPart[][] {
    return this.#pending.length === 0 ? [] : [this.#take(this.#pending.length)]
  }

  #take(count: number): PlacedPart[] {
    const taken = this.#pending.splice(0, count)
    this.#size = this.#pending.reduce((sum, part) => sumOf(sum, sizeOf(part)), noSize)
    return taken
  }

  #fits({ chars, bytes }: Size): boolean {
    return chars <= this.#max.chars && bytes <= this.#max.bytes
  }

  #isFilled({ chars, bytes }: Size): boolean {
    return chars >= (this.#max.chars - 1) * minFill || bytes >= this.#max.bytes * minFill
  }

  /** The number of parts before the end with the smallest hash, among the ends that fill the chunk enough. */
  #end(next: PlacedPart): number {
    let best = this.#pending.length
    let bestHash = endHash(next)
    let size = noSize
    for (const [index, part] of this.#pending.entries()) {
      if (index > 0 && this.#isFilled(size) && endHash(part) < bestHash) {
        best = index
        bestHash = endHash(part)
      }
      size = sumOf(size, sizeOf(part))
    }
    return best
  }
}

const noSize: Size = { chars: 0, bytes: 0 }

/** Bytes of a part besides its path: seven names, the hash and numbers. */
const partBytes = 210

/** With a line end, which joins it to the next piece of its file. */
function sizeOf({ chars, path }: PlacedPart): Size {
  return { chars: chars + 1, bytes: partBytes + asciiBytesOf(path) }
}

function sumOf(a: Size, b: Size): Size {
  return { chars: a.chars + b.chars, bytes: a.bytes + b.bytes }
}

function endHash({ path, start_line: line }: PlacedPart): string {
  return sha256Hex(`${path}\0${line}`)
}
