// Secrets with a recognizable form: keys with a known prefix, JSON web tokens and PEM blocks. Precise
// enough to search stored evidence with.
import type { Finder, TextRange } from './spans.ts'

/** Finders by rule name, in order of rank. */
export const tokenFinders: ReadonlyMap<string, Finder> = new Map([
  [
    'github_token',
    pattern(/gh[pousr]_[A-Za-z0-9]{12}[A-Za-z0-9_]*|github_pat_[A-Za-z0-9_]{12}[A-Za-z0-9_]*/g),
  ],
  ['openai_key', (text) => findInRuns(text, 'sk-', endOfOpenAiKey)],
  ['slack_token', pattern(/xox[abeprs]-[A-Za-z0-9-]{8}[A-Za-z0-9-]*/g)],
  ['aws_access_key_id', pattern(/(?:AKIA|ASIA)[A-Z0-9]{16}[A-Z0-9]*/g, startsUpperCaseWord)],
  ['jwt', (text) => findInRuns(text, 'eyJ', jwtMatcher())],
  ['private_key', findPemBlocks],
  ['google_api_key', pattern(/AIza[A-Za-z0-9_-]{35}[A-Za-z0-9_-]*/g)],
  [
    'gitlab_token',
    pattern(/glpat-[A-Za-z0-9_-]{10}[A-Za-z0-9_-]*(?:\.[a-z0-9]{2}\.[a-z0-9]{7,12})?/g),
  ],
  ['npm_token', pattern(/npm_[A-Za-z0-9]{36}[A-Za-z0-9]*/g)],
])

/** Prefilter: a text without a match has no match in `tokenFinders`. */
export const tokenAnchor =
  /gh[pousr]_|github_pat_|sk-|xox[abeprs]-|A(?:KIA|SIA|Iza)|eyJ|-----BEGIN|glpat-|npm_/

/** An incomplete token at the end of the text. */
export const openToken =
  /(?:gh[pousr]_[A-Za-z0-9]{0,15}|github_pat_\w{0,15}|sk-[\w-]{0,19}|xox[abeprs]-[\w-]{0,9}|(?:AKIA|ASIA)[A-Z0-9]{0,15}|AIza[\w-]{0,34}|glpat-[\w-]{0,15}|npm_[A-Za-z0-9]{0,35}|-----BEGIN[A-Z0-9 ]{0,62}-{0,4})$/

/** Whether there is a PEM block of a private key; a validator ignores certificates and public keys. */
export function holdsPrivateKey(text: string): boolean {
  return /-----BEGIN (?:[A-Z0-9][A-Z0-9 ]{0,40} )?PRIVATE KEY[A-Z0-9 ]{0,20}-----/.test(text)
}

/**
 * Whether a word starts at `index`. The last letter of an escape (`\n`, `%3D`, a colour code) belongs
 * to the escape. A run of 24 or more letters (base64, filler) does not count as a word.
 */
export function startsWord(text: string, index: number): boolean {
  const before = text.slice(Math.max(0, index - maxWordLength), index)
  return !/[A-Za-z0-9]$/.test(before) || endsOutsideWord.test(before)
}

const maxWordLength = 24
const endsOutsideWord = new RegExp(
  [
    String.raw`\\[nrtbfv]$`,
    String.raw`\\u[0-9A-Fa-f]{4}$`,
    String.raw`\\x[0-9A-Fa-f]{2}$`,
    '%[0-9A-Fa-f]{2}$',
    String.raw`(?:\u001b|\\u001b|\\x1b|\\e|\\033)\[[0-9;]{0,12}m$`,
    `[A-Za-z0-9]{${maxWordLength}}$`,
  ].join('|'),
  'i',
)

function startsUpperCaseWord(text: string, index: number): boolean {
  return !/[A-Z0-9]/.test(text[index - 1] ?? '') || startsWord(text, index)
}

/**
 * Finds a pattern that fails within a bounded distance of its prefix. Patterns are written `x{16}x*`
 * instead of `x{16,}`: V8 pushes a stack entry per repetition of the latter and overflows on megabytes.
 */
function pattern(expression: RegExp, accept?: (text: string, index: number) => boolean): Finder {
  return function* (text) {
    for (const found of text.matchAll(expression)) {
      if (accept !== undefined && !accept(text, found.index)) continue
      yield [found.index, found.index + found[0].length]
    }
  }
}

type RunMatcher = (text: string, index: number, runEnd: number) => number | undefined

/**
 * Tries every `anchor` inside a run of `[A-Za-z0-9_-]`. The end of a run is computed once for all
 * anchors in it, which keeps `eyJeyJeyJ...` linear.
 */
function* findInRuns(text: string, anchor: string, match: RunMatcher): Iterable<TextRange> {
  let runEnd = 0
  let index = text.indexOf(anchor)
  while (index !== -1) {
    if (index >= runEnd) runEnd = endOfRun(text, index)
    const end = match(text, index, runEnd)
    if (end !== undefined) yield [index, end]
    index = text.indexOf(anchor, end ?? index + 1)
  }
}

const run = /[A-Za-z0-9_-]*/y

function endOfRun(text: string, from: number): number {
  run.lastIndex = from
  run.test(text)
  return run.lastIndex
}

/** `sk-` and at least 20 characters, not inside a word (`task-`) and not `sk-learn-...`. */
function endOfOpenAiKey(text: string, index: number, runEnd: number): number | undefined {
  if (runEnd - index < 23 || !startsWord(text, index)) return undefined
  const isPackageName =
    text.startsWith('sk-learn', index) && !/\w{16}/.test(text.slice(index, runEnd))
  return isPackageName ? undefined : runEnd
}

/** Matches three base64url parts, two of an unsigned token, or five of an encrypted one. */
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
  if (payload >= 8 && text.startsWith('eyJ', headerEnd + 1)) return ends[2] ?? ends[1]
  return ends.length >= (payload === 0 ? 4 : 3) ? ends.at(-1) : undefined
}

/** Whether the text decodes to the start of a JSON object, which excludes ordinary words. */
function isEncodedObject(text: string): boolean {
  const decodable = text.slice(0, text.length - (text.length % 4))
  return /^\{"[\u0020-\u007e]+$/.test(Buffer.from(decodable, 'base64url').toString('latin1'))
}

/** From `-----BEGIN` to `-----END`, or to the end of the text without one. */
function* findPemBlocks(text: string): Iterable<TextRange> {
  const begin = /-----BEGIN ([A-Z0-9][A-Z0-9 ]{0,80})-----/g
  for (let found = begin.exec(text); found !== null; found = begin.exec(text)) {
    const body = begin.lastIndex
    if (!(found[1] ?? '').includes('PRIVATE KEY') && !startsLikeBase64(text, body)) continue
    const end = endOfPemBlock(text, body)
    yield [found.index, end]
    begin.lastIndex = end
  }
}

function endOfPemBlock(text: string, from: number): number {
  const end = /-----END [A-Z0-9][A-Z0-9 ]{0,60}-----/g
  end.lastIndex = from
  return end.test(text) ? end.lastIndex : text.length
}

/** False for a certificate's first line that is only quoted in code or prose. */
function startsLikeBase64(text: string, from: number): boolean {
  return /^(?:\s|\\[nr])*[A-Za-z0-9+/]{16}/.test(text.slice(from, from + 64))
}
