// The hits of a search so far, and whether it needs more.
import type { FoundLine } from '../finder/finder.ts'
import { CitedHits } from './cited-hits.ts'
import { cutHit, lineHit, textChars } from './hit.ts'
import type { ContextLine, LineHit } from './hit.ts'
import { PageSize } from './page-size.ts'
import type { Candidate, TextSource } from './plan.ts'
import type { FoundText, SearchRequest } from './request.ts'

export type GrepHit = LineHit | { path: string; count: number } | { path: string }

/** Hits as objects, or as pieces of JSON where some were written so. */
export interface CollectedHits {
  hits: GrepHit[]
  /** Replaces `hits`, which is then empty. */
  written?: WrittenHits
}

export interface WrittenHits {
  /** In order. Bytes are one or more hits as JSON, separated by commas. */
  pieces: (GrepHit | Uint8Array)[]
  /** Lets further answers reuse the memory of the pieces. Optional to call. */
  release(): void
}

/** Collects hits as JSON. */
export interface WrittenHitBuffer {
  /** Returns what was written since the last call. */
  take(): Uint8Array[]
  release(pieces: readonly unknown[]): void
}

export class SearchResult {
  /** Number of hits. */
  count = 0
  /** Matching lines, in count mode. */
  lines = 0
  /** Characters of files that were searched in parts, which no text source counts. */
  largeChars = 0
  /** Files that the disk did not return, or that no descriptor was left for. */
  unreadable = 0
  /** Where the next page starts, once this one is full. */
  next: [path: string, line: number, hits: number, files: number] | undefined
  /** Whether hits may be added as JSON. */
  readonly canBeWritten: boolean
  readonly #request: SearchRequest
  /** Hits of previous pages. */
  readonly #hitsBefore: number
  readonly #hits: (GrepHit | Uint8Array)[] = []
  #buffer: WrittenHitBuffer | undefined
  /** Hits of a revision as JSON, where that is allowed and no buffer has them. */
  #cited: CitedHits | undefined
  #isWritten = false
  readonly #page: PageSize
  #textCharsLeft: number

  constructor(request: SearchRequest, allowsWritten = false) {
    this.#request = request
    this.#hitsBefore = request.resume?.hits ?? 0
    const { form, mode, maxChars, maxTextChars, resume, isText, choice } = request
    const isAll = mode === 'hits' && choice === undefined
    const isPlain = isAll && !form.hash && form.context === 0 && !isText
    const isUnpaged = maxChars === undefined && maxTextChars === undefined && resume === undefined
    this.canBeWritten = allowsWritten && isPlain && isUnpaged
    const { rev, maxLineChars } = form
    const isCited = this.canBeWritten && rev !== undefined
    this.#cited = isCited ? new CitedHits(rev, maxLineChars) : undefined
    this.#page = new PageSize(request)
    this.#textCharsLeft = maxTextChars ?? Infinity
  }

  /** Hits that may still be added. */
  get left(): number {
    return this.#request.maxHits - this.#hitsBefore - this.count
  }

  get isFull(): boolean {
    return this.left <= 0
  }

  /** Hits were left out, or would be if there were more. */
  get isTruncated(): boolean {
    return this.isFull || this.next !== undefined
  }

  /** The search may stop. Count mode counts to the end, also beyond `max_hits`. */
  get isComplete(): boolean {
    const { mode, maxChars } = this.#request
    const isCounting = mode === 'count' && maxChars === undefined
    return this.next !== undefined || (this.isFull && !isCounting)
  }

  /** Matching lines of a file that are worth finding. */
  linesWanted(file: Candidate, texts: Pick<TextSource, 'path'>): number {
    const { mode, resume, choice } = this.#request
    if (mode === 'files') return 1
    if (mode === 'count' || choice !== undefined) return Infinity
    // Lines of the file in which the previous page ended are found again and skipped.
    return resume !== undefined && resume.path === texts.path(file) ? Infinity : this.left
  }

  /** Matching lines of several files that are worth finding, at `perFile` lines each. */
  linesWantedOverall(perFile: number): number {
    return this.#request.mode === 'hits' ? perFile : Infinity
  }

