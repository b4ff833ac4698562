// Own scores for the recall ranking, one window of memories at a time. All query terms are summed in a
// window before the next one, so that the working set stays in the CPU cache. The end of a window is
// carried over to the next, because scores of neighbours on both sides are needed.
import { withCapacity } from '../columns.ts'
import type { MemoryIndex } from '../memory-index.ts'
import { traits } from '../memory-index.ts'
import type { PostingCursor } from '../posting-lists.ts'
import type { RecallQuery, RecallTerm } from './query.ts'
import { recallTuning as tuning } from './tuning.ts'

/** Maximum distance of neighbours. */
export const maxDistance = 6

const { k1, b } = tuning

const carriedOver = 2 * maxDistance
const windowMemories = 32_768
const positionCount = carriedOver + windowMemories + maxDistance
/** A mark beside the term bits of a memory: it is already listed for pairs. */
const pairListed = 1 << 30

export class RecallWindow {
  /** Own score per position. */
  readonly scores = new Float64Array(positionCount)
  /** The id at position 0. */
  base = 0
  /** Positions of memories with a query word, and of answers to them, with all neighbours in the window. */
  readonly ready = new Uint32Array(2 * positionCount)
  readyCount = 0
  readonly #index: MemoryIndex
  /** Per position, the terms that the memory contains, one bit each. */
  readonly #held = new Uint32Array(positionCount)
  readonly #touched = new Uint32Array(positionCount)
  #touchedCount = 0
  readonly #paired = new Uint32Array(positionCount)
  #pairCount = 0
  #query: RecallQuery = noQuery
  /** BM25 per session; the terms are summed one by one. */
  #sessionScores = new Float64Array(0)
  #touchedSessions: number[] = []
  #maxSessionScore = 0
  #sessionSlope = 0
  /** Coverage by the bits of the held terms. */
  readonly #coverages = new Map<number, number>()
  #cursors: PostingCursor[] = []
  /** Per word, its index among the terms plus one; zero between queries. */
  #termNumbers = new Uint8Array(0)
  /** The BM25 denominator adds `#flat + #slope * length` to the count. */
  #flat = 0
  #slope = 0

  constructor(index: MemoryIndex) {
    this.#index = index
  }

  begin(query: RecallQuery): void {
    const { memoryCount, totalWords, wordCount, postings } = this.#index
    this.#query = query
    this.#flat = k1 * (1 - b)
    this.#slope = (k1 * b * memoryCount) / totalWords
    this.#cursors = query.terms.map(({ word }) => postings.cursor(word))
    this.#termNumbers = withCapacity(this.#termNumbers, wordCount)
    for (const [at, { word }] of query.terms.entries()) this.#termNumbers[word] = at + 1
    this.base = -carriedOver - windowMemories
    const { sessionCount } = this.#index
    this.#sessionScores = withCapacity(this.#sessionScores, sessionCount)
    this.#sessionSlope = (k1 * b * sessionCount) / Math.max(1, totalWords)
    this.#maxSessionScore = 0
    this.#coverages.clear()
    this.#rankSessions()
  }

