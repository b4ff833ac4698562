// Parses the heads of C and C++ definitions: the text before a brace or semicolon.
import { afterClosing, splitAtCommas, withoutAngles } from '../../brackets.ts'
import { markTable, wordChars } from '../../marks.ts'
import type { SymbolSink } from '../../sink.ts'

export interface Named {
  name: string
  at: number
}

export interface TypeHead extends Named {
  kind: string
  /** The head cannot be that of a function. */
  isCertain: boolean
  /** All parts of `a::b`; only namespaces have them. */
  path: Named[]
}

const typeWord =
  /(?:^|[^\w.>])(struct|union|class|enum(?:\s+(?:class|struct))?|namespace)\b(?!\s*>)/

/**
 * Parses `struct x`, `class API X<T> final : public Y`, `enum class E : int` or `namespace a::b`.
 */
export function typeHead(text: string): TypeHead | undefined {
  // Fast path: most heads are those of functions.
  if (!typeWord.test(text)) return undefined
  const flat = withoutParentheses(text)
  const found = typeWord.exec(flat)
  if (found === null) return undefined
  const word = (found[1] as string).startsWith('enum') ? 'enum' : (found[1] as string)
  const from = found.index + found[0].length
  const rest = flat.slice(from)
  const end = headEnd.exec(rest)?.index ?? rest.length
  const declared = withoutAngles(rest.slice(0, end))
  const path = word === 'namespace' ? namesIn(declared, from) : []
  const last = path.at(-1) ?? lastName(declared, from)
  return { kind: word, name: last.name, at: last.at, isCertain: !rest.includes('('), path }
}