  /** Adds the matching lines of a file; `around` as for `lineHit`. */
  add(file: Candidate, text: FoundText, around?: (line: FoundLine) => ContextLine[]): void {
    const { mode, resume, form, choice } = this.#request
    const { path, bytes } = text
    if (mode !== 'hits') return this.addCount(file, path, text.lines.length)
    if (this.#cited === undefined) this.takeWritten()
    for (const line of choice?.choose(text) ?? text.lines) {
      if (this.isComplete) return
      if (resume?.path === path && line.line <= resume.line) continue
      if (this.#cited !== undefined) {
        if (this.#addCited(this.#cited, path, bytes, line)) continue
        this.takeWritten()
      }
      this.#push(file, lineHit(path, bytes, line, form, around), line.line - 1)
    }
  }

  /** Adds all hits of a file that the request knows without a search. */
  addKnown(file: Candidate, hits: readonly LineHit[]): void {
    for (const hit of hits) {
      if (this.isComplete) return
      this.#push(file, hit, hit.line - 1)
    }
  }

  /** Adds a hit as JSON; false if it needs an object. */
  #addCited(cited: CitedHits, path: string, bytes: Buffer, line: FoundLine): boolean {
    const json = cited.jsonOf(path, bytes, line)
    if (json === undefined || this.#page.hitsThatFit(json.length + 1) < 1) return false
    cited.add(json)
    this.addWritten(1, json.length + 1)
    return true
  }

  /** Adds a file by the number of its matching lines. */
  addCount(file: Candidate, path: string, count: number): void {
    if (count === 0) return
    if (!this.isFull) {
      this.#push(file, this.#request.mode === 'count' ? { path, count } : { path }, 0)
    }
    if (this.next === undefined) this.lines += count
  }

  /** Takes hits from a buffer from now on, between those that are added as objects. */
  useBuffer(buffer: WrittenHitBuffer): void {
    // A cancelled request may have left some.
    buffer.take()
    this.#buffer = buffer
    this.#cited = undefined
  }

  /** Counts hits, at most as many as are left, that were written to the buffer, and their bytes. */
  addWritten(count: number, bytes: number): void {
    this.count += count
    this.#page.addBytes(bytes)
  }

  /** Hits of at most `maxBytes` each that fit into the page. */
  hitsThatFit(maxBytes: number): number {
    return this.#page.hitsThatFit(maxBytes)
  }

  /** Ends the page before a hit; `lineBefore` is the last line of the file that the page covers. */
  endPage(file: Candidate, path: string, lineBefore: number): void {
    const filesBefore = (this.#request.resume?.files ?? 0) + file
    this.next = [path, lineBefore, this.#hitsBefore + this.count, filesBefore]
  }

  /** The hits in order. */
  collect(): CollectedHits {
    this.takeWritten()
    const pieces = this.#hits
    if (!this.#isWritten) return { hits: pieces as GrepHit[] }
    return { hits: [], written: { pieces, release: () => this.#buffer?.release(pieces) } }
  }

  /** Adds a hit, or ends the page before it; `lineBefore` is the last line of the file that this page covers. */
  #push(file: Candidate, hit: GrepHit, lineBefore: number): void {
    const isFirst = this.count === 0 && this.#request.maxChars !== 0
    if (!this.#page.add(hit) && !isFirst) return this.endPage(file, hit.path, lineBefore)
    const { isText } = this.#request
    const chars = this.#textCharsLeft === Infinity ? 0 : this.#sizeOf(hit)
    // The text form has a path and line numbers too, so a hit is shown completely or not at all.
    if (isText && chars > this.#textCharsLeft) return this.endPage(file, hit.path, lineBefore)
    if (isText) this.#page.endHit(hit)
    if (chars > this.#textCharsLeft) {
      // The rest of this hit is lost: the caller has no characters left for it.
      this.endPage(file, hit.path, lineBefore + 1)
      if (this.#textCharsLeft === 0) return
      this.#hits.push(cutHit(hit as LineHit, this.#textCharsLeft))
    } else this.#hits.push(hit)
    this.#textCharsLeft = Math.max(0, this.#textCharsLeft - chars)
    this.count++
  }

  /** Characters that a hit takes from the budget of texts. */
  #sizeOf(hit: GrepHit): number {
    if (this.#request.isText) return this.#page.textSizeOf(hit)
    return 'line' in hit ? textChars(hit) : 0
  }

  /** Takes what the buffer has: another search may use it afterwards. */
  takeWritten(): void {
    const pieces = (this.#cited ?? this.#buffer)?.take() ?? []
    this.#isWritten ||= pieces.length > 0
    this.#hits.push(...pieces)
  }
}
