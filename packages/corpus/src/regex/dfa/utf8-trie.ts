// Maps UTF-8 sequences to character classes, one byte at a time. A byte that cannot continue a
// sequence leads nowhere: the sequence becomes one U+FFFD, as in decoding, and the byte starts
// anew. Nodes are created lazily, because most texts are nearly all ASCII.
import { intervalIndex } from './char-classes.ts'
import type { CharClasses } from './char-classes.ts'

/** Results below this are classes; a node is this plus its number. */
export const nodeOffset = 1 << 20
export const nowhere = -1
export const rootNode = 0
/** Marks the position after a CR; it has no node. */
export const afterCarriageReturn = 1

const notComputed = -2

interface Node {
  /** Lowest code point below this node, continuation bytes left, and the range of the next byte. */
  low: number
  bytesLeft: number
  first: number
  last: number
  /** Result for each continuation byte. */
  children: Int32Array
}

export class Utf8Trie {
  /** The class of U+FFFD. */
  readonly replacement: number
  readonly #chars: CharClasses
  readonly #root: Int32Array
  readonly #nodes: (Node | undefined)[] = [undefined, undefined]
  readonly #nodeByKey = new Map<string, number>()

  constructor(chars: CharClasses) {
    this.#chars = chars
    this.replacement = this.#classAt(0xfffd)
    this.#root = Int32Array.from({ length: 256 }, (_, byte) => {
      return byte < 0x80 ? this.#classAt(byte) : notComputed
    })
  }

  /** The result of a byte: a class, a node or `nowhere`. */
  after(node: number, byte: number): number {
    const from = this.#nodes[node]
    if (from === undefined) {
      if (this.#root[byte] === notComputed) this.#root[byte] = this.#afterLead(byte)
      return this.#root[byte] as number
    }
    if (byte < from.first || byte > from.last) return nowhere
    const existing = from.children[byte - 0x80] as number
    if (existing !== notComputed) return existing
    const low = from.low + (byte & 0x3f) * 64 ** (from.bytesLeft - 1)
    const to = from.bytesLeft === 1 ? this.#classAt(low) : this.#nodeAt(low, from.bytesLeft - 1)
    from.children[byte - 0x80] = to
    return to
  }

  #classAt(code: number): number {
    return this.#chars.classes[intervalIndex(this.#chars.starts, code)] as number
  }

  #afterLead(byte: number): number {
    if (byte >= 0xc2 && byte < 0xe0) return this.#nodeAt((byte & 0x1f) << 6, 1)
    if (byte >= 0xe0 && byte < 0xf0) return this.#nodeAt((byte & 0x0f) << 12, 2)
    return byte >= 0xf0 && byte < 0xf5 ? this.#nodeAt((byte & 0x07) << 18, 3) : nowhere
  }

  /** The node for the code points from `low` on. Nodes that cover a single class are shared. */
  #nodeAt(low: number, bytesLeft: number): number {
    const { starts } = this.#chars
    const [first, last] = continuationRange(low, bytesLeft)
    const interval = intervalIndex(starts, low)
    const isUniform = intervalIndex(starts, low + 64 ** bytesLeft - 1) === interval
    const holds = isUniform ? `class ${this.#chars.classes[interval]}` : low
    const key = `${bytesLeft} ${first} ${last} ${holds}`
    const existing = this.#nodeByKey.get(key)
    if (existing !== undefined) return existing
    const children = new Int32Array(64).fill(notComputed)
    const number = nodeOffset + this.#nodes.push({ low, bytesLeft, first, last, children }) - 1
    this.#nodeByKey.set(key, number)
    return number
  }
}

/** Valid continuation bytes; excludes overlong forms, surrogates and code points above U+10FFFF. */
function continuationRange(low: number, bytesLeft: number): [number, number] {
  if (bytesLeft === 2 && low === 0) return [0xa0, 0xbf]
  if (bytesLeft === 2 && low === 0xd000) return [0x80, 0x9f]
  if (bytesLeft === 3 && low === 0) return [0x90, 0xbf]
  if (bytesLeft === 3 && low === 0x100000) return [0x80, 0x8f]
  return [0x80, 0xbf]
}
