// Values after a name that announces a secret: `FOO_TOKEN=...`, `"api_key": "..."`, `X-Api-Key: ...`,
// `?token=...&`, `--password ...`. The match is the value alone.
import { endOf, lineEnds, valueAt } from './assigned-value.ts'
import type { AssignedValue, LineEnds } from './assigned-value.ts'
import type { NameKind } from './secret-names.ts'
import {
  fitsKind,
  isPublicValue,
  isLongEnough,
  isGeneratedValue,
  isMember,
  isSecretName,
  looksRandom,
  minValueLength,
  nameKind,
  secretWords,
} from './secret-names.ts'
import type { TextRange } from './spans.ts'
import { isGenerated } from './tokens/tokens.ts'

interface Assignment extends AssignedValue {
  name: string
  nameStart: number
  /** The value belongs to a member: `token.value = ...`. */
  isDotted: boolean
  kind: NameKind
  /** `=`, `:` or `%`, followed by a space if the text has one; a space alone for flags. */
  separator: string
}

interface JudgedAssignment extends Assignment {
  isSecret: boolean
}

export function* findAssignedSecrets(text: string): Iterable<TextRange> {
  for (const found of assignments(text)) {
    if (found.isSecret) yield [found.start, found.end]
  }
}

/** The start of a value that reaches the end of the text, even if it is too short to classify. */
export function openAssignment(text: string): number | undefined {
  for (const found of assignments(text)) {
    if (found.end === text.length && found.start < found.end) return found.start
  }
  return undefined
}

/** Every `name separator value` whose name announces a secret, from left to right. */
function* assignments(text: string): Iterable<JudgedAssignment> {
  const words = secretWords()
  const lines = lineEnds(text)
  let dottedEnd = 0
  while (words.test(text)) {
    const wordEnd = text[words.lastIndex - 1] === '=' ? words.lastIndex - 1 : words.lastIndex
    const nameEnd = endOf(nameRest, text, wordEnd)
    // A name with several secret words is examined once.
    words.lastIndex = nameEnd
    if (text[nameEnd] === '.' && nameEnd >= dottedEnd) dottedEnd = endOf(dottedRest, text, nameEnd)
    const assignment = assignmentAt(text, nameEnd, dottedEnd, lines)
    if (assignment === undefined) continue
    const isSecret = holdsSecret(text, assignment)
    yield { ...assignment, isSecret }
    // A public value may contain another assignment; a long one is not scanned again.
    const isDone = isSecret || assignment.end - assignment.start > 256
    words.lastIndex = Math.max(nameEnd, isDone ? assignment.end : assignment.start)
  }
}

