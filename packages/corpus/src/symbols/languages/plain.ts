// The eleven plain patterns: a line that starts with a keyword and a name. They apply to files of
// unknown languages, and in known languages to keywords that the scanner does not handle.
import { row, starts } from '../starts.ts'
import type { Starts } from '../starts.ts'

const keywords = [
  ...['class', 'struct', 'enum', 'protocol', 'extension'],
  ...['func', 'def', 'function', 'interface', 'type'],
] as const

export type PlainKeyword = (typeof keywords)[number] | 'const'

/** The plain patterns without the handled keywords; undefined when none is left. */
export function plainStarts(handled: readonly PlainKeyword[] = []): Starts | undefined {
  return patterns(handled, '')
}

/** In loose text, more words after the name make the line a sentence, not a definition. */
export function looseStarts(): Starts {
  return patterns([], String.raw`(?=[^\S\n]*(?:$|[^\w\s.,!?-]))`) as Starts
}

const constantRow = row(String.raw`(const)[^\S\n]+([A-Za-z_]\w*)(?=[^\S\n]*=[^\S\n]*\()`, {
  lineStartOnly: true,
})

function patterns(handled: readonly PlainKeyword[], suffix: string): Starts | undefined {
  const remaining = keywords.filter((keyword) => !handled.includes(keyword))
  const hasConst = !handled.includes('const')
  if (remaining.length === 0 && !hasConst) return undefined
  const rows = [
    row(String.raw`(${remaining.join('|') || '(?!)'})[^\S\n]+([A-Za-z_]\w*)${suffix}`, {
      lineStartOnly: true,
    }),
    ...(hasConst ? [constantRow] : []),
  ]
  return starts([...remaining, ...(hasConst ? ['const'] : [])].join(' '), rows, { inline: false })
}
