// JavaScript and TypeScript: classes with their methods and functions assigned to names. In full
// detail also fields, properties and enumerators. The table below covers keywords.
import {
  afterClosing,
  afterClosingAngle,
  afterClosingByte,
  splitAtCommas,
  WorkBudget,
  maxHeadChars,
} from '../../brackets.ts'
import { markTable, wordChars } from '../../marks.ts'
import { addDeclarations } from './declarations.ts'
import type { SymbolSink } from '../../sink.ts'
import { row, starts } from '../../starts.ts'

export { regexLiteral, templateLiteral } from './literals.ts'

const name = String.raw`([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)`
const lead = String.raw`(?:(?:export|default|declare|abstract|async)\s+){0,20}`
const callable = String.raw`(?:async\b\s*)?(?:function\b|\(|<[^<>()\n]{1,200}>\s*\(|[A-Za-z_$][\w$]*\s*=>)`
const typed = String.raw`(?:\s*:[^=;{}()\n]{1,300}|\s*:[^=;{}\n]{0,200}=>[^=;{}\n]{1,200})?`
const arrow = String.raw`(?:async\b\s*)?(?:\([^()\n]{0,300}\)|[\w$]+)\s*=>`
/** The end of the line, unless an import or export list continues. */
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
      detailOnly: true,
      addRest: addDeclarations,
    }),
    row(String.raw`(?:module\.exports|exports|this)\.${name}(?=\s*=\s*${arrow})`, {
      kind: 'function',
    }),
  ],
  { modifiers: 'export default declare abstract async' },
)

/** A file in both forms, blanked: patterns run on the text, loops on the bytes. */
interface Script {
  text: string
  bytes: Buffer
  sink: SymbolSink
  budget: WorkBudget
}

export function addScript(sink: SymbolSink, text: string, bytes: Buffer): void {
  const script = { text, bytes, sink, budget: new WorkBudget(text, sink) }
  const words = sink.wantsAll ? allWords : outlineWords
  for (words.lastIndex = 0; words.test(text);) {
    const end = words.lastIndex
    if (bytes[end] === dollar) continue
    const last = bytes[end - 1]
    if (last === 0x6e) addFunction(script, end)
    else if (last === 0x73) addClass(script, end)
    else addInterfaceOrEnum(script, end, last === 0x6d)
  }
  addLiteralMethods(script)
}

const outlineWords = /\b(?:class|function)\b/g
const allWords = /\b(?:class|function|interface|enum)\b/g
const dollar = 0x24

/** Whether the word is a property or part of a longer name: `\b` ignores `.` and `$`. */
function isPartOfName(bytes: Buffer, at: number): boolean {
  return bytes[at - 1] === 0x2e || bytes[at - 1] === dollar
}

function addFunction(script: Script, end: number): void {
  if (isPartOfName(script.bytes, end - 8)) return
  const isNamed = addDeclaredName(script, end, 'function')
  addAssigned(script, end - 8, isNamed)
}

function addClass(script: Script, end: number): void {
  const open = isPartOfName(script.bytes, end - 5) ? -1 : bodyStart(script, end)
  if (open === -1) return
  addDeclaredName(script, end, 'class')
  addMembers(script, open)
}

const followingName = /\s+[\w$]+/y

/** Adds the members of an interface or the enumerators of an enum. */
function addInterfaceOrEnum(script: Script, end: number, isEnum: boolean): void {
  if (isPartOfName(script.bytes, end - (isEnum ? 4 : 9))) return
  followingName.lastIndex = end
  if (!followingName.test(script.text)) return
  const open = bodyStart(script, followingName.lastIndex)
  if (open === -1) return
  if (isEnum) addEnumerators(script, open)
  else addMembers(script, open)
}

const decoratorBytes = markTable(`${wordChars}$.`)

