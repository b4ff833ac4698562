// A JSON list as it stands in a file: two spaces of indent, one element behind another, "\n]" at the
// end. A raw line break cannot stand inside a JSON string, so "\n  {" always begins an element.
import { isUtf8 } from 'node:buffer'
import { isObject } from '@zee/core/json'

export const elementStart = Buffer.from('\n  {')

const separator = ',\n  '
const opening = '[\n  '
const closing = '\n]'

export interface ListEnd {
  /** From the opening bracket of the list, or the comma behind its last element, to the end. */
  bytes: Buffer
  /** Where each element begins within the bytes. */
  starts: number[]
}

/** The text of one element, without what stands between elements. */
export function elementText(element: object): string {
  return JSON.stringify([element], undefined, 2).slice(opening.length, -closing.length)
}

/** What a list must end with to hold these elements behind what it has, or alone. */
export function listEnd(texts: readonly string[], isFirst: boolean): ListEnd {
  const starts: number[] = []
  const front = isFirst ? opening : separator
  let at = 0
  for (const [index, text] of texts.entries()) {
    at += index === 0 ? front.length : separator.length
    starts.push(at)
    at += Buffer.byteLength(text)
  }
  return { bytes: Buffer.from(front + texts.join(separator) + closing), starts }
}

/** The whole text of a list in the form above. */
export function listText(list: readonly unknown[]): string {
  return JSON.stringify(list, undefined, 2)
}

/** The list that a file holds, or undefined when it holds anything else. */
export function parseList(bytes: Buffer): object[] | undefined {
  if (!isUtf8(bytes)) return undefined
  let value: unknown
  try {
    value = JSON.parse(bytes.toString('utf8'))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
  const isList = Array.isArray(value) && value.every((item) => isObject(item))
  return isList ? (value as object[]) : undefined
}

export type ListTail =
  /** More elements can be written from this offset on, over the closing bracket. */
  | { kind: 'open'; offset: number }
  /** An empty list, or one in another form. */
  | { kind: 'other' }

/** Judges a list of `size` bytes by its last ones. */
export function listTail(last: Buffer, size: number): ListTail {
  const text = last.toString('latin1')
  const trimmed = text.trimEnd()
  if (!trimmed.endsWith(closing) || /^\s*\]$|\[\s*\]$/.test(trimmed)) return { kind: 'other' }
  return { kind: 'open', offset: size - text.length + trimmed.length - closing.length }
}
