// Gathers what scanners find, in any order, and gives it out in the order of the file.

export interface CorpusSymbol {
  kind: string
  name: string
  line: number
}

/** How much is wanted: what a reader's outline holds, or every named thing a scanner knows. */
export type Detail = 'outline' | 'all'

interface Raw {
  kind: string
  name: string
  at: number
}

export class SymbolSink {
  readonly detail: Detail
  readonly #found: Raw[] = []
  /** Scanners mostly go forward. */
  #sorted = true

  constructor(detail: Detail) {
    this.detail = detail
  }

  get wantsAll(): boolean {
    return this.detail === 'all'
  }

  /** `at` is the offset of the name in the blanked text. */
  add(kind: string, name: string, at: number): void {
    const last = this.#found.at(-1)
    if (last !== undefined && last.at > at) this.#sorted = false
    this.#found.push({ kind, name, at })
  }

  /** Everything found, each name once per line. `text` is Latin-1, one character per byte. */
  finish(text: string): CorpusSymbol[] {
    const sorted = this.#sorted ? this.#found : this.#found.sort((a, b) => a.at - b.at)
    const symbols: CorpusSymbol[] = []
    let line = 1
    let feed = text.indexOf('\n')
    let last: Raw | undefined
    for (const raw of sorted) {
      for (; feed !== -1 && feed < raw.at; feed = text.indexOf('\n', feed + 1)) line++
      if (last?.at === raw.at && last.name === raw.name) continue
      symbols.push({ kind: raw.kind, name: properText(raw.name), line })
      last = raw
    }
    return symbols
  }
}

/** Names come as Latin-1; those beyond ASCII are UTF-8 underneath. */
function properText(name: string): string {
  return /[\x80-\xff]/.test(name) ? Buffer.from(name, 'latin1').toString() : name
}
