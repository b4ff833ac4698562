// Collects symbols from scanners in any order and returns them in file order.

export interface CorpusSymbol {
  kind: string
  name: string
  line: number
}

/** How many symbols to collect: those of an outline, or all that a scanner recognizes. */
export type Detail = 'outline' | 'all'

/** Bounds memory: far more than the largest source file has, but a file of only `a,` exceeds it. */
const maxSymbols = 2_000_000

export class SymbolSink {
  readonly detail: Detail
  // Parallel arrays: sorting objects would be slower for hundreds of thousands of symbols.
  readonly #kinds: string[] = []
  readonly #names: string[] = []
  readonly #offsets: number[] = []
  #isTruncated = false

  constructor(detail: Detail) {
    this.detail = detail
  }

  get wantsAll(): boolean {
    return this.detail === 'all'
  }

  /** Some of the file was not scanned, or some symbols were dropped. */
  get isTruncated(): boolean {
    return this.#isTruncated
  }

  /** Called by a scanner that stops early. */
  markTruncated(): void {
    this.#isTruncated = true
  }

  /** `offset` is the offset of the name in the blanked text. */
  add(kind: string, name: string, offset: number): void {
    if (this.#offsets.length >= maxSymbols) return this.markTruncated()
    this.#kinds.push(kind)
    this.#names.push(name)
    this.#offsets.push(offset)
  }

  /**
   * All symbols in file order, each name once per offset. `text` is Latin-1, one character per
   * byte.
   */
  finish(text: string): CorpusSymbol[] {
    const symbols: CorpusSymbol[] = []
    let line = 1
    let feed = text.indexOf('\n')
    let lastOffset = -1
    let lastName = ''
    for (const index of indexesByOffset(this.#offsets)) {
      const offset = this.#offsets[index] as number
      const name = this.#names[index] as string
      for (; feed !== -1 && feed < offset; feed = text.indexOf('\n', feed + 1)) line++
      if (lastOffset === offset && lastName === name) continue
      symbols.push({ kind: this.#kinds[index] as string, name: decodeName(name), line })
      lastOffset = offset
      lastName = name
    }
    return symbols
  }
}

/** Indexes in ascending order of their offsets; the sort is stable. */
function indexesByOffset(offsets: readonly number[]): number[] {
  const indexes = offsets.map((_, index) => index)
  return indexes.sort((a, b) => (offsets[a] as number) - (offsets[b] as number))
}

/** Names are Latin-1 strings of UTF-8 bytes. */
function decodeName(name: string): string {
  return /[\x80-\xff]/.test(name) ? Buffer.from(name, 'latin1').toString() : name
}
