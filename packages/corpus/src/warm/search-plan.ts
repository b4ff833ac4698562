// What a line must hold to be a hit of a request, as far as an index can be asked for it.
import type { GrepRequest } from '../grep/request.ts'
import { literalPlan, textPlan } from '../regex/literal-plan.ts'
import type { LiteralPlan } from '../regex/literal-plan.ts'
import { parseRegex } from '../regex/parse.ts'

export function searchPlan({ pattern, regex, caseSensitive }: GrepRequest): LiteralPlan {
  if (regex) return literalPlan(parseRegex(pattern, { ignoreCase: !caseSensitive }))
  // A replacement character also stands for bytes that are no text.
  const parts = pattern.split('\ufffd').filter((part) => part !== '')
  return { kind: 'all', of: parts.map((part) => textPlan(part, !caseSensitive)) }
}
