// Finds bytes that every match has at fixed distances from one another in ASCII text, such as the
// dashes in dates. Searching for them is much faster than stepping an automaton.
import type { Regex, RegexNode } from '../ast.ts'
import { rangesOf } from '../code-points.ts'
import type { CharNode } from '../code-points.ts'
import { byteFrequency } from '../dfa/dfa.ts'

export interface FixedBytes {
  bytes: Uint8Array
  /** ORed into each byte of the text before the comparison; 0xff matches any byte. */
  masks: Uint8Array
  /** Estimated probability of each position. */
  frequencies: number[]
}

/**
 * One position of a match: bytes that equal `byte` after an OR with `mask`, and their probability.
 */
interface BytePosition {
  byte: number
  mask: number
  share: number
}

const anyByte: BytePosition = { byte: 0xff, mask: 0xff, share: 1 }
const maxPositions = 64
/** Above this probability, candidates cost more than they save. */
const maxShare = 0.004

/** The rarest window of fixed bytes; undefined when none is rare enough. */
export function fixedBytes(regex: Regex): FixedBytes | undefined {
  const best = new WindowSearch().bestOf(regex.body)
  if (best === undefined || shareOf(best) > maxShare) return undefined
  return {
    bytes: Uint8Array.from(best, ({ byte }) => byte),
    masks: Uint8Array.from(best, ({ mask }) => mask),
    frequencies: best.map(({ share }) => share),
  }
}

/** Walks a pattern and records the rarest window of consecutive positions. */
class WindowSearch {
  #positions: BytePosition[] = []
  #best: BytePosition[] | undefined

  bestOf(node: RegexNode): BytePosition[] | undefined {
    this.#visit(node)
    this.#end()
    return this.#best
  }

  #visit(node: RegexNode): void {
    switch (node.kind) {
      case 'char':
      case 'set':
      case 'dot':
        this.#positions.push(positionOf(node))
        if (this.#positions.length === maxPositions) this.#end()
        return
      case 'start':
      case 'end':
      case 'boundary':
        return
      case 'sequence':
        return node.items.forEach((item) => this.#visit(item))
      case 'capture':
        return this.#visit(node.body)
      case 'repeat': {
        const turns = Math.min(node.min, maxPositions)
        for (let turn = 0; turn < turns; turn++) this.#visit(node.body)
        if (node.max > turns) this.#end()
        return
      }
      case 'either':
        if (node.branches.length === 1) return this.#visit(node.branches[0] as RegexNode)
        return this.#end()
      default:
        return this.#end()
    }
  }

  #end(): void {
    const from = this.#positions.findIndex((place) => place !== anyByte)
    const to = this.#positions.findLastIndex((place) => place !== anyByte)
    const window = from === -1 ? [] : this.#positions.slice(from, to + 1)
    this.#positions = []
    if (window.length === 0) return
    if (this.#best === undefined || shareOf(window) < shareOf(this.#best)) this.#best = window
  }
}

function shareOf(positions: BytePosition[]): number {
  return positions.reduce((product, { share }) => product * share, 1)
}

/** The tightest mask that covers all ASCII characters of a set. */
function positionOf(node: CharNode): BytePosition {
  const ranges = rangesOf(node)
  let [first, mask] = [-1, 0]
  for (let at = 0; at < ranges.length; at += 2) {
    for (let one = ranges[at] as number; one <= Math.min(0x7f, ranges[at + 1] as number); one++) {
      if (first === -1) first = one
      mask |= one ^ first
    }
  }
  if (first === -1) return anyByte
  const byte = first | mask
  let total = 0
  for (let one = 0; one < 0x80; one++) if ((one | mask) === byte) total += byteFrequency(one)
  return total > maxFrequency ? anyByte : { byte, mask, share: Math.max(1, total) / 1000 }
}

/** Occurrences per 1000 bytes; a more frequent set does not narrow the search. */
const maxFrequency = 500
