// Symbols of a text as `line kind name`, for tests of scanners.
import { scannerFor } from '../../src/symbols/languages/languages.ts'
import { SymbolSink } from '../../src/symbols/sink.ts'
import type { Detail } from '../../src/symbols/sink.ts'

export function symbols(file: string, text: string, detail: Detail = 'outline'): string[] {
  const sink = new SymbolSink(detail)
  const blanked = scannerFor(file)(sink, Buffer.from(text))
  return sink.finish(blanked).map(({ line, kind, name }) => `${line} ${kind} ${name}`)
}

/** Symbols as `line:column kind name`; columns count bytes from 1. */
export function placedSymbols(file: string, text: string, detail: Detail = 'outline'): string {
  const sink = new PlacingSink(detail)
  const blanked = scannerFor(file)(sink, Buffer.from(text))
  const offsets = sink.offsets()
  return sink
    .finish(blanked)
    .map(({ line, kind, name }, index) => {
      const before = blanked.slice(0, offsets[index])
      return `${line}:${before.length - before.lastIndexOf('\n')} ${kind} ${name}`
    })
    .join(', ')
}

class PlacingSink extends SymbolSink {
  readonly #added: { name: string; offset: number }[] = []

  override add(kind: string, name: string, offset: number): void {
    this.#added.push({ name, offset })
    super.add(kind, name, offset)
  }

  /** The offset of each symbol that `finish` returns. */
  offsets(): number[] {
    const sorted = this.#added.toSorted((a, b) => a.offset - b.offset)
    const isRepeated = (index: number): boolean =>
      sorted[index]?.offset === sorted[index - 1]?.offset &&
      sorted[index]?.name === sorted[index - 1]?.name
    return sorted.filter((_, index) => !isRepeated(index)).map(({ offset }) => offset)
  }
}
