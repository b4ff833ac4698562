// What a grep has so far: hits, how much of the tree was taken, and whether it has to stop.
import type { FoundLine } from '../finder/finder.ts'
import { lineHit } from './hit.ts'
import type { ContextLine, LineHit } from './hit.ts'
import type { SearchRequest } from './request.ts'

export type GrepHit = LineHit | { path: string; count: number } | { path: string }

/** How much of the tree was taken up to and including a file. */
export interface Taken {
  path: string
  files: number
  chars: number
  skippedLarge: number
}

export class SearchResult {
  /** In order; where hits may be written, bytes are several of them as JSON, with commas between. */
  readonly hits: (GrepHit | Uint8Array)[] = []
  /** How many hits that are. */
  count = 0
  /** Matching lines, in count mode. */
  lines = 0
  taken: Taken
  /** The page is full: where the next one begins. */
  next: [path: string, line: number, hits: number, files: number] | undefined
  readonly #request: SearchRequest
  #chars = 0

  /** Whether hits may be written as JSON at once, and whether any were. */
  readonly writable: boolean
  isWritten = false
  /** Takes pieces back once nobody reads them any more. */
  giveBack: ((pieces: readonly unknown[]) => void) | undefined

  constructor(request: SearchRequest, written = false) {
    this.#request = request
    const { form, mode, maxChars, resume } = request
    const isPlain = !form.hash && form.context === 0 && mode === 'hits'
    this.writable = written && isPlain && maxChars === undefined && resume === undefined
    this.taken = { path: '', files: 0, chars: 0, skippedLarge: 0 }
  }

  get before(): number {
    return this.#request.resume?.hits ?? 0
  }

  /** Hits that may still be added. */
  get left(): number {
    return this.#request.maxHits - this.before - this.count
  }

  get full(): boolean {
    return this.left <= 0
  }

  /** Hits were left out, or would be if there were more. */
  get truncated(): boolean {
    return this.full || this.next !== undefined
  }

  /** Nothing more is needed. What is only counted is counted to the end. */
  get stopped(): boolean {
    const { mode, maxChars } = this.#request
    const counting = mode === 'count' && maxChars === undefined
    return this.next !== undefined || (this.full && !counting)
  }

  /** How many lines of a file are worth finding. */
  wantedIn(file: { path: string }): number {
    const { mode, resume } = this.#request
    if (mode === 'files') return 1
    if (mode === 'count') return Infinity
    // Lines of the file in which the page before ended are found again and left out.
    return resume !== undefined && resume.path === file.path ? Infinity : this.left
  }

  /** How many lines of several files are worth finding, at `perFile` lines each. */
  limitOverall(perFile: number): number {
    return this.#request.mode === 'hits' ? perFile : Infinity
  }

  /** Adds what was found in a file; `around` as for one hit. */
  add(
    taken: Taken,
    bytes: Buffer,
    found: FoundLine[],
    around?: (line: FoundLine) => ContextLine[],
  ): void {
    const { mode, resume, form } = this.#request
    if (mode !== 'hits') return this.addCount(taken, found.length)
    this.taken = taken
    for (const line of found) {
      if (this.stopped) return
      if (resume?.path === taken.path && line.line <= resume.line) continue
      this.#push(taken, lineHit(taken.path, bytes, line, form, around), line.line - 1)
    }
  }

  /** Adds hits, at most as many as are left, that `addBytes` will bring as JSON. */
  addWritten(count: number): void {
    this.count += count
  }

  addBytes(pieces: Uint8Array[], giveBack?: (pieces: readonly unknown[]) => void): void {
    this.isWritten ||= pieces.length > 0
    this.giveBack = giveBack
    this.hits.push(...pieces)
  }

  /** Adds a file of which only the number of matching lines is wanted. */
  addCount(taken: Taken, count: number): void {
    this.taken = taken
    if (count === 0) return
    const { path } = taken
    if (!this.full)
      this.#push(taken, this.#request.mode === 'count' ? { path, count } : { path }, 0)
    if (this.next === undefined) this.lines += count
  }

  /** Takes a hit, or ends the page before it; `done` is the last line of the file before the hit. */
  #push(taken: Taken, hit: GrepHit, done: number): void {
    const { maxChars } = this.#request
    if (maxChars !== undefined) {
      this.#chars += JSON.stringify(hit).length
      if (this.#chars > maxChars && (this.count > 0 || maxChars === 0)) {
        const files = (this.#request.resume?.files ?? 0) + taken.files - 1
        this.next = [taken.path, done, this.before + this.count, files]
        return
      }
    }
    this.hits.push(hit)
    this.count++
  }
}
