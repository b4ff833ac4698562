// Finds matching lines in texts in the kernel's memory, for one query thread: by a needle, or by a pattern's
// automaton, which runs only on lines that contain the bytes of every match.
import { needleFromBytes, plainNeedle } from '../../../finder/finder.ts'
import type { PlainNeedle } from '../../../finder/finder.ts'
import { reserve } from '../../../kernel/kernel.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { compileLineMatcher, fixedBytes, parseRegex, requiredText } from '../../../regex/regex.ts'
import type { LineMatcher, Regex } from '../../../regex/regex.ts'
import { unknownOffset, wordsPerLine } from '../../../kernel-search/kernel-search.ts'
import type { QueryPattern } from './jobs.ts'

export interface SearchedText {
  address: number
  end: number
  isAscii: boolean
  /** Where the search starts: the address of the text, or the end of the line with the number `line`. */
  from: number
  line: number
}

/** Returned instead of a number of lines: this text needs another engine. */
export const stuck = -1

export interface TextSearch {
  /** Writes at most `limit` matching lines as words to an address, and returns how many. */
  lines(text: SearchedText, into: number, limit: number): number
}

const maxNeedleBytes = 4096

/** The searches of one thread. They share its memory for needles and for an automaton. */
export class TextSearches {
  readonly #kernel: Kernel
  readonly #tableBytes: number
  readonly #needles: number[] = []
  #table: { scratchStart: number; scratchBytes: number } | undefined
  #last: { key: string; search: TextSearch } | undefined

  /** `tableBytes` limits the memory of an automaton. */
  constructor(kernel: Kernel, tableBytes: number) {
    this.#kernel = kernel
    this.#tableBytes = tableBytes
  }

  /** Undefined if there is no memory, or if the pattern has no automaton. */
  searchFor(query: QueryPattern): TextSearch | undefined {
    if (query.kind === 'literal') return this.#literal(query.needle)
    // A repeated pattern reuses the states of its automaton.
    const { pattern, ignoreCase } = query
    const key = JSON.stringify([pattern, ignoreCase])
    if (this.#last?.key === key) return this.#last.search
    this.#last = undefined
    const search = this.#regex(parseRegex(pattern, { ignoreCase }))
    if (search !== undefined) this.#last = { key, search }
    return search
  }

  #literal(needle: PlainNeedle): TextSearch | undefined {
    const kernel = this.#kernel
    const placed = this.#placeNeedle(needle, 0)
    if (placed === undefined) return undefined
    return {
      lines: ({ address, end, from, line }, into, limit) =>
        kernel.findLines(address, end, ...placed, from, line, into, limit),
    }
  }

  #regex(regex: Regex): TextSearch | undefined {
    const kernel = this.#kernel
    this.#table ??= this.#reserveTable()
    if (this.#table === undefined) return undefined
    const matcher = compileLineMatcher(regex, { memory: kernel.memory, kernel, ...this.#table })
    if (matcher === undefined) return undefined
    const fixed = fixedBytes(regex)
    const required = requiredText(regex)
    const ascii =
      fixed === undefined
        ? undefined
        : this.#placeNeedle(needleFromBytes(fixed.bytes, fixed.masks, fixed.frequencies), 0)
    const exact = required === undefined ? undefined : plainNeedle(required, true)
    const other = exact === undefined ? undefined : this.#placeNeedle(exact, 1)
    return new RegexLines(kernel, matcher, { ascii, other })
  }

  /** Writes a needle and its masks to one of two slots of memory. */
  #placeNeedle(needle: PlainNeedle, slot: 0 | 1): PlacedNeedle | undefined {
    const { bytes, masks, rarestOffset, secondOffset } = needle
    if (bytes.length > maxNeedleBytes) return undefined
    const address = (this.#needles[slot] ??= reserve(this.#kernel.memory, 2 * maxNeedleBytes) ?? 0)
    if (address === 0) return undefined
    this.#kernel.bytes().set(bytes, address)
    this.#kernel.bytes().set(masks, address + bytes.length)
    // Slot 0 may have held the needle of the cached pattern.
    if (slot === 0) this.#last = undefined
    return [address, bytes.length, rarestOffset, secondOffset]
  }

  #reserveTable(): { scratchStart: number; scratchBytes: number } | undefined {
    const scratchBytes = this.#tableBytes
    const scratchStart = reserve(this.#kernel.memory, scratchBytes)
    return scratchStart === undefined ? undefined : { scratchStart, scratchBytes }
  }
}

/** A needle in the kernel's memory, as arguments of the kernel's functions. */
type PlacedNeedle = readonly [
  address: number,
  length: number,
  rarestOffset: number,
  secondOffset: number,
]

/** Needles that every match contains. */
interface Filters {
  /** For texts of ASCII only. */
  ascii: PlacedNeedle | undefined
  other: PlacedNeedle | undefined
}

class RegexLines implements TextSearch {
  readonly #kernel: Kernel
  readonly #matcher: LineMatcher
  readonly #filters: Filters
  /** Addresses of the line that was found last. */
  #start = 0
  #end = 0

  constructor(kernel: Kernel, matcher: LineMatcher, filters: Filters) {
    this.#kernel = kernel
    this.#matcher = matcher
    this.#filters = filters
  }

  lines(text: SearchedText, into: number, limit: number): number {
    const kernel = this.#kernel
    const { address, end, isAscii } = text
    const filter = (isAscii ? this.#filters.ascii : undefined) ?? this.#filters.other
    const words = new Uint32Array(kernel.memory.buffer, into, limit * wordsPerLine)
    let { from: at, line } = text
    let counted = address
    if (at > address) {
      at = this.#afterLineEnd(at, end)
      counted = at
      line++
    }
    let found = 0
    for (; found < limit; found++) {
      const outcome =
        filter === undefined ? this.#next(at, end) : this.#nextFiltered(filter, address, at, end)
      if (outcome === 'stuck') return stuck
      if (outcome === 'none') break
      line += kernel.countLineEnds(counted, this.#start)
      counted = this.#start
      words.set(
        [line, this.#start - address, this.#end - address, unknownOffset],
        found * wordsPerLine,
      )
      at = this.#afterLineEnd(this.#end, end)
    }
    return found
  }

  #next(at: number, end: number): 'found' | 'none' | 'stuck' {
    const matcher = this.#matcher
    const outcome = matcher.nextLine(at, end)
    this.#start = matcher.lineStart
    this.#end = matcher.lineEnd
    return outcome
  }

  /** Runs the automaton only on lines that contain the needle. */
  #nextFiltered(
    filter: PlacedNeedle,
    address: number,
    from: number,
    end: number,
  ): 'found' | 'none' | 'stuck' {
    const kernel = this.#kernel
    for (let at = from; at < end;) {
      const hit = kernel.find(at, end, ...filter) >>> 0
      if (hit === 0) return 'none'
      this.#start = kernel.lineStart(address, hit) >>> 0
      this.#end = kernel.lineEnd(hit, end) >>> 0
      const outcome = this.#matcher.nextLine(this.#start, this.#end)
      if (outcome !== 'none') return outcome
      at = this.#end + 1
    }
    return 'none'
  }

  #afterLineEnd(at: number, end: number): number {
    if (at >= end) return end
    const bytes = this.#kernel.bytes()
    const isPair = bytes[at] === 0x0d && at + 1 < end && bytes[at + 1] === 0x0a
    return at + (isPair ? 2 : 1)
  }
}
