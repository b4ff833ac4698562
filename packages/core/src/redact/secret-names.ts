// Decides which names announce a secret (rule env_secret), and which values under such a name are not
// secret: counts, references to a variable, words for a missing value.

/**
 * Secret words in any case, with `_`, `-` or nothing between parts (`X-Api-Key`, `privateKey`).
 * Excludes words that only contain one of them: tokenizer, secretary, passwordless.
 */
const secretWord =
  /(?:api|access|private)[_-]?key|secret(?!ar)|token(?!i[sz])|passw(?:or)?d(?!less)|credential(?!ed)/

/** A new expression per call: a global one stores its position. */
export function secretWords(): RegExp {
  return new RegExp(secretWord, 'gi')
}

const anySecretWord = new RegExp(secretWord, 'i')

/** Prefilter: every secret word contains one of these. */
const parts = ['key', 'secret', 'token', 'passw', 'credential']

/** Whether the name announces a secret value. */
export function isSecretName(name: string): boolean {
  const lower = name.toLowerCase()
  return parts.some((part) => lower.includes(part)) && anySecretWord.test(name)
}

/** Minimum number of non-space characters of a secret value. */
export const minValueLength = 6

/** Whether the value has at least `minValueLength` non-space characters. */
export function isLongEnough(value: string): boolean {
  return value.length >= minValueLength && value.replace(/\s+/g, '').length >= minValueLength
}

/** Whether the value under a secret name is not a secret. */
export function isPublicValue(name: string, value: string): boolean {
  return isReference(value) || absentWords.has(value.toLowerCase()) || isCount(name, value)
}

const absentWords: ReadonlySet<string> = new Set(
  (
    'string number boolean object unknown undefined optional required missing invalid expired ' +
    'revoked nothing identifier operator punctuator punctuation expected unexpected provided ' +
    'disabled enabled default bearer incorrect rejected accepted denied changed updated created ' +
    'deleted rotated generated verified protected unchanged received refreshed available ' +
    'unavailable unspecified redacted hidden masked'
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
    String.raw`^\$[A-Z_][A-Z0-9_]*$`,
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

/** `total_tokens: 1234567` is a count; `token=123456` may be a one-time code. */
function isCount(name: string, value: string): boolean {
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
