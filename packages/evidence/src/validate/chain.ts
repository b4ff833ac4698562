// Checks the hash chain of a trace line by line and locates the first broken line.
import { chainStart, lineHash } from '@zee/core/chain'

/** The part of a trace that a report covers. */
export interface Seal {
  /** Hash of the last covered line. */
  root: string
  /** Number of covered lines; undefined if the report does not state it. */
  lines: number | undefined
}

export interface ChainVerdict {
  /** The 1-based line that was changed, and the kind of change. */
  broken: { line: number; how: string } | undefined
  /** Whether the break is within the lines that a report covers. */
  sealed: boolean
  /** Number of lines after the sealed ones. */
  appended: number
  /** The first line without a hash in a trace whose other lines have one. */
  unchained: number | undefined
}

interface Break {
  line: number
  previous: number
  /** The first line after the one that this line names as its previous line, if that is recent. */
  inserted: number | undefined
  /** Number of lines up to and including this one. */
  count: number
}

const maxRecentLines = 64

export class ChainCheck {
  readonly #root: string | undefined
  readonly #sealedLines: number | undefined
  readonly #recent: { hash: string; line: number }[] = [{ hash: chainStart, line: 0 }]
  #previousHash = chainStart
  #previousLine = 0
  #count = 0
  #rootAt: { line: number; count: number } | undefined
  #break: Break | undefined
  #firstUnchained: number | undefined
  #chained = 0

  constructor(seal: Seal | undefined) {
    this.#root = seal?.root
    this.#sealedLines = seal?.lines
  }

  /** Adds a line that is not blank; `chain` is undefined if it has no hash or cannot be parsed. */
  add(bytes: Uint8Array, line: number, chain: string | undefined, isReadable: boolean): void {
    this.#count++
    if (chain !== undefined) {
      this.#chained++
      if (chain !== this.#previousHash) this.#noteBreak(line, chain)
    } else if (isReadable) this.#firstUnchained ??= line
    const hash = lineHash(bytes)
    if (hash === this.#root) this.#rootAt = { line, count: this.#count }
    this.#previousHash = hash
    this.#previousLine = line
    this.#recent.push({ hash, line })
    if (this.#recent.length > maxRecentLines) this.#recent.shift()
  }

  verdict(): ChainVerdict {
    const unchained = this.#chained > 0 ? this.#firstUnchained : undefined
    const root = this.#rootAt
    const appended = root === undefined ? 0 : this.#count - root.count
    const covered = root?.count ?? this.#count
    const found = this.#break
    if (found !== undefined && (root === undefined || found.count <= root.count)) {
      const sealed = this.#root !== undefined
      return { broken: this.#describe(found, covered), sealed, appended, unchained }
    }
    const byCount = this.#root === undefined ? undefined : this.#countBreak(covered)
    if (byCount !== undefined) return { broken: byCount, sealed: true, appended, unchained }
    const later = found === undefined ? undefined : this.#describe(found, undefined)
    return { broken: later, sealed: false, appended, unchained }
  }

  #noteBreak(line: number, chain: string): void {
    if (this.#break !== undefined) return
    const named = this.#recent.findLastIndex(({ hash }) => hash === chain)
    const inserted = named < 0 ? undefined : this.#recent[named + 1]?.line
    this.#break = { line, previous: this.#previousLine, inserted, count: this.#count }
  }

  #describe(found: Break, covered: number | undefined): { line: number; how: string } {
    if (found.inserted !== undefined) return { line: found.inserted, how: 'was inserted' }
    const sealed = this.#sealedLines
    const difference = sealed === undefined || covered === undefined ? 0 : covered - sealed
    if (found.previous === 0 || difference < 0) {
      return { line: found.line, how: 'does not follow what is before it: lines were removed' }
    }
    if (difference > 0) return { line: found.line, how: 'was inserted' }
    return { line: found.previous, how: 'was edited, or the line after it was removed' }
  }

  /** All hashes match, but the last line or the number of lines differs from the seal. */
  #countBreak(covered: number): { line: number; how: string } | undefined {
    const sealed = this.#sealedLines
    if (this.#rootAt !== undefined) {
      if (sealed === undefined || sealed === covered) return undefined
      const how = `: the report covers ${sealed} lines, now there are ${covered}`
      return {
        line: Math.min(sealed, covered),
        how: `or one before it was removed or inserted${how}`,
      }
    }
    if (sealed !== undefined && this.#count < sealed) {
      return { line: this.#count + 1, how: 'was removed' }
    }
    return { line: sealed ?? this.#count, how: 'was edited' }
  }
}