const nameRest = /[\w-]*/y
const dottedRest = /[\w.-]*/y
const separators = /\\*["'`]?\]?(?:%22)?[ \t]*(:=|=>|=|:|%3[Dd]|%3[Aa])(?![=~])[ \t]*/y
const flagSeparator = /[ \t](?![ \t-])/y

function assignmentAt(
  text: string,
  nameEnd: number,
  dottedEnd: number,
  lines: LineEnds,
): Assignment | undefined {
  const separated = separatorAfter(text, nameEnd) ?? dottedSeparator(text, nameEnd, dottedEnd)
  const start = separated?.start ?? endOf(flagSeparator, text, nameEnd)
  if (start === 0) return undefined
  const nameStart = startOfName(text, nameEnd)
  // Marks contain such words, and the URL rule handles `://token:...@`.
  if (text.startsWith('[REDACTED:', nameStart - 10)) return undefined
  if (text.startsWith('://', nameStart - 3)) return undefined
  const separator = separated?.separator ?? ' '
  if (separator === ' ' && !text.startsWith('--', nameStart)) return undefined
  const name = text.slice(nameStart, nameEnd)
  const kind = nameKind(name)
  if (kind === undefined) return undefined
  const isEncoded = separator.startsWith('%')
  const isDotted = text[nameEnd] === '.'
  return { name, nameStart, isDotted, kind, separator, ...valueAt(text, start, isEncoded, lines) }
}

/** Names have no length limit; only this many characters are examined. */
const maxNameLength = 128

function startOfName(text: string, end: number): number {
  let start = end
  while (start > 0 && start > end - maxNameLength && isNameCode(text.charCodeAt(start - 1))) start--
  return start
}

function isNameCode(code: number): boolean {
  const isDigit = code >= 48 && code <= 57
  const isLetter = (code | 32) >= 97 && (code | 32) <= 122
  return isDigit || isLetter || code === 95 || code === 45
}

interface Separated {
  start: number
  separator: string
}

function separatorAfter(text: string, nameEnd: number): Separated | undefined {
  const start = endOf(separators, text, nameEnd)
  if (start === 0) return undefined
  const found = text.slice(nameEnd, start)
  const separator = found.trimEnd()
  const isSpaced = separator.length < found.length
  if (separator.endsWith(':') && (text[start] === ':' || text.startsWith('//', start))) {
    return undefined
  }
  if (separator.endsWith('=>') && !/["'`]/.test(text[start] ?? '')) return undefined
  const sign = separator.endsWith(':') ? ':' : /%3.$/.test(separator) ? '%' : '='
  return { start, separator: isSpaced ? `${sign} ` : sign }
}

/** `auth.token.value=...`; not with a colon, because of `token.ts:12:` in search results. */
function dottedSeparator(text: string, nameEnd: number, dottedEnd: number): Separated | undefined {
  if (text[nameEnd] !== '.') return undefined
  const found = separatorAfter(text, dottedEnd)
  return found?.separator.startsWith('=') ? found : undefined
}

function holdsSecret(text: string, found: Assignment): boolean {
  const { name, kind, start, end, quoted, separator } = found
  if (end - start < minValueLength) return false
  const value = text.slice(start, end)
  if (value.startsWith('[REDACTED:') && value.indexOf(']') === value.length - 1) return false
  if (!isLongEnough(value) || isPublicValue(name, value) || !fitsKind(kind, name, value))
    return false
  if (quoted) return !isCodeString(text, found, value)
  if (separator === ' ') return looksRandom(value) && !namesReference(name)
  return !isCode(text, found, value) && !isProse(text, found, value)
}

/** `--token-file x`, `--secret-name x`: the value refers to the secret and is not secret itself. */
function namesReference(name: string): boolean {
  return /(?:file|path|dir|name|type|url|uri|env|var|id|ttl|expiry|stdin)$/i.test(name)
}

const words = /^[\p{L}\p{M}][\p{L}\p{M}\p{P}\p{Zs}|<>$+=]*$/u

/**
 * Whether a quoted value is a string of source code: words after a name without quotes, followed by the
 * punctuation of code, or a string that a program builds.
 */
function isCodeString(text: string, found: Assignment, value: string): boolean {
  if (/\$\{|%[sdv@]|\{\d?\}/.test(value)) return !isGeneratedValue(value)
  if (value.length > 256 || !words.test(value) || /["'`]/.test(text[found.nameStart - 1] ?? '')) {
    return false
  }
  if (found.isDotted || isDeclared(text, found.nameStart)) return true
  return /^\\*["'`]\s{0,2}(?:[,;)\]}+?:|&.]|as\b|in\b)/.test(text.slice(found.end, found.end + 8))
}

/** Whether the name is declared or is a member: `const token`, `this.token`, `$token`, `[token]`. */
function isDeclared(text: string, nameStart: number): boolean {
  return declared.test(text.slice(Math.max(0, nameStart - 10), nameStart))
}

const declared =
  /(?:\b(?:const|let|var|val|final|static|readonly|public|private|def|set|if|return)\s|[.$@[]|->|::)$/
const identifier = /^[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)*[!?]?$/
/** A call, an element, a closing bracket after a name; a regular expression, a template, a grammar. */
const codeStart =
  /^(?:[A-Za-z_$][\w$.?]*[([<!)\],;]|\/[\^([\\]|\$\{|\d?\*|<|(?:new|await|async|typeof|function|null|true|false|this|self|return|not)\b)/

/** Whether the value is source code: a call, a name, a member (`this.token`), an open bracket. */
function isCode(text: string, found: Assignment, value: string): boolean {
  const { separator, nameStart, end } = found
  const isSpaced = separator.endsWith(' ')
  if (separator === ':' && text[nameStart - 1] === ':') return !isGeneratedValue(value)
  const isName = identifier.test(value) && !isGeneratedValue(value)
  if (isName && (isSpaced || !/\d/.test(value)) && /[;,)\]}]/.test(text[end] ?? '')) return true
  if (isName && !/\d/.test(value)) {
    if (isDeclared(text, nameStart)) return true
    if (isSpaced && (/[._$]|[a-z][A-Z]/.test(value) || isMember(value))) return true
  }
  if (/^[A-Za-z_$][\w$.]*[([]$/.test(value) && /["'`]/.test(text[end] ?? '')) return true
  if (/^[A-Za-z_.]+\):?$/.test(value)) return true
  if (!isSpaced) return /^\$\{|^</.test(value)
  if (/^[A-Za-z_$][\w$.]*\(|^\$[A-Za-z_]|^[[({]/.test(value)) return true
  return (codeStart.test(value) || isMember(value)) && !isGeneratedValue(value)
}

/** Whether it is prose or a type: "Secrets: rotate them", "credentials: Credentials". */
function isProse(text: string, { name, end, separator }: Assignment, value: string): boolean {
  if (separator !== ': ' || !/^[A-Za-z]+$/.test(value)) return false
  if (/^[A-Z]/.test(value) && value.toLowerCase() === name.toLowerCase()) return true
  return !isGenerated(value, 0, value.length) && /^ [A-Za-z(]/.test(text.slice(end, end + 2))
}

/** Whether an argument is a flag whose value is secret, such as `--api-key`. */
export function isSecretFlag(argument: string): boolean {
  return /^--?[A-Za-z][\w-]*$/.test(argument) && isSecretName(argument) && !namesReference(argument)
}
