// Bytes that every match of a pattern has at fixed distances from one another, where a text is plain ASCII:
// dashes and a T in dates, underlines in names. Looking for them is far faster than stepping an automaton.
import type { Regex, RegexNode } from '../ast.ts'
import { rangesOf } from '../code-points.ts'
import type { Single } from '../code-points.ts'
import { frequency } from '../dfa/dfa.ts'

export interface FixedBytes {
  bytes: Uint8Array
  /** What is added to a byte of the text before it is compared; all bits where any byte will do. */
  masks: Uint8Array
  /** How often each of them is met. */
  commonness: number[]
}

/** A place of a match: whatever gives `byte` when `mask` is added to it, and how often that is met. */
interface Place {
  byte: number
  mask: number
  share: number
}

const anything: Place = { byte: 0xff, mask: 0xff, share: 1 }
const mostPlaces = 64
/** Met more often than this, candidates cost more than they save. */
const mostShare = 0.004

/** Undefined when there are none that are worth looking for. */
export function fixedBytes(regex: Regex): FixedBytes | undefined {
  const best = new Windows().bestOf(regex.body)
  if (best === undefined || shareOf(best) > mostShare) return undefined
  return {
    bytes: Uint8Array.from(best, ({ byte }) => byte),
    masks: Uint8Array.from(best, ({ mask }) => mask),
    commonness: best.map(({ share }) => share),
  }
}

/** Goes through a pattern and keeps the rarest stretch of places without a gap between them. */
class Windows {
  #places: Place[] = []
  #best: Place[] | undefined

  bestOf(node: RegexNode): Place[] | undefined {
    this.#visit(node)
    this.#end()
    return this.#best
  }

  #visit(node: RegexNode): void {
    switch (node.kind) {
      case 'char':
      case 'set':
      case 'dot':
        this.#places.push(placeOf(node))
        if (this.#places.length === mostPlaces) this.#end()
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
        const turns = Math.min(node.min, mostPlaces)
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
    const from = this.#places.findIndex((place) => place !== anything)
    const to = this.#places.findLastIndex((place) => place !== anything)
    const places = from === -1 ? [] : this.#places.slice(from, to + 1)
    this.#places = []
    if (places.length === 0) return
    if (this.#best === undefined || shareOf(places) < shareOf(this.#best)) this.#best = places
  }
}

function shareOf(places: Place[]): number {
  return places.reduce((product, { share }) => product * share, 1)
}

/** The narrowest of what a mask can say that covers all ASCII characters of a set. */
function placeOf(node: Single): Place {
  const ranges = rangesOf(node)
  let [first, mask] = [-1, 0]
  for (let at = 0; at < ranges.length; at += 2) {
    for (let one = ranges[at] as number; one <= Math.min(0x7f, ranges[at + 1] as number); one++) {
      if (first === -1) first = one
      mask |= one ^ first
    }
  }
  if (first === -1) return anything
  const byte = first | mask
  let often = 0
  for (let one = 0; one < 0x80; one++) if ((one | mask) === byte) often += frequency(one)
  return often > mostOften ? anything : { byte, mask, share: Math.max(1, often) / 1000 }
}

/** Of 1000 bytes; a set of more says nothing. */
const mostOften = 500
