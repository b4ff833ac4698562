// Properties that a Kotlin class declares among the parameters of its constructor.
import { closing, commaPieces, longestHead } from '../brackets.ts'
import type { SymbolSink } from '../sink.ts'

const classHead = /\bclass\s+[\w\x80-\xff]+[^({;=]{0,300}\(/g
const property = /(?:^|\s)(val|var)\s+([A-Za-z_\x80-\xff][\w\x80-\xff]*)/

export function addConstructorProperties(sink: SymbolSink, text: string): void {
  for (const head of text.matchAll(classHead)) {
    const open = head.index + head[0].length - 1
    const end = closing(text, open, longestHead)
    for (const piece of commaPieces(text.slice(open + 1, end - 1), sink)) {
      const found = property.exec(piece.text)
      if (found === null) continue
      const [whole, kind, name] = found as unknown as [string, string, string]
      sink.add(kind, name, open + 1 + piece.at + found.index + whole.length - name.length)
    }
  }
}
