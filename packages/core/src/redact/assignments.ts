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
  nameKind,
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
  const lines = lineEnds(text)
  let done = 0
  for (const at of separatorPositions(text)) {
    if (at < done) continue
    const ends = text[at] === '-' ? flagEnds(text, at) : nameEnds(text, at)
    const assignment = ends && assignmentAt(text, ends.name, ends.dotted, lines)
    if (assignment === undefined) continue
    const isSecret = holdsSecret(text, assignment)
    yield { ...assignment, isSecret }
    // A public value may contain another assignment; a long one is not scanned again.
    const isDone = isSecret || assignment.end - assignment.start > 256
    done = isDone ? assignment.end : assignment.start
  }
}

/** The positions of `=`, `:`, `%3` and `--` in order: `indexOf` is the cheapest scan of a text. */
function* separatorPositions(text: string): Iterable<number> {
  const signs = ['=', ':', '%3', '--']
  const next = signs.map((sign) => text.indexOf(sign))
  for (;;) {
    let first = -1
    for (let index = 0; index < signs.length; index++) {
      const at = next[index] ?? -1
      if (at !== -1 && (first === -1 || at < (next[first] ?? -1))) first = index
    }
    if (first === -1) return
    const at = next[first] ?? 0
    yield at
    next[first] = text.indexOf(signs[first] ?? '', at + 1)
  }
}

interface NameEnds {
  /** The end of the name that announces a secret. */
  name: number
  /** The end of the last of the names that dots join. */
  dotted: number
}

/** The name before a separator, if it announces a secret: skips spaces, a bracket and a quote. */
function nameEnds(text: string, at: number): NameEnds | undefined {
  let end = at
  while (end > at - maxSpaces && isBlank(text.charCodeAt(end - 1))) end--
  if (text.startsWith('%22', end - 3)) end -= 3
  if (text[end - 1] === ']') end--
  if (isQuote(text.charCodeAt(end - 1))) {
    end--
    while (end > at - maxSpaces && text[end - 1] === '\\') end--
  }
  const start = startOfName(text, end)
  // `⟦secret:` is the start of a placeholder.
  if (end - start < 3 || text[start - 1] === '⟦') return undefined
  if (hasSecretKind(text, start, end)) return { name: end, dotted: end }
  return text[at] === '=' ? dottedEnds(text, end) : undefined
}

const maxSpaces = 64

function isBlank(code: number): boolean {
  return code === 32 || code === 9
}

function isQuote(code: number): boolean {
  return code === 34 || code === 39 || code === 96
}

/** `auth.token.value=`: the name before a dot. */
function dottedEnds(text: string, dotted: number): NameEnds | undefined {
  for (let end = dotted; end > dotted - maxNameLength;) {
    const start = startOfName(text, end)
    if (hasSecretKind(text, start, end)) return { name: end, dotted }
    if (text[start - 1] !== '.') return undefined
    end = start - 1
  }
  return undefined
}

/** `--token value` */
function flagEnds(text: string, at: number): NameEnds | undefined {
  const end = endOf(flagName, text, at)
  if (end - at < 5 || !isBlank(text.charCodeAt(end))) return undefined
  return hasSecretKind(text, at, end) ? { name: end, dotted: end } : undefined
}

const flagName = /--[A-Za-z][\w-]{1,126}/y

/** Kinds of names that occurred; programs repeat their names. */
const kinds = new Map<string, NameKind | undefined>()
const maxKinds = 4096

function kindOf(name: string): NameKind | undefined {
  const cached = kinds.get(name)
  if (cached !== undefined || kinds.has(name)) return cached
  if (kinds.size >= maxKinds) kinds.clear()
  const kind = nameKind(name)
  kinds.set(name, kind)
  return kind
}

/** Short names announce a secret only in a query or a connection string. */
function hasSecretKind(text: string, start: number, end: number): boolean {
  const name = text.slice(start, end)
  if (kindOf(name) === undefined) return false
  return !/^(?:sig|code|sid)$/i.test(name) || /[?&;]/.test(text.charAt(start - 1))
}

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
  const kind = kindOf(name)
  if (kind === undefined) return undefined
  const isEncoded = separator.startsWith('%')
  const isDotted = text[nameEnd] === '.'
  return { name, nameStart, isDotted, kind, separator, ...valueAt(text, start, isEncoded, lines) }
}

/** Names have no length limit; only this many characters are examined. */
const maxNameLength = 128

