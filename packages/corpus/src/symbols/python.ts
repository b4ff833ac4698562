// Python: functions and classes at any depth; with all detail also names that a module or class assigns.
import { addRows } from './keyword-scan.ts'
import type { KeywordRow } from './keyword-tables.ts'
import type { SymbolSink } from './sink.ts'

const rows: readonly KeywordRow[] = [
  {
    pattern:
      /^[ \t]*(?:async[ \t]+)?(?:cdef[ \t]+|cpdef[ \t]+)?(def|class)[ \t]+([A-Za-z_\x80-\xff][\w\x80-\xff]*)/gm,
  },
]

export function addPython(sink: SymbolSink, text: string): void {
  addRows(sink, text, rows)
  if (sink.wantsAll) addAssignments(sink, text)
}

const headOrAssignment =
  /^([ \t]*)(?:(?:async[ \t]+)?(def|class)\b|([A-Za-z_\x80-\xff][\w\x80-\xff]*)[ \t]*(?::[^=\n]{0,300})?=(?!=))/gm

/** Assignments right in the module or in a class body, told by their indentation. */
function addAssignments(sink: SymbolSink, text: string): void {
  const open: { indent: number; head: string }[] = []
  for (const match of text.matchAll(headOrAssignment)) {
    const [whole, space = '', head, name] = match as unknown as [string, string, string?, string?]
    const indent = space.length
    while (open.length > 0 && (open.at(-1)?.indent ?? 0) >= indent) open.pop()
    if (head !== undefined) open.push({ indent, head })
    else if (name !== undefined && open.every((block) => block.head === 'class')) {
      // Inside brackets or a conditional block it may be deeper than its class; that is fine.
      if (indent === 0 || open.length > 0) {
        sink.add('variable', name, match.index + whole.indexOf(name, indent))
      }
    }
  }
}
