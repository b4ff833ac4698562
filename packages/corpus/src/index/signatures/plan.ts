// What a line must hold to be a hit of a request, as far as an index can be asked for it.
import type { SearchRequest } from '../../search/search.ts'
import { literalPlan, parseRegex, textPlan } from '../../regex/regex.ts'
import type { LiteralPlan } from '../../regex/regex.ts'

export function searchPlan({ pattern, regex, caseSensitive }: SearchRequest): LiteralPlan {
  if (regex) return literalPlan(parseRegex(pattern, { ignoreCase: !caseSensitive }))
  // A replacement character also stands for bytes that are no text.
  const parts = pattern.split('\ufffd').filter((part) => part !== '')
  return { kind: 'all', of: parts.map((part) => textPlan(part, !caseSensitive)) }
}
