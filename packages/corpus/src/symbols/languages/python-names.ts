// Names assigned in a Python module or class, found by their indentation.
import type { SymbolSink } from '../sink.ts'

const headOrAssignment =
  /^([ \t]*)(?:(?:async[ \t]+)?(def|class)\b|([A-Za-z_\x80-\xff][\w\x80-\xff]*)[ \t]*(?::[^=\n]{0,300})?=(?!=))/gm

export function addPythonNames(sink: SymbolSink, text: string): void {
  const openBlocks: { indent: number; head: string }[] = []
  for (const match of text.matchAll(headOrAssignment)) {
    const [matched, space = '', head, name] = match as unknown as [string, string, string?, string?]
    const indent = space.length
    while (openBlocks.length > 0 && (openBlocks.at(-1)?.indent ?? 0) >= indent) openBlocks.pop()
    if (head !== undefined) openBlocks.push({ indent, head })
    else if (name !== undefined && openBlocks.every((block) => block.head === 'class')) {
      // Indented names count only in a class: elsewhere they continue a bracketed expression.
      if (indent === 0 || openBlocks.length > 0) {
        sink.add('variable', name, match.index + matched.indexOf(name, indent))
      }
    }
  }
}
