// JavaScript and TypeScript: classes with their methods and functions that are assigned to something; with
// all detail also fields, properties and names in enumerations. Keywords are in the table below.
import { closing, closingAngle, commaPieces, Effort, LONGEST_HEAD } from './brackets.ts'
import { addDeclarations } from './script-declarations.ts'
import type { SymbolSink } from './sink.ts'
import { row, starts } from './starts.ts'

const name = String.raw`([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)`
const lead = String.raw`(?:(?:export|default|declare|abstract|async)\s+)*`
const callable = String.raw`(?:async\b\s*)?(?:function\b|\(|<[^<>()\n]{1,200}>\s*\(|[A-Za-z_$][\w$]*\s*=>)`
const typed = String.raw`(?:\s*:[^=;{}()\n]{1,300}|\s*:[^=;{}\n]{0,200}=>[^=;{}\n]{1,200})?`
const arrow = String.raw`(?:async\b\s*)?(?:\([^()\n]{0,300}\)|[\w$]+)\s*=>`

export const scriptStarts = starts(
  'export default declare abstract async function class interface namespace module enum const type let var exports this',
  [
    row(String.raw`${lead}(function)\b\s*\*?\s*${name}`),
    row(String.raw`${lead}(class)\s+(?!extends\b|implements\b)${name}`),
    row(String.raw`${lead}(interface|namespace|module)\s+${name}(?=[\w$.]*\s*(?:[<{]|extends\b))`),
    row(String.raw`${lead}(?:const\s+)?(enum)\s+${name}(?=\s*\{)`),
    row(String.raw`${lead}(type)\s+${name}(?=\s*[<=])`),
    row(String.raw`${lead}(const|let|var)\s+${name}(?=${typed}\s*=\s*${callable})`),
    row(String.raw`(?:export\s+|declare\s+)*(const|let|var)\s+(?=[[{A-Za-z_$\x80-\xff])()`, {
      all: true,
      others: addDeclarations,
    }),
    row(String.raw`(?:module\.exports|exports|this)\.${name}(?=\s*=\s*${arrow})`, {
      kind: 'function',
    }),
  ],
)

export function addScript(sink: SymbolSink, text: string): void {
  const effort = new Effort(text)
  for (let at = text.indexOf('class'); at !== -1; at = text.indexOf('class', at + 5)) {
    if (!isWord(text, at, 5)) continue
    const open = bodyStart(text, at + 5)
    if (open === -1) continue
    addOwnName(sink, text, at + 5, 'class')
    if (!addClassMembers(sink, text, open, effort)) break
  }
  for (let at = text.indexOf('function'); at !== -1; at = text.indexOf('function', at + 8)) {
    if (!isWord(text, at, 8)) continue
    const isNamed = addOwnName(sink, text, at + 8, 'function')
    addAssigned(sink, text, at, isNamed)
  }
  addLiteralMethods(sink, text)
  if (sink.wantsAll) addDeclared(sink, text, effort)
}

