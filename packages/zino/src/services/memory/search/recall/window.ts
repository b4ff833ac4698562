// Own scores for the recall ranking, a window of memories at a time. All words of the query are added
// up within the window before it moves on, so that the work stays in the processor's cache however many
// memories there are. The end of a window is carried over: neighbours are looked at on both sides.
import { withRoom } from '../columns.ts'
import type { MemoryIndex } from '../memory-index.ts'
import type { PostingCursor } from '../posting-lists.ts'
import type { RecallQuery, RecallTerm } from './query.ts'

/** How far neighbours may be apart. */
export const reach = 6

/** How soon more of the same word stops counting, and how much the length of a memory matters. */
const saturation = 0.9
const lengthShare = 0.4

const carried = 2 * reach
const newMemories = 32_768
const positionsInAll = carried + newMemories + reach
/** A mark among the bits of the words that a memory holds: listed for its pairs. */
const listed = 1 << 30

export class RecallWindow {
  /** By position the own score of a memory. */
  readonly scores = new Float64Array(positionsInAll)
  /** The id at position 0. */
  base = 0
  /** Positions of memories that hold a word and have all their neighbours in the window. */
  readonly ready = new Uint32Array(positionsInAll)
  readyCount = 0
  readonly #index: MemoryIndex
  /** By position the query's words that a memory holds, a bit for each. */
  readonly #held = new Uint32Array(positionsInAll)
  readonly #touched = new Uint32Array(positionsInAll)
  #touchedCount = 0
  readonly #paired = new Uint32Array(positionsInAll)
  #pairCount = 0
  #query: RecallQuery = { terms: [], pairs: [], names: new Set() }
  #cursors: PostingCursor[] = []
  /** By word its position among the terms, plus one; zero between queries. */
  #termNumbers = new Uint8Array(0)
  /** k of a memory is `#flat + #slope * length`. */
  #flat = 0
  #slope = 0

  constructor(index: MemoryIndex) {
    this.#index = index
  }

  begin(query: RecallQuery): void {
    const { memories, totalWords, words, postings } = this.#index
    this.#query = query
    this.#flat = saturation * (1 - lengthShare)
    this.#slope = (saturation * lengthShare * memories) / totalWords
    this.#cursors = query.terms.map(({ word }) => postings.cursor(word))
    this.#termNumbers = withRoom(this.#termNumbers, words)
    for (const [at, { word }] of query.terms.entries()) this.#termNumbers[word] = at + 1
    this.base = -carried - newMemories
  }

  /** Moves on to the next memories; false behind the last. */
  next(): boolean {
    const { next } = this.#index
    if (this.base + carried + newMemories >= next) return false
    this.#slide()
    for (const at of this.#query.terms.keys()) this.#addWord(at)
    this.#addPairs()
    this.#listReady(this.base + carried + newMemories >= next)
    return true
  }

  /** Leaves everything as a next query needs it. */
  end(): void {
    this.scores.fill(0)
    this.#held.fill(0)
    this.#touchedCount = 0
    for (const { word } of this.#query.terms) this.#termNumbers[word] = 0
  }

  /** The factor of a word that the memory holds once. */
  once(id: number): number {
    const k = this.#flat + this.#slope * (this.#index.lengths[id] as number)
    return (saturation + 1) / (1 + k)
  }

  #slide(): void {
    this.scores.copyWithin(0, newMemories, newMemories + carried)
    this.#held.copyWithin(0, newMemories, newMemories + carried)
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const position = this.#touched[at] as number
      if (position < carried) continue
      this.scores[position] = 0
      this.#held[position] = 0
    }
    this.#touchedCount = 0
    this.#pairCount = 0
    this.base += newMemories
  }

  #addWord(at: number): void {
    const { weight } = this.#query.terms[at] as RecallTerm
    const cursor = this.#cursors[at] as PostingCursor
    const limit = (this.base + carried + newMemories) * 16
    const full = weight * (saturation + 1)
    const partners = partnersOf(this.#query.pairs, at)
    do {
      this.#addPostings(cursor, limit, full, 1 << at, partners)
    } while (cursor.at === cursor.end && this.#index.postings.advance(cursor))
  }

  #addPostings(
    cursor: PostingCursor,
    limit: number,
    full: number,
    bit: number,
    partners: number,
  ): void {
    const { scores, base } = this
    const { lengths } = this.#index
    const { page, end } = cursor
    const held = this.#held
    const flat = this.#flat
    const slope = this.#slope
    let { at } = cursor
    for (; at < end; at += 1) {
      const posting = page[at] as number
      if (posting >= limit) break
      const length = lengths[posting >>> 4] as number
      if (length === 0) continue
      const times = posting & 15
      const position = (posting >>> 4) - base
      const before = held[position] as number
      if (before === 0) this.#touched[this.#touchedCount++] = position
      if ((before & partners) !== 0 && (before & listed) === 0) {
        this.#paired[this.#pairCount++] = position
        held[position] = before | bit | listed
      } else {
        held[position] = before | bit
      }
      const score = (full * times) / (times + flat + slope * length)
      scores[position] = (scores[position] as number) + score
    }
    cursor.at = at
  }

  #addPairs(): void {
    for (let at = 0; at < this.#pairCount; at += 1) {
      const position = this.#paired[at] as number
      const id = this.base + position
      const bonus = this.#pairsOf(id)
      if (bonus === 0) continue
      this.scores[position] = (this.scores[position] as number) + bonus * this.once(id)
    }
  }

  /** What the pairs in a memory are worth; each counts once, and noise words between do not matter. */
  #pairsOf(id: number): number {
    const { noiseEnd, sequences } = this.#index
    const { pairs } = this.#query
    const count = sequences.read(id)
    const { words } = sequences
    let bonus = 0
    let counted = 0
    let before = 0
    for (let at = 0; at < count; at += 1) {
      const word = words[at] as number
      const term = this.#termNumbers[word] as number
      if (term > 1 && before === term - 1 && (counted & (1 << before)) === 0) {
        bonus += pairs[before] as number
        counted |= 1 << before
      }
      if (term !== 0 || word >= noiseEnd) before = term
    }
    return bonus
  }

  #listReady(isLast: boolean): void {
    const end = carried + newMemories - (isLast ? 0 : reach)
    let count = 0
    for (let position = reach; position < carried; position += 1) {
      if (this.#held[position] !== 0) this.ready[count++] = position
    }
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const position = this.#touched[at] as number
      if (position < end) this.ready[count++] = position
    }
    this.readyCount = count
  }
}

/** The terms that the term at this position forms a pair with, a bit for each. */
function partnersOf(pairs: readonly number[], at: number): number {
  const before = (pairs[at] ?? 0) > 0 ? 1 << (at - 1) : 0
  const after = (pairs[at + 1] ?? 0) > 0 ? 1 << (at + 1) : 0
  return before | after
}
