// Finds lines in a text that lies in the kernel's memory, for a thread of its own: by a needle, or by a
// pattern's automaton, which is only asked about lines that have what every match has.
import { plainNeedle, plainNeedleOf } from '../../../finder/finder.ts'
import type { PlainNeedle } from '../../../finder/finder.ts'
import { reserve } from '../../../kernel/kernel.ts'
import type { Kernel } from '../../../kernel/kernel.ts'
import { compileLineMatcher, fixedBytes, parseRegex, requiredText } from '../../../regex/regex.ts'
import type { LineMatcher, Regex } from '../../../regex/regex.ts'
import { noPlace, wordsPerLine } from '../area.ts'
import type { Sought } from './jobs.ts'

/** A text, and from where on it is searched: the end of the line with this number, or its beginning. */
export interface SearchedText {
  address: number
  end: number
  isAscii: boolean
  from: number
  line: number
}

/** Instead of a number of lines: this text needs another engine. */
export const stuck = -1

export interface TextSearch {
  /** Writes lines as words to an address, at most `limit`; gives how many. */
  lines(text: SearchedText, into: number, limit: number): number
}

const mostNeedle = 4096

/** The searches of one thread, in memory of its own. */
export class TextSearches {
  readonly #kernel: Kernel
  readonly #tableBytes: number
  readonly #needles: number[] = []
  #table: { scratchStart: number; scratchBytes: number } | undefined
  #last: { key: string; search: TextSearch } | undefined

  /** `tableBytes` is what an automaton may take. */
  constructor(kernel: Kernel, tableBytes: number) {
    this.#kernel = kernel
    this.#tableBytes = tableBytes
  }

  /** Undefined when there is no memory for it, or the pattern is not for an automaton. */
  of(sought: Sought): TextSearch | undefined {
    if (sought.kind === 'literal') return this.#literal(sought.needle)
    // A pattern that is asked again finds the states that it had.
    const key = JSON.stringify([sought.pattern, sought.ignoreCase])
    if (this.#last?.key === key) return this.#last.search
    this.#last = undefined
    const { ignoreCase } = sought
    const search = this.#regex(parseRegex(sought.pattern, { ignoreCase }))
    if (search !== undefined) this.#last = { key, search }
    return search
  }

  #literal(needle: PlainNeedle): TextSearch | undefined {
    const kernel = this.#kernel
    const place = this.#place(needle, 0)
    if (place === undefined) return undefined
    return {
      lines: ({ address, end, from, line }, into, limit) =>
        kernel.findLines(address, end, ...place, from, line, into, limit),
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
        : this.#place(plainNeedleOf(fixed.bytes, fixed.masks, fixed.frequencies), 0)
    const exact = required === undefined ? undefined : plainNeedle(required, true)
    const other = exact === undefined ? undefined : this.#place(exact, 1)
    return new RegexLines(kernel, matcher, { ascii, other })
  }

  /** Puts a needle into memory: its address, its length and the offsets of its rarest bytes. */
  #place({ bytes, masks, rare, other }: PlainNeedle, slot: number): NeedlePlace | undefined {
    if (bytes.length > mostNeedle) return undefined
    const at = (this.#needles[slot] ??= reserve(this.#kernel.memory, 2 * mostNeedle) ?? 0)
    if (at === 0) return undefined
    this.#kernel.bytes().set(bytes, at)
    this.#kernel.bytes().set(masks, at + bytes.length)
    // A needle for literals takes the place of the one that a pattern had.
    if (slot === 0) this.#last = undefined
    return [at, bytes.length, rare, other]
  }

  #reserveTable(): { scratchStart: number; scratchBytes: number } | undefined {
    const scratchBytes = this.#tableBytes
    const scratchStart = reserve(this.#kernel.memory, scratchBytes)
    return scratchStart === undefined ? undefined : { scratchStart, scratchBytes }
  }
}

type NeedlePlace = readonly [address: number, length: number, rare: number, other: number]

interface Filters {
  /** For texts of plain ASCII, and for others. */
  ascii: NeedlePlace | undefined
  other: NeedlePlace | undefined
}

class RegexLines implements TextSearch {
  readonly #kernel: Kernel
  readonly #matcher: LineMatcher
  readonly #filters: Filters
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
        filter === undefined ? this.#next(at, end) : this.#nextOf(filter, address, at, end)
      if (outcome === 'stuck') return stuck
      if (outcome === 'none') break
      line += kernel.countLineEnds(counted, this.#start)
      counted = this.#start
      words.set([line, this.#start - address, this.#end - address, noPlace], found * wordsPerLine)
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

  /** Only lines that hold the needle are given to the automaton. */
  #nextOf(
    filter: NeedlePlace,
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
