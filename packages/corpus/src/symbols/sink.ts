// Gathers what scanners find, in any order, and gives it out in the order of the file.

export interface CorpusSymbol {
  kind: string
  name: string
  line: number
}

/** How much is wanted: what a reader's outline holds, or every named thing a scanner knows. */
export type Detail = 'outline' | 'all'

/** Far more than the largest file of source has; one of nothing but `a,` must not take all memory. */
const mostSymbols = 2_000_000

export class SymbolSink {
  readonly detail: Detail
  // Columns, not objects: there may be hundreds of thousands, and each would have to be moved about.
  readonly #kinds: string[] = []
  readonly #names: string[] = []
  readonly #places: number[] = []
  #isCut = false

  constructor(detail: Detail) {
    this.detail = detail
  }

  get wantsAll(): boolean {
    return this.detail === 'all'
  }

  /** Not everything was looked at, or taken. */
  get isCut(): boolean {
    return this.#isCut
  }

  /** Called by a scanner that goes no further. */
  leaveOut(): void {
    this.#isCut = true
  }

  /** `at` is the offset of the name in the blanked text. */
  add(kind: string, name: string, at: number): void {
    if (this.#places.length >= mostSymbols) return this.leaveOut()
    this.#kinds.push(kind)
    this.#names.push(name)
    this.#places.push(at)
  }

  /** Everything found, each name once per place. `text` is Latin-1, one character per byte. */
  finish(text: string): CorpusSymbol[] {
    const symbols: CorpusSymbol[] = []
    let line = 1
    let feed = text.indexOf('\n')
    let lastAt = -1
    let lastName = ''
    for (const index of inOrder(this.#places)) {
      const at = this.#places[index] as number
      const name = this.#names[index] as string
      for (; feed !== -1 && feed < at; feed = text.indexOf('\n', feed + 1)) line++
      if (lastAt === at && lastName === name) continue
      symbols.push({ kind: this.#kinds[index] as string, name: properText(name), line })
      lastAt = at
      lastName = name
    }
    return symbols
  }
}

/** Indexes of these offsets from the first to the last; equal ones stay in their order. */
function inOrder(places: readonly number[]): number[] {
  const indexes = places.map((_, index) => index)
  return indexes.sort((a, b) => (places[a] as number) - (places[b] as number))
}

/** Names come as Latin-1; those beyond ASCII are UTF-8 underneath. */
function properText(name: string): string {
  return /[\x80-\xff]/.test(name) ? Buffer.from(name, 'latin1').toString() : name
}
