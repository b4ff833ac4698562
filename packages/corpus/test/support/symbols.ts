// Symbols of a text as `line kind name`, for tests of scanners.
import { scannerFor } from '../../src/symbols/languages/languages.ts'
import { SymbolSink } from '../../src/symbols/sink.ts'
import type { Detail } from '../../src/symbols/sink.ts'

export function symbols(file: string, text: string, detail: Detail = 'outline'): string[] {
  const sink = new SymbolSink(detail)
  const blanked = scannerFor(file)(sink, Buffer.from(text))
  return sink.finish(blanked).map(({ line, kind, name }) => `${line} ${kind} ${name}`)
}
