// JavaScript and TypeScript: classes with their methods and functions that are assigned to something; with
// all detail also fields, properties and names in enumerations. Keywords are in the table below.
import {
  closing,
  closingAngle,
  closingByte,
  commaPieces,
  Effort,
  longestHead,
} from '../../brackets.ts'
import { marksOf, wordChars } from '../../marks.ts'
import { addDeclarations } from './declarations.ts'
import type { SymbolSink } from '../../sink.ts'
import { row, starts } from '../../starts.ts'

export { regexLiteral, templateLiteral } from './literals.ts'

const name = String.raw`([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)`
const lead = String.raw`(?:(?:export|default|declare|abstract|async)\s+){0,20}`
const callable = String.raw`(?:async\b\s*)?(?:function\b|\(|<[^<>()\n]{1,200}>\s*\(|[A-Za-z_$][\w$]*\s*=>)`
const typed = String.raw`(?:\s*:[^=;{}()\n]{1,300}|\s*:[^=;{}\n]{0,200}=>[^=;{}\n]{1,200})?`
const arrow = String.raw`(?:async\b\s*)?(?:\([^()\n]{0,300}\)|[\w$]+)\s*=>`
/** As far as a plain pattern looks, unless a list that names are imported or exported by goes on. */
const lineEnd = String.raw`[ \t]*(?:\n(?!\s*[},])|(?![^]))`

export const scriptStarts = starts(
  'function class interface namespace module enum const type let var exports this',
  [
    row(String.raw`${lead}(function)\b\s*(?:\*\s*)?${name}`),
    row(String.raw`${lead}(class)\s+(?!extends\b|implements\b)${name}`),
    row(String.raw`${lead}(interface|namespace|module)\s+${name}(?=[\w$.]*\s*(?:[<{]|extends\b))`),
    row(String.raw`${lead}(?:const\s+)?(enum)\s+${name}(?=\s*\{)`),
    row(String.raw`${lead}(type)\s+${name}(?=\s*[<=])`),
    row(String.raw`(interface|enum|type)\s+${name}(?=${lineEnd})`),
    row(String.raw`${lead}(const|let|var)\s+${name}(?=${typed}\s*=\s*${callable})`),
    row(String.raw`(?:export\s+|declare\s+){0,20}(?:const|let|var)\s+(?=[[{A-Za-z_$\x80-\xff])`, {
      all: true,
      others: addDeclarations,
    }),
    row(String.raw`(?:module\.exports|exports|this)\.${name}(?=\s*=\s*${arrow})`, {
      kind: 'function',
    }),
  ],
  { modifiers: 'export default declare abstract async' },
)

/** A file in both forms, blanked: patterns go over the text, loops over the bytes. */
interface Script {
  text: string
  bytes: Buffer
  sink: SymbolSink
  effort: Effort
}

export function addScript(sink: SymbolSink, text: string, bytes: Buffer): void {
  const script = { text, bytes, sink, effort: new Effort(text, sink) }
  const words = sink.wantsAll ? allWords : outlineWords
  for (words.lastIndex = 0; words.test(text);) {
    const end = words.lastIndex
    if (bytes[end] === dollar) continue
    const last = bytes[end - 1]
    if (last === 0x6e) addFunction(script, end)
    else if (last === 0x73) addClass(script, end)
    else addDeclared(script, end, last === 0x6d)
  }
  addLiteralMethods(script)
}

const outlineWords = /\b(?:class|function)\b/g
const allWords = /\b(?:class|function|interface|enum)\b/g
const dollar = 0x24

/** Not a property or the end of a longer name: `\b` knows neither `.` nor `$`. */
function isPart(bytes: Buffer, at: number): boolean {
  return bytes[at - 1] === 0x2e || bytes[at - 1] === dollar
}

function addFunction(script: Script, end: number): void {
  if (isPart(script.bytes, end - 8)) return
  const isNamed = addOwnName(script, end, 'function')
  addAssigned(script, end - 8, isNamed)
}

function addClass(script: Script, end: number): void {
  const open = isPart(script.bytes, end - 5) ? -1 : bodyStart(script, end)
  if (open === -1) return
  addOwnName(script, end, 'class')
  addMembers(script, open)
}

const nameBehind = /\s+[\w$]+/y

/** Members of an interface or names in an enumeration. */
function addDeclared(script: Script, end: number, isEnum: boolean): void {
  if (isPart(script.bytes, end - (isEnum ? 4 : 9))) return
  nameBehind.lastIndex = end
  if (!nameBehind.test(script.text)) return
  const open = bodyStart(script, nameBehind.lastIndex)
  if (open === -1) return
  if (isEnum) addEnumerators(script, open)
  else addMembers(script, open)
}

const beforeWord = marksOf(`${wordChars}$.`)

