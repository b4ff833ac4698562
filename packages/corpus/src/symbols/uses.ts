// Classifies the lines that use a name: definition, import, call or other. A name in a comment or a string is other.
import { importTest } from './imports.ts'
import { scannerFor } from './languages/languages.ts'
import { LineCounter } from './line-counter.ts'
import { SymbolSink } from './sink.ts'

export type UseKind = 'definition' | 'import' | 'call' | 'other'

const rank: Readonly<Record<UseKind, number>> = { definition: 3, import: 2, call: 1, other: 0 }

/** The kind of each line that has a use, by line number. The scanner overwrites `bytes`. */
export function classifyUses(path: string, bytes: Buffer, name: string): Map<number, UseKind> {
  const original = bytes.toString('latin1')
  const sink = new SymbolSink('all')
  const code = scannerFor(path)(sink, bytes)
  const own = lastPart(name)
  const definitions = new Set(
    sink
      .finish(code)
      .filter((symbol) => symbol.name.endsWith(own) && lastPart(symbol.name) === own)
      .map(({ line }) => line),
  )
  const kinds = new Map<number, UseKind>()
  const wanted = Buffer.from(name).toString('latin1')
  const lines = new LineCounter(original)
  const isImport = importTest(original, code)
  for (let at = original.indexOf(wanted); at !== -1; at = original.indexOf(wanted, at + 1)) {
    const end = at + wanted.length
    if (isWord(original[at - 1]) && isWord(wanted[0])) continue
    if (isWord(original[end]) && isWord(wanted.at(-1))) continue
    const line = lines.at(at)
    const isDefinition = definitions.has(line)
    const kind = kindAt({ original, code, at, end, wanted, isImport, isDefinition })
    const known = kinds.get(line)
    if (known === undefined || rank[kind] > rank[known]) kinds.set(line, kind)
  }
  return kinds
}

interface Use {
  original: string
  code: string
  at: number
  end: number
  wanted: string
  isImport(at: number): boolean
  /** The line defines the name. */
  isDefinition: boolean
}

function kindAt({ original, code, at, end, wanted, isImport, isDefinition }: Use): UseKind {
  const isCode = code.startsWith(wanted, at)
  // A private member of JavaScript is another name: `#parse` and `parse`.
  if (isCode && code[at - 1] === '#') return 'other'
  if (isDefinition && isCode) return 'definition'
  if (isImport(at)) return isCode || !isInFileName(original, at) ? 'import' : 'other'
  if (!isCode) return 'other'
  // Type arguments may come first: `parse<Request>(`. Macros of Rust end with `!`.
  return /^!?(?:<[\w\s,.:[\]|&*]{0,80}>)?\s{0,8}\(/.test(code.slice(end, end + 100))
    ? 'call'
    : 'other'
}

/** Characters of a line before a name that are looked at. */
const maxBefore = 400

/** In a string such as './parse.ts', which names a file and not what it exports. An `#include` names nothing else. */
function isInFileName(original: string, at: number): boolean {
  const lineStart = original.lastIndexOf('\n', at) + 1
  const before = original.slice(Math.max(lineStart, at - maxBefore), at)
  return /['"`]\.{1,2}\/[^'"`]*$/.test(before) && !/^\s*#/.test(before)
}

function isWord(char: string | undefined): boolean {
  return char !== undefined && /[\w\u0080-\u00ff]/.test(char)
}

function lastPart(name: string): string {
  return name.slice(
    Math.max(name.lastIndexOf('.'), name.lastIndexOf(':'), name.lastIndexOf('#')) + 1,
  )
}
