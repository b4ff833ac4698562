// In full detail: constants that Ruby code assigns, and its attribute accessors.
import type { SymbolSink } from '../sink.ts'

export function addRubyNames(sink: SymbolSink, text: string): void {
  if (!sink.wantsAll) return
  for (const match of text.matchAll(/^[ \t]*([A-Z]\w*)[ \t]*(?=(?:\|\|)?=[^=~>])/gm)) {
    const name = match[1] as string
    sink.add('const', name, match.index + match[0].lastIndexOf(name))
  }
  for (const match of text.matchAll(/^[ \t]*attr_(?:accessor|reader|writer)\b(.*)/gm)) {
    const names = match[1] as string
    const from = match.index + match[0].length - names.length
    for (const name of names.matchAll(/:(\w+[?!]?)/g)) {
      sink.add('attr', name[1] as string, from + name.index + 1)
    }
  }
}
