// Secrets that can be told by their own form, wherever they stand: keys with a known prefix, JSON
// web tokens and PEM blocks. Precise enough to search stored evidence with.
import type { Finder, Place } from './spans.ts'

/** By name, in the order of the contract. */
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

/** Nothing in `tokenFinders` matches a text in which this finds nothing. */
export const tokenAnchor =
  /gh[pousr]_|github_pat_|sk-|xox[abeprs]-|A(?:KIA|SIA|Iza)|eyJ|-----BEGIN|glpat-|npm_/

/** A token that has begun and may go on beyond the end of the text. */
export const openToken =
  /(?:gh[pousr]_[A-Za-z0-9]{0,15}|github_pat_\w{0,15}|sk-[\w-]{0,19}|xox[abeprs]-[\w-]{0,9}|(?:AKIA|ASIA)[A-Z0-9]{0,15}|AIza[\w-]{0,34}|glpat-[\w-]{0,15}|npm_[A-Za-z0-9]{0,35}|-----BEGIN[A-Z0-9 ]{0,62}-{0,4})$/

/** A PEM block of a private key; certificates and public keys are no finding in a validator. */
export function holdsPrivateKey(text: string): boolean {
  return /-----BEGIN (?:[A-Z0-9][A-Z0-9 ]{0,40} )?PRIVATE KEY[A-Z0-9 ]{0,20}-----/.test(text)
}

/**
 * Whether a word starts at `at`. What an escape (`\n`, `%3D`, a colour code) ends with belongs to
 * the escape, and a long run of letters (base64, filler) is no word that could be continued.
 */
export function startsWord(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - longestWord), at)
  return !/[A-Za-z0-9]$/.test(before) || endsOutsideWord.test(before)
}

const longestWord = 24
const endsOutsideWord = new RegExp(
  [
    String.raw`\\[nrtbfv]$`,
    String.raw`\\u[0-9A-Fa-f]{4}$`,
    String.raw`\\x[0-9A-Fa-f]{2}$`,
    '%[0-9A-Fa-f]{2}$',
    String.raw`(?:\u001b|\\u001b|\\x1b|\\e|\\033)\[[0-9;]{0,12}m$`,
    `[A-Za-z0-9]{${longestWord}}$`,
  ].join('|'),
  'i',
)

function startsUpperCaseWord(text: string, at: number): boolean {
  return !/[A-Z0-9]/.test(text[at - 1] ?? '') || startsWord(text, at)
}

/**
 * A pattern that fails within a bounded look-ahead of its prefix. Written `x{16}x*`, not `x{16,}`:
 * the engine keeps a stack entry per repetition of the latter and gives up on megabytes.
 */
function pattern(expression: RegExp, accept?: (text: string, at: number) => boolean): Finder {
  return function* (text) {
    for (const found of text.matchAll(expression)) {
      if (accept !== undefined && !accept(text, found.index)) continue
      yield [found.index, found.index + found[0].length]
    }
  }
}

type RunMatcher = (text: string, at: number, runEnd: number) => number | undefined

/**
 * Looks at every `anchor` inside a run of `[A-Za-z0-9_-]`. The end of a run is looked up once for
 * all anchors in it: that keeps `eyJeyJeyJ...` linear.
 */
function* findInRuns(text: string, anchor: string, match: RunMatcher): Iterable<Place> {
  let runEnd = 0
  let at = text.indexOf(anchor)
  while (at !== -1) {
    if (at >= runEnd) runEnd = endOfRun(text, at)
    const end = match(text, at, runEnd)
    if (end !== undefined) yield [at, end]
    at = text.indexOf(anchor, end ?? at + 1)
  }
}

const run = /[A-Za-z0-9_-]*/y

function endOfRun(text: string, from: number): number {
  run.lastIndex = from
  run.test(text)
  return run.lastIndex
}

/** `sk-` and 20 characters or more, not inside a word (`task-`) and not `sk-learn-...`. */
function endOfOpenAiKey(text: string, at: number, runEnd: number): number | undefined {
  if (runEnd - at < 23 || !startsWord(text, at)) return undefined
  const isPackageName = text.startsWith('sk-learn', at) && !/\w{16}/.test(text.slice(at, runEnd))
  return isPackageName ? undefined : runEnd
}

/** Three base64url parts; also the two of an unsigned token and the five of an encrypted one. */
function jwtMatcher(): RunMatcher {
  let knownRun = -1
  let knownEnd: number | undefined
  return (text, at, runEnd) => {
    if (runEnd - at < 8 || text[runEnd] !== '.') return undefined
    if (!startsWord(text, at) && !isEncodedObject(text.slice(at, Math.min(runEnd, at + 64)))) {
      return undefined
    }
    if (knownRun !== runEnd) {
      knownRun = runEnd
      knownEnd = endOfJwt(text, runEnd)
    }
    return knownEnd
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

/** Base64url of what starts like a JSON object: no accident of letters inside a longer word. */
function isEncodedObject(text: string): boolean {
  const whole = text.slice(0, text.length - (text.length % 4))
  return /^\{"[\u0020-\u007e]+$/.test(Buffer.from(whole, 'base64url').toString('latin1'))
}

/** From `-----BEGIN` to `-----END`, or to the end of the text when it never comes. */
function* findPemBlocks(text: string): Iterable<Place> {
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

/** A mention of a certificate's first line in code or prose is no certificate. */
function startsLikeBase64(text: string, from: number): boolean {
  return /^(?:\s|\\[nr])*[A-Za-z0-9+/]{16}/.test(text.slice(from, from + 64))
}