const ownName = /(?:\s*\*\s*|\s+)(?!extends\b|implements\b)([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)/y

/** A function or class may have a name of its own also where it is a value. */
function addOwnName(sink: SymbolSink, text: string, at: number, kind: string): boolean {
  ownName.lastIndex = at
  const found = ownName.exec(text)
  if (found === null) return false
  const name = found[1] as string
  sink.add(kind, name, at + found[0].length - name.length)
  return true
}

const methodHead =
  /(?:async[ \t]+)?(?:(?:get|set)[ \t]+)?(?:\*[ \t]*)?([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)\(/y

/** `name(...) {` at the beginning of a line is nothing but a method, keywords apart. */
function addLiteralMethods(sink: SymbolSink, text: string): void {
  for (let brace = text.indexOf('{'); brace !== -1; brace = text.indexOf('{', brace + 1)) {
    // A body begins at the end of a line, behind parameters or a type.
    if (text.charCodeAt(brace + 1) !== 0x0a || text.charCodeAt(brace - 1) !== 0x20) continue
    const before = text.charCodeAt(brace - 2)
    if (before === 0x3e && text.charCodeAt(brace - 3) === 0x3d) continue
    let at = text.lastIndexOf('\n', brace) + 1
    while (text.charCodeAt(at) <= 0x20) at++
    methodHead.lastIndex = at
    const found = methodHead.exec(text)
    if (found === null || notMembers.has(found[1] as string)) continue
    const open = methodHead.lastIndex - 1
    const end = closing(text, open, brace - open)
    const isHead = /^(?:[ \t]*|[ \t]*:[^;={}]{0,200})$/.test(text.slice(end, brace))
    if (isHead) sink.add('method', found[1] as string, open - (found[1] as string).length)
  }
}

function isWord(text: string, at: number, length: number): boolean {
  return !/[\w$.]/.test(text.charAt(at - 1)) && !/[\w$]/.test(text.charAt(at + length))
}

/** `a.b = function` and `b: function`, but not what is declared with a keyword. */
function addAssigned(sink: SymbolSink, text: string, at: number, isNamed: boolean): void {
  const from = Math.max(0, at - 120)
  const found =
    /(?:^|[\n{};,(])[ \t]*((?:[\w$]+\.)*)([A-Za-z_$][\w$]*)\s*([=:])\s*(?:async\s+)?$/.exec(
      text.slice(from, at),
    )
  if (found === null) return
  const [whole, owner, own, mark] = found as unknown as [string, string, string, string]
  if (mark === '=' && (owner === '' || (isNamed && own === 'exports'))) return
  const kind = mark === '=' ? 'function' : 'method'
  sink.add(kind, own, from + found.index + whole.lastIndexOf(own, whole.lastIndexOf(mark)))
}

/** Offset of the brace that opens the body behind a head; -1 when there is none near. */
function bodyStart(text: string, from: number): number {
  for (let at = from; at < text.length && at < from + LONGEST_HEAD; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x7b) return at
    if (code === 0x3c) at = Math.max(at, closingAngle(text, at) - 1)
    else if (code === 0x28 || code === 0x5b) at = closing(text, at, LONGEST_HEAD) - 1
    else if (code === 0x3b || code === 0x7d || code === 0x29 || code === 0x3d) return -1
  }
  return -1
}

const modifiers = String.raw`(?:(?:public|private|protected|static|readonly|abstract|override|async|declare|accessor)\s+)*`
const member = new RegExp(
  String.raw`${modifiers}(?:(?:get|set)\s+)?\*?\s*(#?[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)\s*[?!]?\s*(\(|<|=(?!=|>)|:|;|$)`,
  'my',
)
const notMembers = new Set(
  'if for while switch catch return function new throw else do try typeof await yield super with case'.split(
    ' ',
  ),
)

/** Looks at every line and every place behind a member that is right in the class body. */
function addClassMembers(sink: SymbolSink, text: string, open: number, effort: Effort): boolean {
  let fresh = true
  for (let at = open + 1; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === 0x7d) return effort.spend(at - open)
    if (code === 0x40) {
      // A decorator stands before what it decorates.
      at = decoratorEnd(text, at) - 1
      fresh = true
      continue
    }
    if (fresh && code > 0x20) {
      fresh = false
      member.lastIndex = at
      const found = member.exec(text)
      if (found !== null) addMember(sink, text, found, member.lastIndex)
    }
    if (code === 0x28 || code === 0x5b || code === 0x7b) {
      at = closing(text, at) - 1
      fresh ||= code === 0x7b
    } else if (code === 0x0a || code === 0x3b) fresh = true
  }
  return effort.spend(text.length - open)
}

function decoratorEnd(text: string, at: number): number {
  let end = at + 1
  while (/[\w$.]/.test(text.charAt(end))) end++
  return text.charAt(end) === '(' ? closing(text, end, LONGEST_HEAD) : end
}

function addMember(sink: SymbolSink, text: string, found: RegExpExecArray, end: number): void {
  const [whole, own, mark] = found as unknown as [string, string, string]
  if (notMembers.has(own)) return
  const kind = memberKind(text, mark, end)
  if (kind !== 'method' && !(kind === 'field' && sink.wantsAll)) return
  sink.add(kind, own, found.index + whole.lastIndexOf(own, whole.length - mark.length))
}

function memberKind(text: string, mark: string, end: number): 'method' | 'field' | undefined {
  if (mark === '=') {
    const value = text.slice(end, end + 400)
    const assigned = /^\s*(?:async\b\s*)?(?:function\b|\([^()]*\)\s*(?::[^=;{}]+)?=>|[\w$]+\s*=>)/
    return assigned.test(value) ? 'method' : 'field'
  }
  if (mark !== '(' && mark !== '<') return 'field'
  const open = mark === '(' ? end - 1 : text.indexOf('(', closingAngle(text, end - 1))
  if (open === -1) return undefined
  const close = closing(text, open, LONGEST_HEAD)
  // A body, a type, or the end of a declaration; anything else is a call.
  return /^\s*[{:]|^[ \t]*(?:;|\n|$)/.test(text.slice(close, close + 200)) ? 'method' : undefined
}

/** Members of interfaces and names in enumerations. */
function addDeclared(sink: SymbolSink, text: string, effort: Effort): void {
  for (const match of text.matchAll(/\b(interface|enum)\s+[\w$]+/g)) {
    const open = bodyStart(text, match.index + match[0].length)
    if (open === -1) continue
    const add = match[1] === 'enum' ? addEnumerators : addClassMembers
    if (!add(sink, text, open, effort)) return
  }
}

function addEnumerators(sink: SymbolSink, text: string, open: number, effort: Effort): boolean {
  const end = closing(text, open)
  for (const piece of commaPieces(text.slice(open + 1, end - 1))) {
    const found = /^\s*([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)/.exec(piece.text)
    if (found === null) continue
    const own = found[1] as string
    sink.add('enumerator', own, open + 1 + piece.at + found[0].length - own.length)
  }
  return effort.spend(end - open)
}
