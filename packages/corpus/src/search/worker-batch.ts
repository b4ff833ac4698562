// Files gathered in shared memory until it is worth sending them to the regex worker together.
import type { Steps } from '../steps.ts'
import { locateLines } from '../finder/finder.ts'
import type { WorkerSearch } from './strategy.ts'
import { wholeFileBytes } from '../content/content.ts'
import type { SearchFiles } from './disk-files.ts'
import type { Taken, SearchResult } from './result.ts'

interface Entry {
  taken: Taken
  bytes: Buffer
  offset: number
}

const batchBytes = 4 << 20
const batchFiles = 512

export class WorkerBatch {
  readonly #search: WorkerSearch
  readonly #files: SearchFiles
  // Any file that is read whole fits behind a batch that is not yet full.
  readonly #shared = new SharedArrayBuffer(batchBytes + wholeFileBytes + 1)
  readonly #memory = Buffer.from(this.#shared)
  #entries: Entry[] = []
  #used = 0

  constructor(search: WorkerSearch, files: SearchFiles) {
    this.#search = search
    this.#files = files
  }

  /** Reads files until the batch is full or one has to be searched in parts; true at the end. */
  gather(): boolean {
    let seen = 0
    while (this.#used < batchBytes && seen++ < batchFiles) {
      if (!this.#files.next()) return true
      if (this.#files.resting === true) continue
      const bytes = this.#readCurrent()
      if (this.#files.hasLarge) return false
      if (bytes !== undefined && bytes.length > 0) this.#add(bytes)
    }
    return false
  }

  /** The file, if it may match. */
  #readCurrent(): Buffer | undefined {
    let bytes = this.#files.read()
    if (bytes === undefined || !this.#search.mayMatch(bytes)) return undefined
    if (this.#files.isCurrent()) return bytes
    bytes = this.#files.read()
    return bytes === undefined || !this.#search.mayMatch(bytes) ? undefined : bytes
  }

  #add(read: Buffer): void {
    const offset = this.#used
    this.#used += read.length
    const bytes = this.#memory.subarray(offset, this.#used)
    read.copy(bytes)
    this.#entries.push({ taken: this.#files.taken(), bytes, offset })
  }

  /** Searches what was gathered; false when the client's deadline passed. */
  *flush(tally: SearchResult): Steps<boolean> {
    const entries = this.#entries
    const spans = entries.flatMap(({ bytes, offset }) => [offset, bytes.length])
    this.#entries = []
    this.#used = 0
    const found = spans.length === 0 ? [] : yield* this.#run(entries, spans, tally)
    if (found === undefined) return false
    for (const [index, { taken, bytes }] of entries.entries()) {
      if (tally.stopped) break
      tally.add(taken, bytes, locateLines(bytes, found[index] ?? []))
    }
    return true
  }

  *#run(entries: Entry[], spans: number[], tally: SearchResult): Steps<number[][] | undefined> {
    const perFile = Math.max(...entries.map(({ taken }) => tally.wantedIn(taken)))
    const limit = tally.limitOverall(perFile)
    return yield* this.#search.run.search({ bytes: this.#shared, spans, perFile, limit })
  }
}
