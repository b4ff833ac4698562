// Finds the symbols that a file defines, with scanners that know the comments and strings of each
// language.
import { scannerFor } from './languages/languages.ts'
import { SymbolSink } from './sink.ts'
import type { CorpusSymbol, Detail } from './sink.ts'

export type { CorpusSymbol } from './sink.ts'
export { classifyUses } from './uses.ts'
export type { UseKind } from './uses.ts'

export interface FoundSymbols {
  symbols: CorpusSymbol[]
  /** Some of the file was not scanned, or some symbols were dropped. */
  isTruncated: boolean
}

/** The symbols of a file in file order. The scanner overwrites `bytes`. */
export function symbolsIn(path: string, bytes: Buffer, detail: Detail): FoundSymbols {
  const sink = new SymbolSink(detail)
  const symbols = sink.finish(scannerFor(path)(sink, bytes))
  return { symbols, isTruncated: sink.isTruncated }
}
