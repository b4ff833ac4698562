// Properties that a Kotlin class declares in its constructor parameters.
import { afterClosing, splitAtCommas, maxHeadChars } from '../brackets.ts'
import type { SymbolSink } from '../sink.ts'

const classHead = /\bclass\s+[\w\x80-\xff]+[^({;=]{0,300}\(/g
const property = /(?:^|\s)(val|var)\s+([A-Za-z_\x80-\xff][\w\x80-\xff]*)/

export function addConstructorProperties(sink: SymbolSink, text: string): void {
  for (const head of text.matchAll(classHead)) {
    const open = head.index + head[0].length - 1
    const end = afterClosing(text, open, maxHeadChars)
    for (const piece of splitAtCommas(text.slice(open + 1, end - 1), sink)) {
      const found = property.exec(piece.text)
      if (found === null) continue
      const [matched, kind, name] = found as unknown as [string, string, string]
      sink.add(kind, name, open + 1 + piece.at + found.index + matched.length - name.length)
    }
  }
}
