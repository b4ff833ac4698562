// Credentials recognized by their prefix: `Bearer <token>`, the value of an Authorization header in any
// notation, and `scheme://user:password@`.
import { isMember, isProseWord, isReference, looksRandom } from './secret-names.ts'
import type { TextRange } from './spans.ts'
import { startsWord } from './tokens/tokens.ts'

/** Prefilter: a text without a match has no match below. */
export const headerAnchor = /bearer|authorization|:\\?\//i

/** A complete or incomplete header value at the end of the text. */
export const openHeader = /(?:bearer(?:[ \t]|%20)|authorization[\\"' \t]*[:=])[^\r\n]{0,80}$/i

/**
 * Finds the token without the word Bearer. In prose the token must look random, so that "bearer
 * authentication" does not match; in a header any value matches.
 */
export function* findBearerTokens(text: string): Iterable<TextRange> {
  yield* findBearerWords(text)
  yield* findAuthorizationHeaders(text)
}

function* findBearerWords(text: string): Iterable<TextRange> {
  const words =
    /bearer(?:[ \t]+|%20|[\\"']*[ \t]*[:=][ \t]*)\\*["']?([A-Za-z0-9._~+/=-]{6}[A-Za-z0-9._~+/=-]*)/gi
  for (let found = words.exec(text); found !== null; found = words.exec(text)) {
    const [, run = ''] = found
    const start = words.lastIndex - run.length
    const token = withoutSentenceEnd(run)
    const next = text[words.lastIndex]
    const isText = isMember(token) || next === '(' || isChallenge(token, next)
    if (looksRandom(token) && !isText && startsWord(text, found.index))
      yield [start, start + token.length]
    // The refused word may itself be "bearer"; a long run is not scanned again.
    else if (run.length <= 64) words.lastIndex = start
  }
}

/** `WWW-Authenticate: Bearer authorization_uri="..."` requests a token and contains none. */
function isChallenge(token: string, next: string | undefined): boolean {
  return next === '"' && /^[a-z_]+=$/.test(token)
}

const knownSchemes = /^(?:bearer|basic|token|digest|negotiate|apikey|api-key|key)$/i

/** Matches all schemes: `Basic dXNlcjpwYXNz` contains a password, too. */
function* findAuthorizationHeaders(text: string): Iterable<TextRange> {
  const headers =
    /authorization[\\"']*[ \t]*[:=][ \t]*\\*["'`]?(?:([A-Za-z][\w-]{0,30})(?:[ \t]+|%20))?\\*["']?([^\s"'`,;<>\\&|(){}[\]]{4}[^\s"'`,;<>\\&|(){}[\]]*)/gi
  for (const found of text.matchAll(headers)) {
    const [whole, scheme = '', value = ''] = found
    const end = found.index + whole.length
    if (isReference(value) || isProseWord(value) || isChallenge(value, text[end])) continue
    if (!knownSchemes.test(scheme) && !(/\d/.test(value) && looksRandom(value))) continue
    yield [end - value.length, end]
  }
}

function withoutSentenceEnd(token: string): string {
  let end = token.length
  while (token[end - 1] === '.') end--
  return token.slice(0, end)
}

/** `user:password` between `://` and `@`. */
export function* findUrlCredentials(text: string): Iterable<TextRange> {
  const authorities = /[A-Za-z0-9+.-]:(?:\/\/|\\\/\\\/)([^\s/?#"'`<>\\]*)@/g
  for (const found of text.matchAll(authorities)) {
    yield* userInfo(found, found[1] ?? '')
  }
  if (!text.includes('@')) return
  // A password may contain an unescaped `/`, `?` or `#`; the look-ahead excludes ports.
  const unescaped =
    /[A-Za-z0-9+.-]:\/\/([^\s:/?#@"'`<>\\]{0,64}:(?!\d{0,5}[/?#])[^\s"'`<>\\@/?#]{0,128}[/?#][^\s"'`<>\\@]{0,128})@/g
  for (const found of text.matchAll(unescaped)) {
    yield* userInfo(found, found[1] ?? '')
  }
}

function* userInfo(found: RegExpExecArray, info: string): Iterable<TextRange> {
  const colon = info.indexOf(':')
  const password = info.slice(colon + 1)
  if (colon === -1 || info === ':' || isReference(password)) return
  if (/^\[REDACTED:[A-Z0-9_-]+\]$/.test(password)) return
  const end = found.index + found[0].length - 1
  yield [end - info.length, end]
}
