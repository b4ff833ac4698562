// The literals that every matching line of a request contains, as a query for the signatures.
import type { SearchRequest } from '../../search/search.ts'
import { literalPlan, parseRegex, textPlan } from '../../regex/regex.ts'
import type { LiteralPlan } from '../../regex/regex.ts'

export function searchPlan({ pattern, regex, caseSensitive }: SearchRequest): LiteralPlan {
  if (regex) return literalPlan(parseRegex(pattern, { ignoreCase: !caseSensitive }))
  // A replacement character also matches bytes that are not valid UTF-8.
  const parts = pattern.split('\ufffd').filter((part) => part !== '')
  return { kind: 'all', of: parts.map((part) => textPlan(part, !caseSensitive)) }
}
