// What the words before a brace or semicolon of C and C++ define.
import { closing, closingAngle, commaPieces } from '../../brackets.ts'
import { marksOf, wordChars } from '../../marks.ts'
import type { SymbolSink } from '../../sink.ts'

export interface Named {
  name: string
  at: number
}

export interface TypeHead extends Named {
  kind: string
  /** No function can have this head. */
  certain: boolean
  /** All parts of `a::b`, which only a namespace defines. */
  path: Named[]
}

const typeWord =
  /(?:^|[^\w.>])(struct|union|class|enum(?:\s+(?:class|struct))?|namespace)\b(?!\s*>)/

/** `struct x`, `class API X<T> final : public Y`, `enum class E : int`, `namespace a::b`. */
export function typeHead(text: string): TypeHead | undefined {
  // Most heads are those of functions.
  if (!typeWord.test(text)) return undefined
  const flat = withoutParentheses(text)
  const found = typeWord.exec(flat)
  if (found === null) return undefined
  const word = (found[1] as string).startsWith('enum') ? 'enum' : (found[1] as string)
  const from = found.index + found[0].length
  const rest = flat.slice(from)
  const end = headEnd.exec(rest)?.index ?? rest.length
  const own = withoutAngles(rest.slice(0, end))
  const path = word === 'namespace' ? namesIn(own, from) : []
  const last = path.at(-1) ?? lastName(own, from)
  return { kind: word, name: last.name, at: last.at, certain: !rest.includes('('), path }
}