  /** Moves to the next window; returns false after the last one. */
  next(): boolean {
    const { nextId } = this.#index
    if (this.base + carriedOver + windowMemories >= nextId) return false
    this.#slide()
    for (const at of this.#query.terms.keys()) this.#addWord(at)
    this.#addPairs()
    this.#listReady(this.base + carriedOver + windowMemories >= nextId)
    return true
  }

  /** Resets all state for the next query. */
  end(): void {
    this.scores.fill(0)
    this.#held.fill(0)
    for (const { word } of this.#query.terms) this.#termNumbers[word] = 0
    for (const session of this.#touchedSessions) this.#sessionScores[session] = 0
    this.#touchedSessions = []
  }

  /** The factor of the memory's session. */
  sessionFactor(id: number): number {
    if (this.#maxSessionScore === 0) return 1
    const score = this.#sessionScores[this.#index.sessions[id] as number] as number
    return 1 + (tuning.session * score) / this.#maxSessionScore
  }

  /** The share of the query's weight that the memory and the adjacent ones with its tag hold. */
  coverage(position: number): number {
    const held = this.#heldAround(position) & ~pairListed
    let coverage = this.#coverages.get(held)
    if (coverage === undefined) {
      let weight = 0
      for (const [at, term] of this.#query.terms.entries()) {
        if ((held & (1 << at)) !== 0) weight += term.weight
      }
      coverage = weight / this.#query.fullWeight
      this.#coverages.set(held, coverage)
    }
    return coverage
  }

  #heldAround(position: number): number {
    const { tags } = this.#index
    const id = this.base + position
    let held = this.#held[position] as number
    if (id > 0 && tags[id - 1] === tags[id]) held |= this.#held[position - 1] as number
    if (tags[id + 1] === tags[id]) held |= this.#held[position + 1] as number
    return held
  }

  /** Ranks the sessions first, so that the factor of a memory is known when it is scored. */
  #rankSessions(): void {
    for (const term of this.#query.terms) this.#addToSessions(term)
  }

  #addToSessions({ word, weight }: RecallTerm): void {
    const { sessions, lengths, postings } = this.#index
    const cursor = postings.cursor(word)
    const full = weight * (k1 + 1)
    let open = -1
    let count = 0
    do {
      const { page, end } = cursor
      for (let { at } = cursor; at < end; at += 1) {
        const posting = page[at] as number
        const id = posting >>> 4
        if (lengths[id] === 0) continue
        const session = sessions[id] as number
        if (session !== open) {
          if (count > 0) this.#addSessionScore(open, full, count)
          open = session
          count = 0
        }
        count += posting & 15
      }
    } while (postings.advance(cursor))
    if (count > 0) this.#addSessionScore(open, full, count)
  }

  #addSessionScore(session: number, full: number, count: number): void {
    const length = this.#index.sessionLengths[session] as number
    const before = this.#sessionScores[session] as number
    if (before === 0) this.#touchedSessions.push(session)
    const score = before + (full * count) / (count + this.#flat + this.#sessionSlope * length)
    this.#sessionScores[session] = score
    if (score > this.#maxSessionScore) this.#maxSessionScore = score
  }

  /** The BM25 factor of a word that occurs once in the memory. */
  singleCountFactor(id: number): number {
    const k = this.#flat + this.#slope * (this.#index.lengths[id] as number)
    return (k1 + 1) / (1 + k)
  }

  #slide(): void {
    this.scores.copyWithin(0, windowMemories, windowMemories + carriedOver)
    this.#held.copyWithin(0, windowMemories, windowMemories + carriedOver)
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const position = this.#touched[at] as number
      if (position < carriedOver) continue
      this.scores[position] = 0
      this.#held[position] = 0
    }
    this.#touchedCount = 0
    this.#pairCount = 0
    this.base += windowMemories
  }

  #addWord(at: number): void {
    const { weight } = this.#query.terms[at] as RecallTerm
    const cursor = this.#cursors[at] as PostingCursor
    const limit = (this.base + carriedOver + windowMemories) * 16
    const full = weight * (k1 + 1)
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
      if ((before & partners) !== 0 && (before & pairListed) === 0) {
        this.#paired[this.#pairCount++] = position
        held[position] = before | bit | pairListed
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
      const bonus = this.#pairBonus(id)
      if (bonus === 0) continue
      this.scores[position] = (this.scores[position] as number) + bonus * this.singleCountFactor(id)
    }
  }

  /** Weight of the pairs in a memory; each counts once, and stop words between are ignored. */
  #pairBonus(id: number): number {
    const { stopWordEnd, sequences } = this.#index
    const { pairs } = this.#query
    const count = sequences.read(id)
    const { words } = sequences
    // One bit per pair, at its second term: its words are adjacent, or one word stands between them.
    let adjacent = 0
    let apart = 0
    let last = 0
    let lastButOne = 0
    for (let at = 0; at < count; at += 1) {
      const word = words[at] as number
      const term = this.#termNumbers[word] as number
      if (term > 1 && last === term - 1) adjacent |= 1 << last
      else if (term > 1 && lastButOne === term - 1) apart |= 1 << lastButOne
      if (term === 0 && word < stopWordEnd) continue
      lastButOne = last
      last = term
    }
    if ((adjacent | apart) === 0) return 0
    let bonus = 0
    for (let at = 1; at < pairs.length; at += 1) {
      const bit = 1 << at
      if ((adjacent & bit) !== 0) bonus += pairs[at] as number
      else if ((apart & bit) !== 0) bonus += tuning.pairApart * (pairs[at] as number)
    }
    return bonus
  }

  #listReady(isLast: boolean): void {
    const end = carriedOver + windowMemories - (isLast ? 0 : maxDistance)
    let count = 0
    for (let position = maxDistance - 1; position < carriedOver; position += 1) {
      if (this.#held[position] === 0) continue
      if (position >= maxDistance) this.ready[count++] = position
      if (this.#hasAnswer(position)) this.ready[count++] = position + 1
    }
    for (let at = 0; at < this.#touchedCount; at += 1) {
      const position = this.#touched[at] as number
      if (position < carriedOver) continue
      if (position < end) this.ready[count++] = position
      if (position + 1 < end && this.#hasAnswer(position)) this.ready[count++] = position + 1
    }
    this.readyCount = count
  }

  /** Whether the memory is a question and the next one answers it without a query word of its own. */
  #hasAnswer(position: number): boolean {
    if (this.#held[position + 1] !== 0) return false
    const { lengths, tags } = this.#index
    const kinds = this.#index.traits
    const id = this.base + position
    const next = id + 1
    if (next >= this.#index.nextId || id < 0 || lengths[next] === 0) return false
    return ((kinds[id] as number) & traits.question) !== 0 && tags[next] === tags[id]
  }
}

const noQuery: RecallQuery = {
  terms: [],
  pairs: [],
  words: [],
  fullWeight: 1,
  fullScore: 1,
  maxFactor: 1,
  wantsTime: false,
  wantsNumber: false,
  leadWords: new Set(),
}

/** The terms that form a pair with this term, one bit each. */
function partnersOf(pairs: readonly number[], at: number): number {
  const before = (pairs[at] ?? 0) > 0 ? 1 << (at - 1) : 0
  const after = (pairs[at + 1] ?? 0) > 0 ? 1 << (at + 1) : 0
  return before | after
}
