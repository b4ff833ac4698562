// A captured text may stop in the middle of a secret. Finds where such a beginning starts, so that
// it can be left out together with the rest that was never captured.
import { openAssignment } from './assignments.ts'
import { openHeader } from './headers.ts'
import type { LiteralSearch } from './literals.ts'
import { openToken } from './tokens.ts'

/** How far back from the end the beginning of a short pattern is looked for. */
const reach = 512

/** The length that is safe to keep of a text that goes on where we cannot see it. */
export function lengthBeforeOpenSecret(
  text: string,
  literals: LiteralSearch | undefined,
  hasExtraRules: boolean,
): number {
  const from = Math.max(0, text.length - reach)
  const tail = text.slice(from)
  const starts = [
    openToken.exec(tail)?.index,
    openHeaderValue(tail),
    openUrl(tail),
    openAssignment(tail),
    hasExtraRules ? /\S*$/.exec(tail)?.index : undefined,
  ]
  const found = starts.filter((start) => start !== undefined).map((start) => from + start)
  const ofLiteral = text.length - (literals?.openAtEnd(text) ?? 0)
  return Math.min(text.length, ofLiteral, openJwt(text), ...found)
}

/** Just behind the word Bearer or the header's name. */
function openHeaderValue(tail: string): number | undefined {
  const found = openHeader.exec(tail)
  if (found === null) return undefined
  const [name = ''] = /^\w+(?:[ \t]|%20|[\\"' \t]*[:=][ \t]*)/.exec(found[0]) ?? []
  return found.index + name.length
}

/** `user:pass` without the `@` that would tell it from a host and its port. */
function openUrl(tail: string): number | undefined {
  const found = /:(?:\/\/|\\\/\\\/)([^\s/?#"'`<>\\@]*:[^\s"'`<>\\@]*)$/.exec(tail)
  return found === null ? undefined : tail.length - (found[1] ?? '').length
}

/** The parts of a web token can be long: the whole last run of its characters is looked at. */
function openJwt(text: string): number {
  let start = text.length
  while (start > 0 && /[\w.-]/.test(text[start - 1] ?? '')) start--
  const at = text.indexOf('eyJ', start)
  return at === -1 ? text.length : at
}
