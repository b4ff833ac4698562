// Shell functions without a keyword: `name() {`.
import type { SymbolSink } from '../sink.ts'

export function addShellFunctions(sink: SymbolSink, text: string): void {
  for (let at = text.indexOf('('); at !== -1; at = text.indexOf('(', at + 1)) {
    if (!/^\([ \t]*\)/.test(text.slice(at, at + 40))) continue
    const from = Math.max(0, at - 200)
    const found = /(?:^|[\n;&|{}])[ \t]*([^\s()={}<>|&;"'$#]+)[ \t]*$/.exec(text.slice(from, at))
    if (found === null) continue
    const name = found[1] as string
    sink.add('function', name, from + found.index + found[0].lastIndexOf(name))
  }
}
