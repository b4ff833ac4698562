// Which names announce a secret (the zcl contract, redaction: env_secret), and which values after
// such a name are none: counts, references to a variable, words that stand for a missing value.

/**
 * The words of the contract, in any case, with `-` or nothing for `_` (`X-Api-Key`, `privateKey`).
 * Words that only contain one of them (tokenizer, secretary, passwordless) are left out.
 */
const secretWord =
  /(?:api|access|private)[_-]?key|secret(?!ar)|token(?!i[sz])|passw(?:or)?d(?!less)|credential(?!ed)/

/** A fresh expression, because a global one carries its position. */
export function secretWords(): RegExp {
  return new RegExp(secretWord, 'gi')
}

const anySecretWord = new RegExp(secretWord, 'i')

/** Every secret word holds one of these. */
const parts = ['key', 'secret', 'token', 'passw', 'credential']

/** The name announces a secret value. Most names do not, and need no expression to say so. */
export function isSecretName(name: string): boolean {
  const lower = name.toLowerCase()
  return parts.some((part) => lower.includes(part)) && anySecretWord.test(name)
}

/** The least number of characters that are not space in a value worth hiding. */
export const minimumValue = 6

/** The value has as many characters that are not space as a secret must have. */
export function isLongEnough(value: string): boolean {
  return value.length >= minimumValue && value.replace(/\s+/g, '').length >= minimumValue
}

/** Under this name the value is something to read, not something to hide. */
export function isHarmless(name: string, value: string): boolean {
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

/** The name of a variable, a template slot or a look-up in code: hiding it would only hurt replay. */
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

/** `total_tokens: 1234567` is a measure; `token=123456` may be a one-time code and is not. */
function isCount(name: string, value: string): boolean {
  if (!/^[\d.,_:/%+~[\]{}-]+[kKmMbB]?$/.test(value) || !/token/i.test(name)) return false
  if (/key|secret|passw|credential/i.test(name)) return false
  return /tokens|count|limit|usage|used|budget|total|max|min|num|length/i.test(name)
}

/** So long or so mixed that it is no word of a sentence. */
export function looksRandom(value: string): boolean {
  if (value.length < 6 || isProseWord(value)) return false
  if (/[0-9]/.test(value) || value.length >= 20) return true
  if (value.length < 8) return false
  return /[_~+=]/.test(value) || (/[a-z]/.test(value) && /.[A-Z]/.test(value))
}

/** What follows "bearer" or "authorization" when people write about tokens. */
export function isProseWord(value: string): boolean {
  return value.length <= 64 && proseWord.test(value)
}

const proseWord =
  /^(?:o?auth2?|authenti[a-z]+|authori[a-z]+|tokens?|schemes?|headers?|realm|methods?|types?|formats?|jwts?|based|access|credentials?|required|missing|invalid)(?:-[a-z]+)*$/i