const headEnd = /(?<!:):(?!:)|\bfinal\b|[;{]/

function namesIn(text: string, at: number): Named[] {
  return Array.from(text.matchAll(/[A-Za-z_\x80-\xff][\w\x80-\xff]*/g), (match) => ({
    name: match[0],
    at: at + match.index,
  }))
}

/** The last name of a text, or none. */
function lastName(text: string, at: number): Named {
  let end = text.length
  while (end > 0 && !isNameCode(text.charCodeAt(end - 1))) end--
  let start = end
  while (start > 0 && isNameCode(text.charCodeAt(start - 1))) start--
  while (start < end && isDigit(text.charCodeAt(start))) start++
  return { name: text.slice(start, end), at: at + start }
}

/** What parentheses hold blanked; they themselves stay. */
function withoutParentheses(text: string): string {
  let flat = text
  for (let open = flat.indexOf('('); open !== -1; open = flat.indexOf('(', open + 1)) {
    const inside = Math.max(0, closing(flat, open) - open - 2)
    flat = flat.slice(0, open + 1) + ' '.repeat(inside) + flat.slice(open + 1 + inside)
  }
  return flat
}

/** Template arguments blanked. */
function withoutAngles(text: string): string {
  let clean = text
  for (let at = clean.indexOf('<'); at !== -1; at = clean.indexOf('<', at + 1)) {
    const end = closingAngle(clean, at)
    if (end > at) clean = clean.slice(0, at) + ' '.repeat(end - at) + clean.slice(end)
  }
  return clean
}

const notFunctions = new Set(
  (
    'if for while switch return sizeof catch decltype noexcept throw defined alignof typeof __typeof__ ' +
    'static_assert new delete else do case co_return co_await'
  ).split(' '),
)

export interface FunctionName extends Named {
  /** Not the type of a pointer to a function. */
  plain: boolean
}

/** The name of the function that this is the head of: the first one behind a type, else the first. */
export function functionName(text: string): FunctionName | undefined {
  const head = beforeInitialisers(text)
  const hasOperator = head.includes('operator')
  let first: FunctionName | undefined
  for (let open = head.indexOf('('); open !== -1;) {
    const found = nameBefore(head, open, hasOperator)
    if (found !== undefined && !notFunctions.has(found.name)) {
      const plain = !pointerStart.test(head.slice(open, open + 60))
      const name = { name: found.name, at: found.at, plain }
      if (standsBehindType(head, found.at) && !isMacroBefore(head, found.name, open)) return name
      if (first === undefined || isMacro(first.name)) first = name
    }
    // `operator()(...)` has a second pair.
    const end = found?.name === 'operator()' ? head.indexOf(')', open) + 1 : closing(head, open)
    open = head.indexOf('(', Math.max(open + 1, end))
  }
  return first
}

const pointerStart = /^\(\s*(?:[A-Za-z_]\w*\s*::\s*)*[*&^]/

const isMacro = (name: string): boolean => /^[A-Z][A-Z0-9_]+$/.test(name)

/** A macro with arguments in front of a function's name, not the function itself. */
function isMacroBefore(head: string, name: string, open: number): boolean {
  if (!isMacro(name)) return false
  const next = /^\s*(?:[\w*&]+\s+)*[*&]?([A-Za-z_]\w*)\s*\(/.exec(
    head.slice(closing(head, open)).slice(0, 200),
  )
  return next !== null && !isMacro(next[1] as string) && !(next[1] as string).startsWith('__')
}

const nameCodes = marksOf(wordChars, 1)
const isNameCode = (code: number): boolean => nameCodes[code] === 1

/** What is called or declared with this parenthesis: a name, a destructor, an operator. */
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

/** What `A<B, C>::` may consist of. */
const qualifierCodes = marksOf(`${wordChars}\t\n\v\f\r <>,~`)
for (let code = 0x0e; code < 0x20; code++) qualifierCodes[code] = 1

/** Whether a word of a type, a star or the like stands before the name and its qualifiers. */
function standsBehindType(head: string, at: number): boolean {
  let before = at
  for (let qualifier = true; qualifier;) {
    while (before > 0 && head.charCodeAt(before - 1) <= 0x20) before--
    qualifier = before > 1 && head.startsWith('::', before - 2)
    if (!qualifier) break
    before -= 2
    while (before > 0 && qualifierCodes[head.charCodeAt(before - 1)] === 1) {
      // The qualifier itself, up to the space before it.
      if (head.charCodeAt(before - 1) <= 0x20 && !head.slice(before, at).startsWith('<')) break
      before--
    }
  }
  if (before === 0) return false
  const last = head.charCodeAt(before - 1)
  // A star, an ampersand, an angle or a square bracket.
  return isNameCode(last) || last === 0x2a || last === 0x26 || last === 0x3e || last === 0x5d
}

/** Without what a constructor initialises behind a colon. */
function beforeInitialisers(text: string): string {
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', colon + 1)) {
    if (text.startsWith('::', colon)) colon++
    else if (isBehindArguments(text, colon)) return text.slice(0, colon)
  }
  return text
}

/** Whether only words such as `noexcept` stand between this place and a parenthesis before it. */
function isBehindArguments(text: string, at: number): boolean {
  for (let before = at - 1; before >= 0 && before >= at - 61; before--) {
    const code = text.charCodeAt(before)
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

/** Names that a declaration declares; `typed` when its type stands in the text. */
export function declaredNames(text: string, typed: boolean, sink: SymbolSink): Named[] {
  const names: Named[] = []
  for (const [index, piece] of commaPieces(withoutAngles(text), sink).entries()) {
    const name = declarator(piece.text, typed && index === 0)
    if (name !== undefined) names.push({ name: name.name, at: piece.at + name.at })
  }
  return names
}

const pointerName = /\(\s*(?:[A-Za-z_]\w*\s*::\s*)*[*&^]+\s*(?:const\s+)?([A-Za-z_]\w*)/

/** `*x[4]`, `(*call)(int)`, `bits : 3`, `x = 1`. */
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

/** Where the value, the bits, the arguments or the dimensions begin. */
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

/** Whether a name stands before this place. */
function hasName(text: string, to: number): boolean {
  for (let at = 0; at < to; at++) {
    const code = text.charCodeAt(at)
    if (isNameCode(code) && !isDigit(code)) return true
  }
  return false
}
