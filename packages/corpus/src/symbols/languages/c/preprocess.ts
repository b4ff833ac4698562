// Preprocessor lines: collects macros, then blanks all directives. If the branches of a conditional
// have unbalanced braces, only the first stays; otherwise the enclosing blocks would not match.
import { erase } from '../../blank.ts'

export interface Macro {
  name: string
  at: number
  takesArguments: boolean
}

interface Branch {
  from: number
  to: number
}

interface Conditional {
  branches: Branch[]
  /** `#if 0`: the first branch is disabled. */
  isDead: boolean
}

/** Conditionals nested deeper are left unchanged. */
const maxDepth = 100

const directive = /^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b[ \t]*([A-Za-z_]\w*|0(?!\w))?/

/** Collects macros and blanks directives in place. Comments and strings are already blank. */
export function preprocess(bytes: Buffer): Macro[] {
  const macros: Macro[] = []
  const open: Conditional[] = []
  for (let at = nextDirective(bytes, 0); at !== -1;) {
    const end = directiveEnd(bytes, at)
    const macro = definedMacro(bytes, at, end)
    if (macro === undefined) trackDirective(bytes, open, at, end)
    else macros.push(macro)
    erase(bytes, at, end)
    at = nextDirective(bytes, end)
  }
  return macros
}

const hashByte = 0x23
const define = Array.from('define', (char) => char.charCodeAt(0))

/** Fast path without a pattern: most directives define a macro. */
function definedMacro(bytes: Buffer, at: number, end: number): Macro | undefined {
  let offset = skipBlanks(bytes, at, end)
  if (bytes[offset] === hashByte) offset = skipBlanks(bytes, offset + 1, end)
  for (const code of define) if (bytes[offset++] !== code) return undefined
  const from = skipBlanks(bytes, offset, end)
  let to = from
  while (to < end && isNameByte(bytes[to] as number)) to++
  if (from === offset || to === from || (bytes[from] as number) < 0x3a) return undefined
  const takesArguments = to < end && bytes[to] === 0x28
  return { name: bytes.toString('latin1', from, to), at: from, takesArguments }
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

/** Offset of the next line that starts with `#`, ignoring white space. */
function nextDirective(bytes: Buffer, from: number): number {
  for (let hash = bytes.indexOf('#', from); hash !== -1; hash = bytes.indexOf('#', hash + 1)) {
    let start = hash
    while (start > 0 && (bytes[start - 1] === 0x20 || bytes[start - 1] === 0x09)) start--
    if (start === 0 || bytes[start - 1] === 0x0a) return start
  }
  return -1
}

/** A backslash at the end of a line continues the directive. */
function directiveEnd(bytes: Buffer, at: number): number {
  let end = lineEndFrom(bytes, at)
  while (end < bytes.length && isContinued(bytes, end)) end = lineEndFrom(bytes, end + 1)
  return end
}

/** Finds the end of the line byte by byte: directives are short. */
function lineEndFrom(bytes: Buffer, at: number): number {
  let end = at
  while (end < bytes.length && bytes[end] !== 0x0a) end++
  return end
}

function isContinued(bytes: Buffer, end: number): boolean {
  let last = end - 1
  while (last >= 0 && bytes[last] === 0x20) last--
  return bytes[last] === 0x5c
}

function track(
  bytes: Buffer,
  open: Conditional[],
  word: string,
  line: Branch,
  zero: boolean,
): void {
  if (word.startsWith('if')) {
    open.push({ branches: [{ from: line.to, to: line.to }], isDead: word === 'if' && zero })
    return
  }
  const conditional = open.at(-1)
  const last = conditional?.branches.at(-1)
  if (conditional === undefined || last === undefined) return
  last.to = line.from
  if (word !== 'endif') conditional.branches.push({ from: line.to, to: line.to })
  else {
    open.pop()
    if (open.length < maxDepth) resolveConditional(bytes, conditional)
  }
}

function resolveConditional(bytes: Buffer, { branches, isDead }: Conditional): void {
  const live = isDead ? branches.slice(1) : branches
  const [first] = branches
  if (isDead && first !== undefined) erase(bytes, first.from, first.to)
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
