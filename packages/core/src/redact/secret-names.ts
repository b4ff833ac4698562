// Decides which names announce a secret (rule env_secret), and which values under such a name are not
// secret: counts, references to a variable, words for a missing value.
import { isGenerated } from './tokens/tokens.ts'

/**
 * What a name announces. `secret`: any value. `password`: a value that is not a word. `generated`: a
 * value that looks generated, because names such as `CACHE_KEY` are common.
 */
export type NameKind = 'secret' | 'password' | 'generated'

/** Parts of all names that announce a secret, in any case. */
const secretWord =
  /key|secret|token|pass|credential|pwd|auth|signature|[_-](?:pw|pat|sig|sid|sk|salt|dsn)(?![a-z])|[?&;](?:sig|code|sid)=/i

/** Prefilter: a text without a match has no secret name. */
export function holdsSecretWord(text: string): boolean {
  return secretWord.test(text)
}

/**
 * Secret words in any case, with `_`, `-` or nothing between parts (`X-Api-Key`, `privateKey`).
 * Excludes words that only contain one of them: tokenizer, secretary, passwordless.
 */
const certainWord =
  /(?:api|access|private)[_-]?key|secret(?!ar)|token(?!i[sz])|passw(?:or)?d(?!less)|passphrase|credential(?!ed)/i
/** `ENCRYPTION_KEY`, `client-key-data`, `AccountKey`: the words before `key`. */
const keyWord =
  /(?:account|admin|aes|app|application|auth|client|consumer|crypt\w*|deploy|encryption|hmac|host|jwt|license|master|project|publish|rsa|server|service|session|shared|sign\w*|ssh|storage|subscription|webhook)[_-]?key(?:[_-]?(?:base|data|value|b64|base64|hex|pem))?\d*$/i
const environmentName = /^[A-Z][A-Z0-9]*(?:[_-][A-Z0-9]+)+$/
const lastWord = /(?:^|[_-])(?:key|pat|sig|sid|sk|salt|dsn|auth|signature)\d*$/i
const passwordWord = /[_-](?:pass|pwd|pw)\d*$/i
const shortName = /^(?:pass|pwd|sig|code|sid|signature|auth|_auth)$/i

/** What the name announces, or undefined. */
export function nameKind(name: string): NameKind | undefined {
  if (name.length < 3) return undefined
  if (name.length > 128) return longNameKind(name)
  if (certainWord.test(name)) return 'secret'
  if (passwordWord.test(name)) return 'password'
  if (keyWord.test(name) || shortName.test(name)) return 'generated'
  if (!lastWord.test(name)) return undefined
  return environmentName.test(name) || !/key\d*$/i.test(name) ? 'generated' : undefined
}

function longNameKind(name: string): NameKind | undefined {
  return certainWord.test(name) ? 'secret' : undefined
}

/** Whether the name announces a secret value. */
export function isSecretName(name: string): boolean {
  return secretWord.test(name) && nameKind(name) !== undefined
}

/** Whether a complete value under this name is a secret. */
export function isSecretUnder(name: string, value: string): boolean {
  if (!secretWord.test(name) || !isLongEnough(value)) return false
  const kind = nameKind(name)
  return kind !== undefined && fitsKind(kind, name, value) && !isPublicValue(name, value)
}

/** Whether the value can be a secret of this kind. */
export function fitsKind(kind: NameKind, name: string, value: string): boolean {
  if (kind === 'secret') return true
  if (kind === 'password' && (environmentName.test(name) || /[^A-Za-z_]/.test(value))) return true
  return isGeneratedValue(value)
}

/** Whether a part of the value mixes letters and digits at random. Words, versions and ids do not. */
export function isGeneratedValue(value: string): boolean {
  if (value.length < 12 || /\s/.test(value.slice(0, 512))) return false
  return value
    .slice(0, 512)
    .split(/[^A-Za-z0-9]+/)
    .some((part) => part.length >= 8 && isGenerated(part, 0, part.length))
}

/** Minimum number of non-space characters of a secret value. */
const minValueLength = 6

/** Whether the value has at least `minValueLength` non-space characters. */
export function isLongEnough(value: string): boolean {
  return value.length >= minValueLength && value.replace(/\s+/g, '').length >= minValueLength
}

