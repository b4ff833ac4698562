// Which class of characters a sequence of bytes is, one byte at a time. A byte that cannot follow leads
// nowhere: what came before it is then one U+FFFD, as when the text is decoded, and the byte begins anew.
// Nodes are made when a text first leads to them: most texts are nearly all ASCII.
import { stretchOf } from './char-classes.ts'
import type { CharClasses } from './char-classes.ts'

/** Classes are below this; a node is its number and this. */
export const nodeOffset = 1 << 20
export const nowhere = -1
export const rootNode = 0
/** A place with no node of its own: right behind a CR. */
export const afterReturn = 1

const unknown = -2

interface Node {
  /** The lowest code point to come, with `more` bytes to follow, the next from `first` to `last`. */
  low: number
  more: number
  first: number
  last: number
  /** What each byte that goes on with a character leads to. */
  children: Int32Array
}

export class Utf8Trie {
  /** The class of U+FFFD. */
  readonly replacement: number
  readonly #chars: CharClasses
  readonly #root: Int32Array
  readonly #nodes: (Node | undefined)[] = [undefined, undefined]
  readonly #known = new Map<string, number>()

  constructor(chars: CharClasses) {
    this.#chars = chars
    this.replacement = this.#classAt(0xfffd)
    this.#root = Int32Array.from({ length: 256 }, (_, byte) => {
      return byte < 0x80 ? this.#classAt(byte) : unknown
    })
  }

  /** What a byte leads to: a class, a node or nowhere. */
  after(node: number, byte: number): number {
    const from = this.#nodes[node]
    if (from === undefined) {
      if (this.#root[byte] === unknown) this.#root[byte] = this.#afterLead(byte)
      return this.#root[byte] as number
    }
    if (byte < from.first || byte > from.last) return nowhere
    const known = from.children[byte - 0x80] as number
    if (known !== unknown) return known
    const low = from.low + (byte & 0x3f) * 64 ** (from.more - 1)
    const to = from.more === 1 ? this.#classAt(low) : this.#nodeAt(low, from.more - 1)
    from.children[byte - 0x80] = to
    return to
  }

  #classAt(code: number): number {
    return this.#chars.classes[stretchOf(this.#chars.starts, code)] as number
  }

  #afterLead(byte: number): number {
    if (byte >= 0xc2 && byte < 0xe0) return this.#nodeAt((byte & 0x1f) << 6, 1)
    if (byte >= 0xe0 && byte < 0xf0) return this.#nodeAt((byte & 0x0f) << 12, 2)
    return byte >= 0xf0 && byte < 0xf5 ? this.#nodeAt((byte & 0x07) << 18, 3) : nowhere
  }

  /** The node for the code points from `low` on; one for all that hold a single class. */
  #nodeAt(low: number, more: number): number {
    const { starts } = this.#chars
    const [first, last] = following(low, more)
    const stretch = stretchOf(starts, low)
    const isOne = stretchOf(starts, low + 64 ** more - 1) === stretch
    const holds = isOne ? `class ${this.#chars.classes[stretch]}` : low
    const key = `${more} ${first} ${last} ${holds}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const children = new Int32Array(64).fill(unknown)
    const number = nodeOffset + this.#nodes.push({ low, more, first, last, children }) - 1
    this.#known.set(key, number)
    return number
  }
}

/** Which bytes may follow: not those of longer forms than needed, surrogates, or beyond the last. */
function following(low: number, more: number): [number, number] {
  if (more === 2 && low === 0) return [0xa0, 0xbf]
  if (more === 2 && low === 0xd000) return [0x80, 0x9f]
  if (more === 3 && low === 0) return [0x90, 0xbf]
  if (more === 3 && low === 0x100000) return [0x80, 0x8f]
  return [0x80, 0xbf]
}
