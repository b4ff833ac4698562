// Walks the blocks of a language with braces. The language gets the text before each brace or
// semicolon and says what the block contains. Bodies of functions are skipped.
import { afterClosing, afterClosingByte, maxHeadChars } from './brackets.ts'
import { markTable, nextMark } from './marks.ts'

/** What a block contains: definitions, members of a type, enumerators, or code. */
export type Context = 'top' | 'type' | 'enum' | 'code'

export interface Piece {
  text: string
  /** Offset of the piece in the file. */
  at: number
  context: Context
}

export interface BlockLanguage {
  /** Adds the definition in this head and returns what its block contains. */
  open(head: Piece): Context
  /** Handles a piece that ends with a semicolon. */
  statement(piece: Piece): void
  /** Handles the text between the block of a type and its semicolon; `head` preceded the block. */
  tail?(piece: Piece, head: string): void
  /** Adds the enumerators; returns the offset where members follow, or the length. */
  enumerators(body: Piece): number
}

interface OuterBlock {
  context: Context
  head: string
}

/** Longer parentheses count as unbalanced; after `maxUnbalanced` of those, none are skipped. */
const maxParentheses = 5000
const maxUnbalanced = 100

const blockMarks = markTable('([;{}')

/** `bytes` and `text` are the same file, blanked. */
export function walkBlocks(bytes: Buffer, text: string, language: BlockLanguage): void {
  const stack: OuterBlock[] = []
  let context: Context = 'top'
  let from = 0
  let unbalanced = 0
  let tailHead: string | undefined
  const piece = (to: number): Piece => {
    const at = skipSpace(bytes, from, to)
    return { text: text.slice(at, Math.min(to, at + maxHeadChars)), at, context }
  }
  for (
    let at = nextMark(bytes, blockMarks, 0);
    at < bytes.length;
    at = nextMark(bytes, blockMarks, at + 1)
  ) {
    const byte = bytes[at]
    if (byte === 0x28 || byte === 0x5b) {
      if (unbalanced > maxUnbalanced) continue
      const end = afterClosingByte(bytes, at, maxParentheses)
      if (end - at < maxParentheses) at = end - 1
      else unbalanced++
      continue
    }
    if (byte === 0x3b) {
      if (tailHead === undefined) language.statement(piece(at))
      else language.tail?.(piece(at), tailHead)
      tailHead = undefined
    } else if (byte === 0x7d) {
      const outer = stack.pop()
      tailHead = context === 'type' && language.tail !== undefined ? outer?.head : undefined
      context = outer?.context ?? 'top'
    } else {
      const head = piece(at)
      const next = language.open(head)
      const end = next === 'top' || next === 'type' ? -1 : afterClosingByte(bytes, at)
      const members = next === 'enum' ? enumMembersOffset(text, at, end, language) : -1
      const hasTail = next === 'enum' && members === -1 && language.tail !== undefined
      tailHead = hasTail ? head.text : undefined
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

/** Blanked comments are white space, often a lot of it before a definition. */
function skipSpace(bytes: Buffer, from: number, to: number): number {
  let at = from
  while (at < to && (bytes[at] as number) <= 0x20) at++
  return at
}

/** Offset of the members after the enumerators, relative to the brace; -1 if there are none. */
function enumMembersOffset(
  text: string,
  brace: number,
  end: number,
  language: BlockLanguage,
): number {
  const body = text.slice(brace + 1, end - 1)
  const length = language.enumerators({ text: body, at: brace + 1, context: 'enum' })
  return length < body.length ? length + 1 : -1
}

/** Whether the head assigns a value, outside of brackets. */
export function hasAssignment(head: string): boolean {
  for (let at = head.includes('=') ? 0 : head.length; at < head.length; at++) {
    const char = head.charAt(at)
    if (char === '(' || char === '[') at = afterClosing(head, at) - 1
    else if (char === '=') {
      const around = head.charAt(at - 1) + head.charAt(at + 1)
      if (!/[=<>!+\-*/%&|^]/.test(around) && !/operator\s*$/.test(head.slice(0, at))) return true
    }
  }
  return false
}
