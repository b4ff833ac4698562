// The eleven plain patterns: a line that begins with a keyword and a name. They hold for every kind of
// file that no scanner knows better, and beside the scanners for keywords these do not handle.
import type { SymbolSink } from './sink.ts'

const keywords = [
  ...['class', 'struct', 'enum', 'protocol', 'extension'],
  ...['func', 'def', 'function', 'interface', 'type'],
] as const

export type PlainKeyword = (typeof keywords)[number] | 'const'

const plain = new RegExp(`^[^\\S\\n]*(?:(${keywords.join('|')})[^\\S\\n]+([A-Za-z_]\\w*))`, 'gm')
const plainConst = /^[^\S\n]*const[^\S\n]+([A-Za-z_]\w*)[^\S\n]*=[^\S\n]*\(/gm

/** Adds what the plain patterns find, apart from keywords that are handled elsewhere. */
export function addPlain(
  sink: SymbolSink,
  text: string,
  handled: ReadonlySet<PlainKeyword> = new Set(),
): void {
  for (const match of text.matchAll(plain)) {
    const [whole, keyword, name] = match as unknown as [string, PlainKeyword, string]
    if (handled.has(keyword)) continue
    sink.add(keyword, name, match.index + whole.length - name.length)
  }
  if (handled.has('const')) return
  for (const match of text.matchAll(plainConst)) {
    const name = match[1] as string
    sink.add('const', name, match.index + match[0].indexOf(name, match[0].indexOf('const') + 5))
  }
}

/** In loose text only what is not followed by further words: a definition, not a sentence. */
const loose = new RegExp(
  `^[^\\S\\n]*(?:(${keywords.join('|')})[^\\S\\n]+([A-Za-z_]\\w*))(?=[^\\S\\n]*(?:$|[^\\w\\s.,!?-]))`,
  'gm',
)

export function addLoose(sink: SymbolSink, text: string): void {
  for (const match of text.matchAll(loose)) {
    const name = match[2] as string
    sink.add(match[1] as string, name, match.index + match[0].length - name.length)
  }
  for (const match of text.matchAll(plainConst)) {
    const name = match[1] as string
    sink.add('const', name, match.index + match[0].indexOf(name, match[0].indexOf('const') + 5))
  }
}
