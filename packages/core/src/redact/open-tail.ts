// Finds an incomplete secret at the end of a truncated capture, so that it can be cut off.
import { openAssignment } from './assignments.ts'
import { openHeader } from './headers.ts'
import type { LiteralSearch } from './literals.ts'
import { openToken } from './tokens/tokens.ts'

/** Characters at the end of the text that are searched for the start of a short pattern. */
const maxLookBack = 512

/** The length of a truncated text up to the first incomplete secret at its end. */
export function lengthBeforeOpenSecret(
  text: string,
  literals: LiteralSearch | undefined,
  hasExtraRules: boolean,
): number {
  const from = Math.max(0, text.length - maxLookBack)
  const tail = text.slice(from)
  const starts = [
    openToken(tail),
    openHeaderValue(tail),
    openUrl(tail),
    openAssignment(tail),
    hasExtraRules ? /\S*$/.exec(tail)?.index : undefined,
  ]
  const found = starts.filter((start) => start !== undefined).map((start) => from + start)
  const ofLiteral = text.length - (literals?.partialAtEnd(text) ?? 0)
  return Math.min(text.length, ofLiteral, openJwt(text), ...found)
}

/** The position after the word Bearer or after the header's name. */
function openHeaderValue(tail: string): number | undefined {
  const found = openHeader.exec(tail)
  if (found === null) return undefined
  const [name = ''] = /^\w+(?:[ \t]|%20|[\\"' \t]*[:=][ \t]*)/.exec(found[0]) ?? []
  return found.index + name.length
}

/** `user:pass` without the `@` that distinguishes it from `host:port`. */
function openUrl(tail: string): number | undefined {
  const found = /:(?:\/\/|\\\/\\\/)([^\s/?#"'`<>\\@]*:[^\s"'`<>\\@]*)$/.exec(tail)
  return found === null ? undefined : tail.length - (found[1] ?? '').length
}

/** Searches the entire last run of token characters: a JSON web token can be long. */
function openJwt(text: string): number {
  let start = text.length
  while (/[\w.-]/.test(text.charAt(start - 1))) start--
  const jwtStart = text.indexOf('eyJ', start)
  return jwtStart === -1 ? text.length : jwtStart
}