const declaredName =
  /(?:\s*\*\s*|\s+)(?!extends\b|implements\b)([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)/y

/** Adds the name of a function or class, which a function expression may have, too. */
function addDeclaredName({ sink, text }: Script, at: number, kind: string): boolean {
  declaredName.lastIndex = at
  const found = declaredName.exec(text)
  if (found === null) return false
  const name = found[1] as string
  sink.add(kind, name, at + found[0].length - name.length)
  return true
}

const methodHead =
  /(?:async[ \t]+)?(?:(?:get|set)[ \t]+)?(?:\*[ \t]*)?([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)\(/y

/** Adds `name(...) {` at a line start: always a method, unless the name is a keyword. */
function addLiteralMethods({ sink, text, bytes }: Script): void {
  for (let brace = text.indexOf('{'); brace !== -1; brace = text.indexOf('{', brace + 1)) {
    // A body opens at the end of a line, after parameters or a type.
    if (bytes[brace + 1] !== lf || bytes[brace - 1] !== 0x20) continue
    if (bytes[brace - 2] === 0x3e && bytes[brace - 3] === 0x3d) continue
    methodHead.lastIndex = firstOnLine(bytes, brace)
    const found = methodHead.exec(text)
    if (found === null || notMembers.has(found[1] as string)) continue
    const open = methodHead.lastIndex - 1
    const end = afterClosingByte(bytes, open, brace - open)
    const isHead = /^(?:[ \t]*|[ \t]*:[^;={}]{0,200})$/.test(text.slice(end, brace))
    if (isHead) sink.add('method', found[1] as string, open - (found[1] as string).length)
  }
}

const lf = 0x0a

/** Offset of the first byte on the line that is not white space. */
function firstOnLine(bytes: Buffer, from: number): number {
  let at = from
  while (at > 0 && bytes[at - 1] !== lf) at--
  while ((bytes[at] as number) <= 0x20) at++
  return at
}

const assigned = /(?:^|[\n{};,(])[ \t]*((?:[\w$]+\.)*)([A-Za-z_$][\w$]*)\s*([=:])\s*(?:async\s+)?$/

/** Adds `a.b = function` and `b: function`; the table covers declarations with a keyword. */
function addAssigned({ sink, text, bytes }: Script, at: number, isNamed: boolean): void {
  if (!followsAssignment(bytes, at)) return
  const from = Math.max(0, at - 120)
  const found = assigned.exec(text.slice(from, at))
  if (found === null) return
  const [matched, owner, property, mark] = found as unknown as [string, string, string, string]
  if (mark === '=' && (owner === '' || (isNamed && property === 'exports'))) return
  const kind = mark === '=' ? 'function' : 'method'
  sink.add(
    kind,
    property,
    from + found.index + matched.lastIndexOf(property, matched.lastIndexOf(mark)),
  )
}

/** Whether `=`, `:` or the end of `async` precedes `at`. */
function followsAssignment(bytes: Buffer, at: number): boolean {
  let last = at - 1
  while (last >= 0 && isSpace(bytes[last] as number)) last--
  const byte = bytes[last]
  return byte === 0x3d || byte === 0x3a || byte === 0x63
}

function isSpace(byte: number): boolean {
  return byte <= 0x20 || byte === 0xa0
}

/** Offset of the brace that opens the body after a head; -1 if there is none nearby. */
function bodyStart({ text, bytes }: Script, from: number): number {
  const end = Math.min(bytes.length, from + maxHeadChars)
  for (let at = from; at < end; at++) {
    const code = bytes[at]
    if (code === 0x7b) return at
    if (code === 0x3c) at = Math.max(at, afterClosingAngle(text, at) - 1)
    else if (code === 0x28 || code === 0x5b) at = afterClosingByte(bytes, at, maxHeadChars) - 1
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

/** Tests every line start and the position after every member, directly in the body of a type. */
function addMembers(script: Script, open: number): void {
  const { text, bytes, budget } = script
  if (!budget.canContinue()) return
  let isMemberStart = true
  for (let at = open + 1; at < bytes.length; at++) {
    const code = bytes[at] as number
    if (code === 0x7d) {
      budget.spend(at - open)
      return
    }
    if (code === 0x40) {
      // A decorator precedes its member.
      at = decoratorEnd(bytes, at) - 1
      isMemberStart = true
      continue
    }
    if (isMemberStart && code > 0x20) {
      isMemberStart = false
      member.lastIndex = at
      const found = member.exec(text)
      if (found !== null) addMember(script, found, member.lastIndex)
    }
    if (code === 0x28 || code === 0x5b || code === 0x7b) {
      at = afterClosingByte(bytes, at) - 1
      isMemberStart ||= code === 0x7b
    } else if (code === lf || code === 0x3b) isMemberStart = true
  }
  budget.spend(bytes.length - open)
}

function decoratorEnd(bytes: Buffer, at: number): number {
  let end = at + 1
  while (decoratorBytes[bytes[end] as number] === 1) end++
  return bytes[end] === 0x28 ? afterClosingByte(bytes, end, maxHeadChars) : end
}

function addMember({ sink, text }: Script, found: RegExpExecArray, end: number): void {
  const [matched, memberName, mark] = found as unknown as [string, string, string]
  if (notMembers.has(memberName)) return
  const kind = memberKind(text, mark, end)
  if (kind !== 'method' && !(kind === 'field' && sink.wantsAll)) return
  sink.add(
    kind,
    memberName,
    found.index + matched.lastIndexOf(memberName, matched.length - mark.length),
  )
}

function memberKind(text: string, mark: string, end: number): 'method' | 'field' | undefined {
  if (mark === '=') {
    const value = text.slice(end, end + 400)
    const assigned = /^\s*(?:async\b\s*)?(?:function\b|\([^()]*\)\s*(?::[^=;{}]+)?=>|[\w$]+\s*=>)/
    return assigned.test(value) ? 'method' : 'field'
  }
  if (mark !== '(' && mark !== '<') return 'field'
  const open = mark === '(' ? end - 1 : text.indexOf('(', afterClosingAngle(text, end - 1))
  if (open === -1) return undefined
  const close = afterClosing(text, open, maxHeadChars)
  // A body, a type, or the end of a declaration; anything else is a call.
  return /^\s*[{:]|^[ \t]*(?:;|\n|$)/.test(text.slice(close, close + 200)) ? 'method' : undefined
}

function addEnumerators({ sink, text, bytes, budget }: Script, open: number): void {
  if (!budget.canContinue()) return
  const end = afterClosingByte(bytes, open)
  budget.spend(end - open)
  for (const piece of splitAtCommas(text.slice(open + 1, end - 1), sink)) {
    const found = /^\s*([A-Za-z_$\x80-\xff][\w$\x80-\xff]*)/.exec(piece.text)
    if (found === null) continue
    const enumerator = found[1] as string
    sink.add('enumerator', enumerator, open + 1 + piece.at + found[0].length - enumerator.length)
  }
}
