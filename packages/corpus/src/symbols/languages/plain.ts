// The eleven plain patterns: a line that begins with a keyword and a name. They hold for every kind of
// file that no scanner knows better, and beside the scanners for keywords these do not handle.
import { row, starts } from '../starts.ts'
import type { Starts } from '../starts.ts'

const keywords = [
  ...['class', 'struct', 'enum', 'protocol', 'extension'],
  ...['func', 'def', 'function', 'interface', 'type'],
] as const

export type PlainKeyword = (typeof keywords)[number] | 'const'

/** The plain patterns, apart from keywords that are handled elsewhere; undefined when none is left. */
export function plainStarts(handled: readonly PlainKeyword[] = []): Starts | undefined {
  return patterns(handled, '')
}

/** In loose text only what is not followed by further words: a definition, not a sentence. */
export function looseStarts(): Starts {
  return patterns([], String.raw`(?=[^\S\n]*(?:$|[^\w\s.,!?-]))`) as Starts
}

const constantRow = row(String.raw`(const)[^\S\n]+([A-Za-z_]\w*)(?=[^\S\n]*=[^\S\n]*\()`, {
  onLine: true,
})

function patterns(handled: readonly PlainKeyword[], behind: string): Starts | undefined {
  const left = keywords.filter((keyword) => !handled.includes(keyword))
  const constant = !handled.includes('const')
  if (left.length === 0 && !constant) return undefined
  const rows = [
    row(String.raw`(${left.join('|') || '(?!)'})[^\S\n]+([A-Za-z_]\w*)${behind}`, { onLine: true }),
    ...(constant ? [constantRow] : []),
  ]
  return starts([...left, ...(constant ? ['const'] : [])].join(' '), rows, { inline: false })
}
