// Parses a character set, from after its `[` to its `]`.
import type { RegexNode, SetItem } from '../ast.ts'
import { setEscape } from './escapes.ts'
import { foldOf } from './state.ts'
import type { Flags } from './state.ts'
import { codePointCount } from './source.ts'
import type { PatternSource } from './source.ts'

export function parseSet(source: PatternSource, flags: Flags): RegexNode {
  const start = source.tell() - 1
  const items: SetItem[] = []
  const negated = source.match('^')
  const take = (): string => {
    const token = source.take()
    if (token === undefined) throw source.errorAt('unterminated character set', start)
    return token
  }
  const member = (token: string): SetItem => {
    if (token.startsWith('\\')) return setEscape(source, token, flags.ascii)
    const code = token.codePointAt(0) as number
    return { kind: 'range', low: code, high: code }
  }
  for (;;) {
    const token = take()
    if (token === ']' && items.length > 0) break
    const first = member(token)
    if (!source.match('-')) {
      items.push(first)
      continue
    }
    const other = take()
    if (other === ']') {
      items.push(first, { kind: 'range', low: 0x2d, high: 0x2d })
      break
    }
    items.push(rangeItem(source, { token, item: first }, { token: other, item: member(other) }))
  }
  return { kind: 'set', items, negated, fold: foldOf(flags) }
}

interface RangeEnd {
  token: string
  item: SetItem
}

function rangeItem(source: PatternSource, from: RangeEnd, to: RangeEnd): SetItem {
  const [low, high] = [from.item, to.item]
  if (low.kind === 'range' && high.kind === 'range' && low.low <= high.low) {
    return { kind: 'range', low: low.low, high: high.low }
  }
  const message = `bad character range ${from.token}-${to.token}`
  throw source.error(message, codePointCount(from.token) + 1 + codePointCount(to.token))
}
