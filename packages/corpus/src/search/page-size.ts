// The size of a page of hits: characters of JSON or of text for `max_chars`, and bytes of ASCII JSON for the answer cap.
import type { LineHit } from './hit.ts'
import type { SearchRequest } from './request.ts'
import type { GrepHit } from './result.ts'

/** Bytes of a hit besides its path and its texts: names of fields, numbers and hashes. */
const maxFieldBytes = 256
/** A character outside ASCII is written as \\uXXXX. */
const maxBytesPerUnit = 6

export class PageSize {
  readonly #request: SearchRequest
  #chars = 0
  /** Bytes of hits that were written as JSON. */
  #written = 0
  /** Bytes of the other hits: an upper bound, until it exceeds the limit; from then on exact. */
  #bytes = 0
  #isExact = false
  readonly #hits: GrepHit[] = []
  #lastPath = ''

  constructor(request: SearchRequest) {
    this.#request = request
  }

  /** Adds a hit; false if the page is then too large. */
  add(hit: GrepHit): boolean {
    const { maxChars, maxBytesOfHits, isText } = this.#request
    if (maxChars !== undefined) {
      this.#chars += isText ? this.textSizeOf(hit) : JSON.stringify(hit).length
      if (this.#chars > maxChars) return false
    }
    return maxBytesOfHits === undefined || this.#addSize(hit, maxBytesOfHits)
  }

  /** Adds hits that were written as JSON. */
  addBytes(bytes: number): void {
    this.#written += bytes
  }

  hitsThatFit(maxBytes: number): number {
    const { maxBytesOfHits } = this.#request
    if (maxBytesOfHits === undefined) return Infinity
    return Math.max(0, Math.floor((maxBytesOfHits - this.#written - this.#bytes) / maxBytes))
  }

  #addSize(hit: GrepHit, limit: number): boolean {
    if (!this.#isExact) {
      this.#bytes += sizeBound(hit)
      this.#hits.push(hit)
      if (this.#written + this.#bytes <= limit) return true
      this.#isExact = true
      this.#bytes = this.#hits.splice(0).reduce((sum, each) => sum + asciiBytes(each), 0)
      return this.#written + this.#bytes <= limit
    }
    this.#bytes += asciiBytes(hit)
    return this.#written + this.#bytes <= limit
  }

  /** Remembers the file of a hit that was added. */
  endHit({ path }: GrepHit): void {
    this.#lastPath = path
  }

  /** The characters of a hit in the text form: the path once per file, then a line per hit. */
  textSizeOf(hit: GrepHit): number {
    const head = hit.path === this.#lastPath ? 0 : hit.path.length + 2
    if (!('line' in hit)) return head + 8
    const lines = hit.context ?? [hit]
    return (
      head + lines.reduce((sum, { line, text }) => sum + String(line).length + 3 + text.length, 0)
    )
  }
}

function sizeBound(hit: GrepHit): number {
  const texts = 'line' in hit ? hit.text.length + contextUnits(hit) : 0
  return maxFieldBytes + maxBytesPerUnit * (hit.path.length + texts)
}

function contextUnits({ context = [] }: LineHit): number {
  return context.reduce((sum, { text }) => sum + text.length + 16, 0)
}

/** Bytes of a value as ASCII JSON, and a comma. */
function asciiBytes(value: unknown): number {
  const json = JSON.stringify(value)
  let bytes = json.length + 1
  for (let at = 0; at < json.length; at++) if (json.charCodeAt(at) > 0x7e) bytes += 5
  return bytes
}
