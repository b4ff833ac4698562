// The text form of a JSON list file: two-space indentation and "\n]" at the end. A JSON string cannot
// contain a raw line break, so "\n  {" always starts an element.
import { isUtf8 } from 'node:buffer'
import { isObject } from '@zee/core/json'

export const elementStart = Buffer.from('\n  {')

const separator = ',\n  '
const opening = '[\n  '
const closing = '\n]'

export interface ListEnd {
  /** The bytes from the opening bracket, or from the comma after the last element, to the end. */
  bytes: Buffer
  /** Offset of each element within the bytes. */
  starts: number[]
}

/** The text of one element, without separators. */
export function elementText(element: object): string {
  return JSON.stringify([element], undefined, 2).slice(opening.length, -closing.length)
}

/** The end of a list with these elements, after existing ones or as the first. */
export function listEnd(texts: readonly string[], isFirst: boolean): ListEnd {
  const starts: number[] = []
  const front = isFirst ? opening : separator
  let offset = 0
  for (const [index, text] of texts.entries()) {
    offset += index === 0 ? front.length : separator.length
    starts.push(offset)
    offset += Buffer.byteLength(text)
  }
  return { bytes: Buffer.from(front + texts.join(separator) + closing), starts }
}

/** The complete text of a list in this form. */
export function listText(list: readonly unknown[]): string {
  return JSON.stringify(list, undefined, 2)
}

/** The list in a file, or undefined when the content is not a list of objects. */
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
  /** Elements can be appended at this offset, over the closing bracket. */
  | { kind: 'open'; offset: number }
  /** The list is empty or in another form. */
  | { kind: 'other' }

/** Classifies a list of `size` bytes by its last bytes. */
export function listTail(last: Buffer, size: number): ListTail {
  const text = last.toString('latin1')
  const trimmed = text.trimEnd()
  if (!trimmed.endsWith(closing) || /^\s*\]$|\[\s*\]$/.test(trimmed)) return { kind: 'other' }
  return { kind: 'open', offset: size - text.length + trimmed.length - closing.length }
}
