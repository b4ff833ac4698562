// Names that a Python module or class assigns, told by their indentation.
import type { SymbolSink } from '../sink.ts'

const headOrAssignment =
  /^([ \t]*)(?:(?:async[ \t]+)?(def|class)\b|([A-Za-z_\x80-\xff][\w\x80-\xff]*)[ \t]*(?::[^=\n]{0,300})?=(?!=))/gm

export function addPythonNames(sink: SymbolSink, text: string): void {
  const open: { indent: number; head: string }[] = []
  for (const match of text.matchAll(headOrAssignment)) {
    const [whole, space = '', head, name] = match as unknown as [string, string, string?, string?]
    const indent = space.length
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop()
    if (head !== undefined) open.push({ indent, head })
    else if (name !== undefined && open.every((block) => block.head === 'class')) {
      // Deeper than its class it may stand in a condition; deeper than nothing, in brackets.
      if (indent === 0 || open.length > 0) {
        sink.add('variable', name, match.index + whole.indexOf(name, indent))
      }
    }
  }
}
