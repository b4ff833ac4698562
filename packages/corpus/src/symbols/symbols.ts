// What a file defines, by scanners that know the language's comments and strings.
import { scannerFor } from './languages/languages.ts'
import { SymbolSink } from './sink.ts'
import type { CorpusSymbol, Detail } from './sink.ts'

export type { CorpusSymbol } from './sink.ts'

export interface FoundSymbols {
  symbols: CorpusSymbol[]
  /** Not everything was looked at, or taken. */
  isCut: boolean
}

/** The symbols of a file in its order; the scanner changes the bytes. */
export function symbolsIn(path: string, bytes: Buffer, detail: Detail): FoundSymbols {
  const sink = new SymbolSink(detail)
  const symbols = sink.finish(scannerFor(path)(sink, bytes))
  return { symbols, isCut: sink.isCut }
}
