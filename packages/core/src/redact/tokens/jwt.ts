// JSON web tokens: three base64url parts, two of an unsigned token, or five of an encrypted one.
import type { TextRange } from '../spans.ts'
import { endOfRun } from './runs.ts'
import { startsWord } from './words.ts'

/**
 * Tries every `eyJ`. The end of a run of token characters is computed once for all of them in it, which
 * keeps `eyJeyJeyJ...` linear.
 */
export function* findJwts(text: string): Iterable<TextRange> {
  const match = jwtMatcher()
  let runEnd = 0
  let index = text.indexOf(anchor)
  while (index !== -1) {
    if (index >= runEnd) runEnd = endOfRun(text, index)
    const end = match(text, index, runEnd)
    if (end !== undefined) yield [index, end]
    index = text.indexOf(anchor, end ?? index + 1)
  }
}

const anchor = 'eyJ'

type RunMatcher = (text: string, index: number, runEnd: number) => number | undefined

function jwtMatcher(): RunMatcher {
  let cachedRun = -1
  let cachedEnd: number | undefined
  return (text, index, runEnd) => {
    if (runEnd - index < 8 || text[runEnd] !== '.') return undefined
    if (
      !startsWord(text, index) &&
      !isEncodedObject(text.slice(index, Math.min(runEnd, index + 64)))
    ) {
      return undefined
    }
    if (cachedRun !== runEnd) {
      cachedRun = runEnd
      cachedEnd = endOfJwt(text, runEnd)
    }
    return cachedEnd
  }
}

function endOfJwt(text: string, headerEnd: number): number | undefined {
  const ends = [headerEnd]
  for (let last = headerEnd; ends.length < 5 && text[last] === '.'; last = ends.at(-1) ?? 0) {
    const end = endOfRun(text, last + 1)
    // Only the second part may be empty: an encrypted token without a wrapped key.
    if (end === last + 1 && ends.length > 1) break
    ends.push(end)
  }
  const payload = (ends[1] ?? headerEnd) - headerEnd - 1
  if (payload >= 8 && text.startsWith(anchor, headerEnd + 1)) return ends[2] ?? ends[1]
  return ends.length >= (payload === 0 ? 4 : 3) ? ends.at(-1) : undefined
}

/** Whether the text decodes to the start of a JSON object, which excludes ordinary words. */
function isEncodedObject(text: string): boolean {
  const decodable = text.slice(0, text.length - (text.length % 4))
  return /^\{"[\u0020-\u007e]+$/.test(Buffer.from(decodable, 'base64url').toString('latin1'))
}
