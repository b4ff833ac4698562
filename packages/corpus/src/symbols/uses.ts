// Classifies the lines that use a name: definition, import, call or other. A name in a comment or a string is other.
import { scannerFor } from './languages/languages.ts'
import { SymbolSink } from './sink.ts'

export type UseKind = 'definition' | 'import' | 'call' | 'other'

const rank: Readonly<Record<UseKind, number>> = { definition: 3, import: 2, call: 1, other: 0 }

/** The kind of each line that has a use, by line number. The scanner overwrites `bytes`. */
export function classifyUses(path: string, bytes: Buffer, name: string): Map<number, UseKind> {
  const original = bytes.toString('latin1')
  const sink = new SymbolSink('all')
  const symbols = sink.finish(scannerFor(path)(sink, bytes))
  const definitions = new Set(
    symbols.filter((symbol) => lastPart(symbol.name) === lastPart(name)).map(({ line }) => line),
  )
  const code = bytes.toString('latin1')
  const imports = importLines(original, code)
  const kinds = new Map<number, UseKind>()
  const wanted = Buffer.from(name).toString('latin1')
  let [line, counted] = [1, 0]
  for (let at = original.indexOf(wanted); at !== -1; at = original.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    if (isWord(original[at - 1]) && isWord(wanted[0])) continue
    if (isWord(original[end]) && isWord(wanted.at(-1))) continue
    for (; counted < at; counted++) if (isLineEnd(original, counted)) line++
    const kind = kindAt({ code, at, end, wanted, line, definitions, imports })
    const known = kinds.get(line)
    if (known === undefined || rank[kind] > rank[known]) kinds.set(line, kind)
  }
  return kinds
}

interface Use {
  code: string
  at: number
  end: number
  wanted: string
  line: number
  definitions: ReadonlySet<number>
  imports: ReadonlySet<number>
}

function kindAt({ code, at, end, wanted, line, definitions, imports }: Use): UseKind {
  const isCode = code.startsWith(wanted, at)
  if (definitions.has(line) && isCode) return 'definition'
  if (imports.has(line)) return 'import'
  if (!isCode) return 'other'
  // Type arguments may come first: `parse<Request>(`. Macros of Rust end with `!`.
  return /^!?(?:<[\w\s,.:[\]|&*]{0,80}>)?\s{0,8}\(/.test(code.slice(end, end + 100))
    ? 'call'
    : 'other'
}

const importStart =
  /^[ \t]*(?:import\b|from\s+\S+\s+import\b|(?:pub(?:\([^)]*\))?\s+)?use\s|using\s|#\s*include\b|#\s*import\b|require(?:_relative)?\b|export\s*(?:type\s*)?[{*]|(?:const|let|var)\s[^=\n]{1,200}=\s*require\s*\()/gm
/** An import over more lines than this is cut. */
const maxImportLines = 400

/** The lines of import statements, up to their closing bracket. */
function importLines(original: string, code: string): ReadonlySet<number> {
  const lines = new Set<number>()
  let [line, counted] = [1, 0]
  for (const { index, 0: start } of original.matchAll(importStart)) {
    const first = index + start.length - start.trimStart().length
    // The start of a directive may be blanked by the scanner, but not that of an import.
    if (code[first] === ' ' && !start.trimStart().startsWith('#')) continue
    for (; counted < index; counted++) if (isLineEnd(original, counted)) line++
    const count = statementLines(original, code, index)
    const end = original
      .slice(index)
      .split(/\r\n|\r|\n/, count)
      .join('\n')
    if (/^\s*export/.test(start) && !/\bfrom\b/.test(end)) continue
    for (let offset = 0; offset < count; offset++) lines.add(line + offset)
  }
  return lines
}

/** Lines up to the end of the line on which all brackets are closed. */
function statementLines(original: string, code: string, from: number): number {
  let [depth, lines] = [0, 1]
  for (let at = from; at < code.length && lines < maxImportLines; at++) {
    const char = code[at] as string
    if ('([{'.includes(char)) depth++
    else if (')]}'.includes(char)) depth--
    else if (isLineEnd(original, at)) {
      if (depth <= 0) return lines
      lines++
    }
  }
  return lines
}

function isLineEnd(text: string, at: number): boolean {
  const char = text.charCodeAt(at)
  return char === 0x0a || (char === 0x0d && text.charCodeAt(at + 1) !== 0x0a)
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /[\w\u0080-\u00ff]/.test(char)
}

function lastPart(name: string): string {
  return name.slice(
    Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('#')) + 1,
  )
}