const ownName = /(?:\s*\*\s*|\s+)(?!extends\b|implements\b)([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)/y

/** A function or class may have a name of its own also where it is a value. */
function addOwnName({ sink, text }: Script, at: number, kind: string): boolean {
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
function addLiteralMethods({ sink, text, bytes }: Script): void {
  for (let brace = text.indexOf('{'); brace !== -1; brace = text.indexOf('{', brace + 1)) {
    // A body begins at the end of a line, behind parameters or a type.
    if (bytes[brace + 1] !== lf || bytes[brace - 1] !== 0x20) continue
    if (bytes[brace - 2] === 0x3e && bytes[brace - 3] === 0x3d) continue
    methodHead.lastIndex = firstOnLine(bytes, brace)
    const found = methodHead.exec(text)
    if (found === null || notMembers.has(found[1] as string)) continue
    const open = methodHead.lastIndex - 1
    const end = closingByte(bytes, open, brace - open)
    const isHead = /^(?:[ \t]*|[ \t]*:[^;={}]{0,200})$/.test(text.slice(end, brace))
    if (isHead) sink.add('method', found[1] as string, open - (found[1] as string).length)
  }
}

const lf = 0x0a

/** Offset of what its line begins with, white space apart. */
function firstOnLine(bytes: Buffer, from: number): number {
  let at = from
  while (at > 0 && bytes[at - 1] !== lf) at--
  while ((bytes[at] as number) <= 0x20) at++
  return at
}

const assigned = /(?:^|[\n{};,(])[ \t]*((?:[\w$]+\.)*)([A-Za-z_$][\w$]*)\s*([=:])\s*(?:async\s+)?$/

/** `a.b = function` and `b: function`, but not what is declared with a keyword. */
function addAssigned({ sink, text, bytes }: Script, at: number, isNamed: boolean): void {
  if (!isBehindMark(bytes, at)) return
  const from = Math.max(0, at - 120)
  const found = assigned.exec(text.slice(from, at))
  if (found === null) return
  const [whole, owner, own, mark] = found as unknown as [string, string, string, string]
  if (mark === '=' && (owner === '' || (isNamed && own === 'exports'))) return
  const kind = mark === '=' ? 'function' : 'method'
  sink.add(kind, own, from + found.index + whole.lastIndexOf(own, whole.lastIndexOf(mark)))
}

/** Whether `=`, `:` or the end of `async` stands before this place. */
function isBehindMark(bytes: Buffer, at: number): boolean {
  let before = at - 1
  while (before >= 0 && isSpace(bytes[before] as number)) before--
  const byte = bytes[before]
  return byte === 0x3d || byte === 0x3a || byte === 0x63
}

function isSpace(byte: number): boolean {
  return byte <= 0x20 || byte === 0xa0
}

/** Offset of the brace that opens the body behind a head; -1 when there is none near. */
function bodyStart({ text, bytes }: Script, from: number): number {
  const end = Math.min(bytes.length, from + longestHead)
  for (let at = from; at < end; at++) {
    const code = bytes[at]
    if (code === 0x7b) return at
    if (code === 0x3c) at = Math.max(at, closingAngle(text, at) - 1)
    else if (code === 0x28 || code === 0x5b) at = closingByte(bytes, at, longestHead) - 1
    else if (code === 0x3b || code === 0x7d || code === 0x29 || code === 0x3d) return -1
  }
  return -1
}

const modifiers = String.raw`(?:(?:public|private|protected|static|readonly|abstract|override|async|declare|accessor)\s+){0,20}`
const member = new RegExp(
  String.raw`${modifiers}(?:(?:get|set)\s+)?(?:\*\s*)?(#?[A-Za-z_$\x80-\xff][\w$\x80-\xff]*)\s*(?:[?!]\s*)?(\(|<|=(?!=|>)|:|;|$)`,
  'my',
)
const notMembers = new Set(
  'if for while switch catch return function new throw else do try typeof await yield super with case'.split(
    ' ',
  ),
)

/** Looks at every line and every place behind a member that is right in the body of a type. */
function addMembers(script: Script, open: number): void {
  const { text, bytes, effort } = script
  if (!effort.allowsMore()) return
  let fresh = true
  for (let at = open + 1; at < bytes.length; at++) {
    const code = bytes[at] as number
    if (code === 0x7d) {
      effort.spend(at - open)
      return
    }
    if (code === 0x40) {
      // A decorator stands before what it decorates.
      at = decoratorEnd(bytes, at) - 1
      fresh = true
      continue
    }
    if (fresh && code > 0x20) {
      fresh = false
      member.lastIndex = at
      const found = member.exec(text)
      if (found !== null) addMember(script, found, member.lastIndex)
    }
    if (code === 0x28 || code === 0x5b || code === 0x7b) {
      at = closingByte(bytes, at) - 1
      fresh ||= code === 0x7b
    } else if (code === lf || code === 0x3b) fresh = true
  }
  effort.spend(bytes.length - open)
}

function decoratorEnd(bytes: Buffer, at: number): number {
  let end = at + 1
  while (beforeWord[bytes[end] as number] === 1) end++
  return bytes[end] === 0x28 ? closingByte(bytes, end, longestHead) : end
}

function addMember({ sink, text }: Script, found: RegExpExecArray, end: number): void {
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
  const close = closing(text, open, longestHead)
  // A body, a type, or the end of a declaration; anything else is a call.
  return /^\s*[{:]|^[ \t]*(?:;|\n|$)/.test(text.slice(close, close + 200)) ? 'method' : undefined
}

function addEnumerators({ sink, text, bytes, effort }: Script, open: number): void {
  if (!effort.allowsMore()) return
  const end = closingByte(bytes, open)
  effort.spend(end - open)
  for (const piece of commaPieces(text.slice(open + 1, end - 1), sink)) {
    const found = /^\s*([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)/.exec(piece.text)
    if (found === null) continue
    const own = found[1] as string
    sink.add('enumerator', own, open + 1 + piece.at + found[0].length - own.length)
  }
}