/** Whether the value under a secret name is not a secret. */
export function isPublicValue(name: string, value: string): boolean {
  if (isReference(value) || absentWords.has(value.toLowerCase())) return true
  if (isVersion.test(value)) return true
  if (isCount(name, value) || repeatsName(name, value) || isCharacterClass.test(value)) return true
  return (
    /^(?:https?:\/\/[^@?#\s]*|\/[\w.-]+(?:\/[\w.-]*)*)$/.test(value) && !isGeneratedValue(value)
  )
}

/** `"@scope/credential-provider": "^3.1.0"`. */
const isVersion = /^[\^~<>=v]*\d{1,4}\.\d{1,4}\.\d{1,6}$/

/** The source of a regular expression, or a colour. */
const isCharacterClass = /A-Z|a-z0-9|ABCDEFGHIJKLM|\\[wds][+*]|^#[0-9a-f]{3,8}$/i

/** `accessToken: "access_token"`: the value is the name of a field. */
function repeatsName(name: string, value: string): boolean {
  if (value.length > 64) return false
  const letters = (text: string) => text.replace(/[^A-Za-z]+/g, '').toLowerCase()
  const [first, second] = [letters(name), letters(value)]
  return (
    second.length >= 4 &&
    /^[A-Za-z_.-]+$/.test(value) &&
    (first.endsWith(second) || second.endsWith(first))
  )
}

const absentWords: ReadonlySet<string> = new Set(
  (
    'string number boolean object unknown undefined optional required missing invalid expired ' +
    'revoked nothing identifier operator punctuator punctuation expected unexpected provided ' +
    'disabled enabled default bearer incorrect rejected accepted denied changed updated created ' +
    'deleted rotated generated verified protected unchanged received refreshed available ' +
    'unavailable unspecified readonly redacted hidden masked unsigned signed double struct boolean'
  ).split(' '),
)

/** The name of a variable, a template slot or a lookup in code; replay needs these unredacted. */
export function isReference(value: string): boolean {
  return reference.test(value)
}

const reference = new RegExp(
  [
    String.raw`^\$\{\{?[^{}:=]*\}\}?$`,
    String.raw`^\$\(`,
    String.raw`^\$[A-Za-z_][A-Za-z0-9_]*$`,
    '^%[A-Z_][A-Z0-9_]*%$',
    String.raw`^\{\{[^{}]*\}\}$`,
    '^<[A-Za-z][A-Za-z _-]*>$',
    String.raw`^(?:process\.env|import\.meta\.env|os\.environ|os\.getenv)\b`,
  ].join('|'),
)

/** A member of an object in source text, such as `options.apiKey`. */
export function isMember(value: string): boolean {
  return member.test(value)
}

const member =
  /^(?:this|self|options|opts|config|settings|args|params|event|request|response|req|res|ctx|context|state|props|data|result|module|exports)\.[A-Za-z_$][\w$.]*$/

/** Names of token counts: `output_tokens: output` in source code names a variable. */
const countName =
  /(?:input|output|prompt|completion|cached?|creation|thinking|reasoning|thoughts|total|max|min|budget|estimated|used|fresh|candidates|^n)_?tokens?(?:_?(?:details|counts?|usage|limit))?$|^tokenEstimates$/i

/** `total_tokens: 1234567` is a count; `token=123456` may be a one-time code. */
function isCount(name: string, value: string): boolean {
  if (countName.test(name) && /^[A-Za-z_$][A-Za-z_$.]*$/.test(value)) return true
  if (!/^[\d.,_:/%+~[\]{}-]+[kKmMbB]?$/.test(value) || !/token/i.test(name)) return false
  if (/key|secret|passw|credential/i.test(name)) return false
  return /tokens|count|limit|usage|used|budget|total|max|min|num|length/i.test(name)
}

/** Whether the length or the mix of characters excludes a word of prose. */
export function looksRandom(value: string): boolean {
  if (value.length < 6 || isProseWord(value)) return false
  if (/[0-9]/.test(value) || value.length >= 20) return true
  if (value.length < 8) return false
  return /[_~+=]/.test(value) || (/[a-z]/.test(value) && /.[A-Z]/.test(value))
}

/** Words that follow "bearer" or "authorization" in prose about tokens. */
export function isProseWord(value: string): boolean {
  return value.length <= 64 && proseWord.test(value)
}

const proseWord =
  /^(?:o?auth2?|authenti[a-z]+|authori[a-z]+|tokens?|schemes?|headers?|realm|methods?|types?|formats?|jwts?|based|access|credentials?|required|missing|invalid)(?:-[a-z]+)*$/i
