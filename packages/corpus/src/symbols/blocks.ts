// Walks the blocks of a language with braces. What stands before a brace or semicolon is handed to the
// language, which says what the block holds; bodies of functions are passed over.
import { closing, closingByte, longestHead } from './brackets.ts'
import { marksOf, nextMark } from './marks.ts'

/** What a block holds: definitions, members of a type, names of an enumeration, or program. */
export type Context = 'top' | 'type' | 'enum' | 'code'

export interface Piece {
  text: string
  /** Offset of the piece in the file. */
  at: number
  context: Context
}

export interface BlockLanguage {
  /** What the block behind this piece holds; adds what the piece defines. */
  open(head: Piece): Context
  /** A piece that a semicolon ends. */
  statement(piece: Piece): void
  /** What follows the block of a type up to its semicolon; `head` is what stood before the block. */
  tail?(piece: Piece, head: string): void
  /** Names in an enumeration; how far they go when members follow them. */
  names(body: Piece): number
}

interface Outer {
  context: Context
  head: string
}

/** Parentheses longer than this are taken to be unbalanced; after some of those none are skipped. */
const maxParentheses = 5000
const maxUnbalanced = 100

const marks = marksOf('([;{}')

/** `bytes` and `text` are the same, blanked. */
export function walkBlocks(bytes: Buffer, text: string, language: BlockLanguage): void {
  const stack: Outer[] = []
  let context: Context = 'top'
  let from = 0
  let unbalanced = 0
  let tailOf: string | undefined
  const piece = (to: number): Piece => {
    const at = skipSpace(bytes, from, to)
    return { text: text.slice(at, Math.min(to, at + longestHead)), at, context }
  }
  for (let at = nextMark(bytes, marks, 0); at < bytes.length; at = nextMark(bytes, marks, at + 1)) {
    const byte = bytes[at]
    if (byte === 0x28 || byte === 0x5b) {
      if (unbalanced > maxUnbalanced) continue
      const end = closingByte(bytes, at, maxParentheses)
      if (end - at < maxParentheses) at = end - 1
      else unbalanced++
      continue
    }
    if (byte === 0x3b) {
      if (tailOf === undefined) language.statement(piece(at))
      else language.tail?.(piece(at), tailOf)
      tailOf = undefined
    } else if (byte === 0x7d) {
      const outer = stack.pop()
      tailOf = context === 'type' && language.tail !== undefined ? outer?.head : undefined
      context = outer?.context ?? 'top'
    } else {
      const head = piece(at)
      const next = language.open(head)
      const end = next === 'top' || next === 'type' ? -1 : closingByte(bytes, at)
      const members = next === 'enum' ? namesIn(text, at, end, language) : -1
      const hasTail = next === 'enum' && members === -1 && language.tail !== undefined
      tailOf = hasTail ? head.text : undefined
      if (end !== -1 && members === -1) at = end - 1
      else {
        stack.push({ context, head: head.text })
        context = next === 'top' ? 'top' : 'type'
        at += Math.max(0, members)
      }
    }
    from = at + 1
  }
}

/** Comments are white space by now, often a lot of it before a definition. */
function skipSpace(bytes: Buffer, from: number, to: number): number {
  let at = from
  while (at < to && (bytes[at] as number) <= 0x20) at++
  return at
}

/** Offset of the members behind the names, counted from the brace; -1 when there are none. */
function namesIn(text: string, open: number, end: number, language: BlockLanguage): number {
  const body = text.slice(open + 1, end - 1)
  const length = language.names({ text: body, at: open + 1, context: 'enum' })
  return length < body.length ? length + 1 : -1
}

/** The part of a head that matters: `=` and what is in no bracket decide what it defines. */
export function hasAssignment(head: string): boolean {
  for (let at = head.includes('=') ? 0 : head.length; at < head.length; at++) {
    const char = head.charAt(at)
    if (char === '(' || char === '[') at = closing(head, at) - 1
    else if (char === '=') {
      const around = head.charAt(at - 1) + head.charAt(at + 1)
      if (!/[=<>!+\-*/%&|^]/.test(around) && !/operator\s*$/.test(head.slice(0, at))) return true
    }
  }
  return false
}
