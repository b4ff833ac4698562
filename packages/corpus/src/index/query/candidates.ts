// The files of the index that may match, in path order: those whose signatures hold what every match holds.
// The files in between count as searched, because a search of them could not find anything.
import type {
  Candidate,
  CandidateBatch,
  Candidates,
  SearchEnd,
  SearchTask,
} from '../../search/search.ts'
import type { Steps } from '../../steps.ts'
import type { FileTable } from '../file-table.ts'
import type { SelectedRange } from './range.ts'
import { isTooLarge } from './selected-order.ts'
import type { IndexedTexts } from './texts.ts'

export interface CandidateOptions {
  range: SelectedRange
  table: FileTable
  /** A bit for each position of the order that may match; undefined for all. Costs about as much as 64 files. */
  candidateBits(): Uint32Array | undefined
  texts: IndexedTexts
  /** The kernel searches for a literal, so that it is cheap to try the first files. */
  isLiteral: boolean
}

/** Files that are searched before the signatures are queried, and again while they yield this many hits. */
const probeFiles = 64
const minProbeYield = 1 / 12
const maxProbedHits = 1000

export class IndexedCandidates implements Candidates, CandidateBatch {
  readonly #options: CandidateOptions
  readonly #task: SearchTask
  #last: Candidate = -1
  #isStarted = false
  #isExpired = false
  #bits: { words: Uint32Array | undefined } | undefined
  /** Every file before this one is a candidate; 0 without probing. */
  #probeEnd = 0

  constructor(options: CandidateOptions, task: SearchTask) {
    this.#options = options
    this.#task = task
    const { mode, maxHits } = task.request
    if (options.isLiteral && mode === 'hits' && maxHits <= maxProbedHits) {
      this.#probeEnd = probeFiles
    }
  }

  /** One batch has all candidates; they are determined as it advances. */
  // oxlint-disable-next-line require-yield
  *nextBatch(): Steps<CandidateBatch | SearchEnd> {
    if (this.#isStarted) return this.#end()
    this.#isStarted = true
    return this
  }

  next(): Candidate | undefined {
    const { range } = this.#options
    const { time } = this.#task
    const isLeft = this.#last + 1 < range.length || range.isLimited
    if (time.hasDeadline && isLeft && time.remainingMs() <= 0) {
      this.#isExpired = true
      return undefined
    }
    const file = this.#nextFrom(this.#last + 1)
    return file < range.length ? (this.#last = file) : undefined
  }

  /** All candidates from one on, instead of what the batch had yet to return. */
  restartAt(file: Candidate): CandidateBatch {
    this.#last = file - 1
    return this
  }

  /** The candidates that the batch has yet to return. Ends probing. */
  *lookAhead(): Generator<Candidate> {
    const { length } = this.#options.range
    this.#probeEnd = 0
    for (let file = this.#last + 1; (file = this.#nextFrom(file)) < length; file++) yield file
  }

  /** An upper bound of the candidates that the batch has yet to return. */
  get maxLeft(): number {
    return this.#options.range.length - this.#last
  }

  #end(): SearchEnd {
    const { range, texts } = this.#options
    if (this.#isExpired) return { reason: 'expired', scanned: texts.scanned(this.#last) }
    const reason = range.isLimited ? 'limited' : 'all'
    return { reason, scanned: texts.scanned(range.length - 1) }
  }

  #nextFrom(from: Candidate): Candidate {
    const { range, table } = this.#options
    const { maxBytes } = this.#task.request
    for (let file = from; file < range.length; file++) {
      const bits = this.#isProbe(file) ? undefined : this.#candidateBits()
      if (bits !== undefined) {
        const { first, length } = range
        file = nextBit(bits, first + file, first + length) - first
        if (file >= length) break
      }
      if (!isTooLarge(table, range.idAt(file), maxBytes)) return file
    }
    return range.length
  }

  /** A frequent literal is found sooner by searching the next files than by querying the signatures. */
  #isProbe(file: Candidate): boolean {
    if (file < this.#probeEnd) return true
    if (this.#bits !== undefined || this.#probeEnd === 0) return false
    const { request, result } = this.#task
    if (result.count < request.maxHits * minProbeYield) return false
    this.#probeEnd = file + probeFiles
    return true
  }

  #candidateBits(): Uint32Array | undefined {
    this.#bits ??= { words: this.#options.candidateBits() }
    return this.#bits.words
  }
}

function nextBit(bits: Uint32Array, from: number, end: number): number {
  let word = from >>> 5
  let left = ((bits[word] ?? 0) >>> (from & 31)) << (from & 31)
  while (left === 0) {
    word++
    if (word * 32 >= end) return end
    left = bits[word] as number
  }
  return word * 32 + 31 - Math.clz32(left & -left)
}
