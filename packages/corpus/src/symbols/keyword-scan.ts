// Runs a table of patterns over a blanked text.
import type { KeywordRow } from './keyword-tables.ts'
import type { SymbolSink } from './sink.ts'

export function addRows(sink: SymbolSink, text: string, rows: readonly KeywordRow[]): void {
  for (const { pattern, kind, all } of rows) {
    if (all === true && !sink.wantsAll) continue
    for (const match of text.matchAll(pattern)) {
      const found = match.at(-1) as string
      const keyword = match[1] as string
      // A definition that has no name but its keyword, such as `init`.
      const name = found === '' ? keyword : found
      const at = match.index + match[0].lastIndexOf(name)
      sink.add(kind ?? keyword, name.replaceAll('`', ''), at)
    }
  }
}