const headEnd = /(?<!:):(?!:)|\bfinal\b|[;{]/

function namesIn(text: string, at: number): Named[] {
  return Array.from(text.matchAll(/[A-Za-z_\x80-\xff][\w\x80-\xff]*/g), (match) => ({
    name: match[0],
    at: at + match.index,
  }))
}

/** The last name in a text; empty if there is none. */
function lastName(text: string, at: number): Named {
  let end = text.length
  while (end > 0 && !isNameCode(text.charCodeAt(end - 1))) end--
  let start = end
  while (start > 0 && isNameCode(text.charCodeAt(start - 1))) start--
  while (start < end && isDigit(text.charCodeAt(start))) start++
  return { name: text.slice(start, end), at: at + start }
}

/** Blanks the contents of parentheses. */
function withoutParentheses(text: string): string {
  let flat = text
  for (let open = flat.indexOf('('); open !== -1; open = flat.indexOf('(', open + 1)) {
    const inside = Math.max(0, afterClosing(flat, open) - open - 2)
    flat = flat.slice(0, open + 1) + ' '.repeat(inside) + flat.slice(open + 1 + inside)
  }
  return flat
}

const notFunctions = new Set(
  (
    'if for while switch return sizeof catch decltype noexcept throw defined alignof typeof __typeof__ ' +
    'static_assert new delete else do case co_return co_await'
  ).split(' '),
)

export interface FunctionName extends Named {
  /** False for a pointer to a function. */
  isFunction: boolean
}

/** The name of the function in this head: the first name after a type, otherwise the first name. */
export function functionName(text: string): FunctionName | undefined {
  const head = beforeInitialisers(text)
  const hasOperator = head.includes('operator')
  let first: FunctionName | undefined
  for (let open = head.indexOf('('); open !== -1;) {
    const found = nameBefore(head, open, hasOperator)
    if (found !== undefined && !notFunctions.has(found.name)) {
      const isFunction = !pointerStart.test(head.slice(open, open + 60))
      const name = { name: found.name, at: found.at, isFunction }
      if (followsType(head, found.at) && !isMacroBefore(head, found.name, open)) return name
      if (first === undefined || isMacro(first.name)) first = name
    }
    // `operator()(...)` has two pairs of parentheses.
    const end =
      found?.name === 'operator()' ? head.indexOf(')', open) + 1 : afterClosing(head, open)
    open = head.indexOf('(', Math.max(open + 1, end))
  }
  return first
}

const pointerStart = /^\(\s*(?:[A-Za-z_]\w*\s*::\s*)*[*&^]/

const isMacro = (name: string): boolean => /^[A-Z][A-Z0-9_]+$/.test(name)

/** Whether the name is a macro with arguments before the function's name. */
function isMacroBefore(head: string, name: string, open: number): boolean {
  if (!isMacro(name)) return false
  const next = /^\s*(?:[\w*&]+\s+)*[*&]?([A-Za-z_]\w*)\s*\(/.exec(
    head.slice(afterClosing(head, open)).slice(0, 200),
  )
  return next !== null && !isMacro(next[1] as string) && !(next[1] as string).startsWith('__')
}

const nameCodes = markTable(wordChars, 1)
const isNameCode = (code: number): boolean => nameCodes[code] === 1

/** The name before a parenthesis: an identifier, a destructor or an operator. */
function nameBefore(head: string, open: number, hasOperator: boolean): Named | undefined {
  let end = open
  while (end > 0 && head.charCodeAt(end - 1) <= 0x20) end--
  let at = end
  while (at > 0 && isNameCode(head.charCodeAt(at - 1))) at--
  const operator =
    hasOperator &&
    /\boperator\s*(?:\(\s*\)|\[\s*\]|[^\w\s()[\]]{1,3}|(?:new|delete)(?:\s*\[\s*\])?|[A-Za-z_][\w\s:*&<>]{0,80})?$/.exec(
      head.slice(Math.max(0, end - 100), end),
    )
  if (operator !== false && operator !== null) {
    const name = operator[0].replace(/\s+/g, ' ')
    return {
      name: name === 'operator' ? 'operator()' : name,
      at: Math.max(0, end - 100) + operator.index,
    }
  }
  if (at === end || head.charCodeAt(at) < 0x3a) return undefined
  if (at > 0 && head.charCodeAt(at - 1) === 0x7e) at--
  return { name: head.slice(at, end), at }
}

/** The characters of a qualifier such as `A<B, C>::`. */
const qualifierCodes = markTable(`${wordChars}\t\n\v\f\r <>,~`)
for (let code = 0x0e; code < 0x20; code++) qualifierCodes[code] = 1

/** Whether a type, a star or the like precedes the name and its qualifiers. */
function followsType(head: string, at: number): boolean {
  let end = at
  for (let qualifier = true; qualifier;) {
    while (end > 0 && head.charCodeAt(end - 1) <= 0x20) end--
    qualifier = end > 1 && head.startsWith('::', end - 2)
    if (!qualifier) break
    end -= 2
    while (end > 0 && qualifierCodes[head.charCodeAt(end - 1)] === 1) {
      // A space ends the qualifier.
      if (head.charCodeAt(end - 1) <= 0x20 && !head.slice(end, at).startsWith('<')) break
      end--
    }
  }
  if (end === 0) return false
  const last = head.charCodeAt(end - 1)
  // A star, an ampersand, an angle bracket or a square bracket.
  return isNameCode(last) || last === 0x2a || last === 0x26 || last === 0x3e || last === 0x5d
}

/** The head without the member initializers of a constructor. */
function beforeInitialisers(text: string): string {
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    if (text.startsWith('::', colon)) colon++
    else if (followsArguments(text, colon)) return text.slice(0, colon)
  }
  return text
}

/** Whether only words such as `noexcept` are between `at` and a closing parenthesis. */
function followsArguments(text: string, at: number): boolean {
  for (let offset = at - 1; offset >= 0 && offset >= at - 61; offset--) {
    const code = text.charCodeAt(offset)
    if (code === 0x29) return true
    if (code > 0x20 && !(code < 0x80 && isNameCode(code))) return false
  }
  return false
}

const notNames = new Set(
  (
    'int char short long float double void unsigned signed const volatile static struct union enum class ' +
    'register inline bool auto restrict extern mutable constexpr default delete override final noexcept'
  ).split(' '),
)

/** The names in a declaration. `typed`: the text includes the type. */
export function declaredNames(text: string, typed: boolean, sink: SymbolSink): Named[] {
  const names: Named[] = []
  for (const [index, piece] of splitAtCommas(withoutAngles(text), sink).entries()) {
    const name = declarator(piece.text, typed && index === 0)
    if (name !== undefined) names.push({ name: name.name, at: piece.at + name.at })
  }
  return names
}

const pointerName = /\(\s*(?:[A-Za-z_]\w*\s*::\s*)*[*&^]+\s*(?:const\s+)?([A-Za-z_]\w*)/

/** Parses `*x[4]`, `(*call)(int)`, `bits : 3` or `x = 1`. */
function declarator(text: string, needsType: boolean): Named | undefined {
  const pointer = text.includes('(') ? pointerName.exec(text) : null
  if (pointer !== null) {
    const name = pointer[1] as string
    return { name, at: pointer.index + pointer[0].length - name.length }
  }
  const end = declaratorEnd(text)
  let last = end
  while (last > 0 && !isNameCode(text.charCodeAt(last - 1))) last--
  let at = last
  while (at > 0 && isNameCode(text.charCodeAt(at - 1))) at--
  while (at < last && isDigit(text.charCodeAt(at))) at++
  if (at === last) return undefined
  const name = text.slice(at, last)
  if (notNames.has(name)) return undefined
  return needsType && !hasName(text, at) ? undefined : { name, at }
}

/** Offset of the value, the bit width, the arguments or the dimensions. */
function declaratorEnd(text: string): number {
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x3d || char === 0x28 || char === 0x5b) return at
    if (char !== 0x3a) continue
    if (!text.startsWith('::', at)) return at
    at++
  }
  return text.length
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39
}

/** Whether a name precedes offset `to`. */
function hasName(text: string, to: number): boolean {
  for (let at = 0; at < to; at++) {
    const code = text.charCodeAt(at)
    if (isNameCode(code) && !isDigit(code)) return true
  }
  return false
}
