// Files gathered in shared memory until it is worth sending them to the regex worker together.
import type { Steps } from '../steps.ts'
import { locateLines } from './found-line.ts'
import type { WorkerSearch } from './search.ts'
import { WHOLE_FILE_BYTES } from './selected-files.ts'
import type { Taken, Tally } from './tally.ts'

interface Entry {
  taken: Taken
  /** Undefined when no match is possible in it. */
  bytes: Buffer | undefined
  offset: number
}

const BATCH_BYTES = 4 << 20
const BATCH_FILES = 512

export class WorkerBatch {
  readonly #search: WorkerSearch
  // Any file that is read whole fits behind a batch that is not yet full.
  readonly #shared = new SharedArrayBuffer(BATCH_BYTES + WHOLE_FILE_BYTES)
  readonly #memory = Buffer.from(this.#shared)
  #entries: Entry[] = []
  #used = 0

  constructor(search: WorkerSearch) {
    this.#search = search
  }

  get full(): boolean {
    return this.#used >= BATCH_BYTES || this.#entries.length >= BATCH_FILES
  }

  /** Memory for the next file. */
  space(size: number): Buffer {
    return this.#memory.subarray(this.#used, this.#used + size)
  }

  /** Takes the file that was read into `space`; what cannot match leaves its space to the next. */
  add(taken: Taken, bytes: Buffer | undefined): void {
    const wanted = bytes !== undefined && bytes.length > 0 && this.#search.mayMatch(bytes)
    this.#entries.push({ taken, bytes: wanted ? bytes : undefined, offset: this.#used })
    if (wanted) this.#used += bytes.length
  }

  /** Searches what was gathered; false when the client's deadline passed. */
  *flush(tally: Tally): Steps<boolean> {
    const entries = this.#entries
    const spans = entries.flatMap(({ bytes, offset }) =>
      bytes === undefined ? [] : [offset, bytes.length],
    )
    this.#entries = []
    this.#used = 0
    const found = spans.length === 0 ? [] : yield* this.#run(entries, spans, tally)
    if (found === undefined) return false
    let next = 0
    for (const { taken, bytes } of entries) {
      if (tally.stopped) break
      if (bytes === undefined) tally.taken = taken
      else tally.add(taken, bytes, locateLines(bytes, found[next++] ?? []))
    }
    return true
  }

  *#run(entries: Entry[], spans: number[], tally: Tally): Steps<number[][] | undefined> {
    const perFile = Math.max(...entries.map(({ taken }) => tally.wantedIn(taken.path)))
    const limit = tally.limitOverall(perFile)
    return yield* this.#search.run.search({ bytes: this.#shared, spans, perFile, limit })
  }
}
