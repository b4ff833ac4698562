// Lines for the preprocessor: macros are noted, then all such lines are blanked. Of alternatives whose
// braces do not balance by themselves only the first stays, or the blocks around them would come apart.
import { erase } from '../../blank.ts'

export interface Macro {
  name: string
  at: number
  /** Takes arguments. */
  callable: boolean
}

interface Branch {
  from: number
  to: number
}

interface Conditional {
  branches: Branch[]
  /** `#if 0`: the first branch is not program. */
  dead: boolean
}

/** Conditionals nested deeper are left as they are. */
const maxDepth = 100

const directive = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b[ \t]*([A-Za-z_]\w*|0(?!\w))?/

/** Changes the bytes in place; comments and strings are blank already. */
export function preprocess(bytes: Buffer): Macro[] {
  const macros: Macro[] = []
  const open: Conditional[] = []
  for (let at = firstHash(bytes, 0); at !== -1;) {
    const end = directiveEnd(bytes, at)
    const macro = definedMacro(bytes, at, end)
    if (macro === undefined) trackDirective(bytes, open, at, end)
    else macros.push(macro)
    erase(bytes, at, end)
    at = firstHash(bytes, end)
  }
  return macros
}

const hashByte = 0x23
const define = Array.from('define', (char) => char.charCodeAt(0))

/** Most directives define a macro; they are read without a pattern. */
function definedMacro(bytes: Buffer, at: number, end: number): Macro | undefined {
  let place = skipBlanks(bytes, at, end)
  if (bytes[place] === hashByte) place = skipBlanks(bytes, place + 1, end)
  for (const code of define) if (bytes[place++] !== code) return undefined
  const from = skipBlanks(bytes, place, end)
  let to = from
  while (to < end && isNameByte(bytes[to] as number)) to++
  if (from === place || to === from || (bytes[from] as number) < 0x3a) return undefined
  const callable = to < end && bytes[to] === 0x28
  return { name: bytes.toString('latin1', from, to), at: from, callable }
}

function skipBlanks(bytes: Buffer, from: number, end: number): number {
  let at = from
  while (at < end && (bytes[at] === 0x20 || bytes[at] === 0x09)) at++
  return at
}

function isNameByte(byte: number): boolean {
  const isLetter = (byte >= 0x61 && byte <= 0x7a) || (byte >= 0x41 && byte <= 0x5a)
  return isLetter || byte === 0x5f || (byte >= 0x30 && byte <= 0x39)
}

function trackDirective(bytes: Buffer, open: Conditional[], at: number, end: number): void {
  const text = bytes.toString('latin1', at, Math.min(end, at + 300))
  const [, word, name] = directive.exec(text) ?? []
  if (word !== undefined) track(bytes, open, word, { from: at, to: end }, name === '0')
}

/** Offset of the next line that begins with `#`, white space apart. */
function firstHash(bytes: Buffer, from: number): number {
  for (let hash = bytes.indexOf('#', from); hash !== -1; hash = bytes.indexOf('#', hash + 1)) {
    let before = hash
    while (before > 0 && (bytes[before - 1] === 0x20 || bytes[before - 1] === 0x09)) before--
    if (before === 0 || bytes[before - 1] === 0x0a) return before
  }
  return -1
}

/** A directive goes on behind a backslash at the end of a line. */
function directiveEnd(bytes: Buffer, at: number): number {
  let end = nearEnd(bytes, at)
  while (end < bytes.length && isContinued(bytes, end)) end = nearEnd(bytes, end + 1)
  return end
}

/** The end of the line; lines for the preprocessor are short. */
function nearEnd(bytes: Buffer, at: number): number {
  let end = at
  while (end < bytes.length && bytes[end] !== 0x0a) end++
  return end
}

function isContinued(bytes: Buffer, end: number): boolean {
  let before = end - 1
  while (before >= 0 && bytes[before] === 0x20) before--
  return bytes[before] === 0x5c
}

function track(
  bytes: Buffer,
  open: Conditional[],
  word: string,
  line: Branch,
  zero: boolean,
): void {
  if (word.startsWith('if')) {
    open.push({ branches: [{ from: line.to, to: line.to }], dead: word === 'if' && zero })
    return
  }
  const conditional = open.at(-1)
  const last = conditional?.branches.at(-1)
  if (conditional === undefined || last === undefined) return
  last.to = line.from
  if (word !== 'endif') conditional.branches.push({ from: line.to, to: line.to })
  else {
    open.pop()
    if (open.length < maxDepth) settle(bytes, conditional)
  }
}

function settle(bytes: Buffer, { branches, dead }: Conditional): void {
  const live = dead ? branches.slice(1) : branches
  const [first] = branches
  if (dead && first !== undefined) erase(bytes, first.from, first.to)
  if (live.length < 2 || live.every((branch) => isBalanced(bytes, branch))) return
  for (const branch of live.slice(1)) erase(bytes, branch.from, branch.to)
}

function isBalanced(bytes: Buffer, { from, to }: Branch): boolean {
  let depth = 0
  for (let at = from; at < to; at++) {
    const byte = bytes[at]
    if (byte === 0x7b || byte === 0x28) depth++
    else if ((byte === 0x7d || byte === 0x29) && --depth < 0) return false
  }
  return depth === 0
}
