// Texts that every match of a search contains. An index of another system can propose files by them; the matcher of
// corpus decides.
import { compileRegex } from '../regex/regex.ts'

export interface RequiredTexts {
  texts: string[]
  /** The texts may occur in any case of their ASCII letters. */
  ignoresCase: boolean
}

/** No texts if there is none that every match contains. */
export function requiredTexts(
  pattern: string,
  { regex, caseSensitive }: { regex: boolean; caseSensitive: boolean },
): RequiredTexts {
  const literal = regex
    ? (compileRegex(pattern, { lines: true, ignoreCase: !caseSensitive }).required ?? '')
    : pattern
  if (caseSensitive && !regex) return { texts: literal === '' ? [] : [literal], ignoresCase: false }
  // Flags inside a regex may ignore case, too.
  const texts = literal.split(unsafeWithoutCase).filter((text) => text !== '')
  return { texts, ignoresCase: true }
}

/** Characters that match others beyond their ASCII case: the Kelvin sign is a k, the dotted I an i. */
const unsafeWithoutCase = /[kKiI\u0080-\uffff]+/u