function startOfName(text: string, end: number): number {
  let start = end
  while (start > end - maxNameLength && isNameCode(text.charCodeAt(start - 1))) start--
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
  if (separator.endsWith('=>') && !/["'`]/.test(text.charAt(start))) return undefined
  const sign = separator.endsWith(':') ? ':' : /%3.$/.test(separator) ? '%' : '='
  return { start, separator: isSpaced ? `${sign} ` : sign }
}

/** `auth.token.value=...`; `nameEnds` accepts no colon, because of `token.ts:12:` in search results. */
function dottedSeparator(text: string, nameEnd: number, dottedEnd: number): Separated | undefined {
  return text[nameEnd] === '.' ? separatorAfter(text, dottedEnd) : undefined
}

function holdsSecret(text: string, found: Assignment): boolean {
  const { name, kind, start, end, quoted, separator } = found
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

/** The pattern is in the function: V8 parses it when it is created, and its classes take 0.4 ms. */
function isWords(value: string): boolean {
  return /^[\p{L}\p{M}][\p{L}\p{M}\p{P}\p{Zs}|<>$+=]*$/u.test(value)
}

/**
 * Whether a quoted value is a string of source code: words after a name without quotes, followed by the
 * punctuation of code, or a string that a program builds.
 */
function isCodeString(text: string, found: Assignment, value: string): boolean {
  if (/\$\{|%[sdv@]|\{\d?\}|^\s*[+,)\];]/.test(value)) return !isGeneratedValue(value)
  const isNameQuoted = /["'`]/.test(text.charAt(found.nameStart - 1))
  if (!isNameQuoted && found.separator.endsWith(' ') && /^[A-Za-z]\w*(?:[_.-]\w+)+$/.test(value)) {
    return !isGeneratedValue(value)
  }
  if (value.length > 256 || !isWords(value) || isNameQuoted) {
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
/** A value in code without spaces. */
const minifiedCode =
  /^(?:!|(?:null|true|false|void|function|new|this|await|async|typeof)\b|[A-Za-z_$][\w$.]{0,30}[([]|\(\)|[A-Za-z_$]{1,3}=>|[\w$]{1,3}[,;})\]])/
const identifier = /^[A-Za-z_$][\w$]*(?:(?:\??\.|::|->)[A-Za-z_$][\w$]*)*[!?]?$/
/** A call, an element, a closing bracket after a name; a regular expression, a template, a grammar. */
const codeStart =
  /^(?:[A-Za-z_$][\w$.?]*[([<!)\],;]|\/[\^([\\*]|\$\{|\d?\*|<|(?:new|await|async|typeof|function|null|true|false|this|self|return|not)\b)/

/** An operator after a name, as in `token: first or second`. */
const operator = / (?:[?|&+*<>=!-]|in |or |if |as )/y

/** Whether the value is source code: a call, a name, a member (`this.token`), an open bracket. */
function isCode(text: string, found: Assignment, value: string): boolean {
  const { separator, nameStart, end } = found
  const isSpaced = separator.endsWith(' ')
  if (separator === ':' && text[nameStart - 1] === ':') return !isGeneratedValue(value)
  const isName = identifier.test(value) && (value.includes('.') || !isGeneratedValue(value))
  if (isName && (isSpaced || !/\d/.test(value)) && /[;,)\]}]/.test(text.charAt(end))) return true
  if (isName && isSpaced && endOf(operator, text, end) !== 0) return true
  if (isName && !/\d/.test(value)) {
    if (isDeclared(text, nameStart)) return true
    if (isSpaced && /[._$]|[a-z][A-Z]/.test(value)) return true
  }
  if (/^[A-Za-z_$][\w$.]*[([]$/.test(value) && /["'`]/.test(text.charAt(end))) return true
  if (/^[A-Za-z_][\w.]*\):?$/.test(value) && !isGeneratedValue(value.slice(0, -2))) return true
  if (!isSpaced)
    return /^\$\{|^</.test(value) || (minifiedCode.test(value) && !/^[A-Z_]+$/.test(found.name))
  if (/^[A-Za-z_$][\w$.:]*\(|^\$[A-Za-z_]|^[[({]|^\\[a-z]/.test(value)) return true
  const [name = ''] = /^[A-Za-z_$][\w$.:]*(?=[<([])/.exec(value) ?? []
  if (name !== '' && !isGeneratedValue(name)) return true
  return (codeStart.test(value) || isMember(value)) && !isGeneratedValue(value)
}

/** Whether it is prose or a type: "Secrets: rotate them", "credentials: Credentials". */
function isProse(text: string, { end, separator }: Assignment, value: string): boolean {
  if (separator !== ': ' || !/^[A-Za-z]+$/.test(value)) return false
  if (isGenerated(value, 0, value.length)) return false
  return text[end] === ' ' && /[A-Za-z(]/.test(text.charAt(end + 1))
}

/** Whether an argument is a flag whose value is secret, such as `--api-key`. */
export function isSecretFlag(argument: string): boolean {
  return /^--?[A-Za-z][\w-]*$/.test(argument) && isSecretName(argument) && !namesReference(argument)
}
