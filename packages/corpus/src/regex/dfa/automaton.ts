// The automaton over bytes: a state is a set of steps and how far into a character the bytes are. Bytes
// of a line end decide about the line and begin the next one; ill-formed bytes count as U+FFFD.
import type { Regex } from '../ast.ts'
import { byteClasses } from './byte-classes.ts'
import type { ByteClasses } from './byte-classes.ts'
import { charClasses } from './char-classes.ts'
import type { CharClasses } from './char-classes.ts'
import { wordRanges } from '../code-points.ts'
import { compileNfa } from './nfa.ts'
import type { Assertion, Nfa } from './nfa.ts'
import { matchedSet, StepSets } from './step-sets.ts'
import { afterReturn, nodeOffset, nowhere, rootNode, Utf8Trie } from './utf8-trie.ts'

/** In place of a state: the line has a match. */
export const match = -1

const lf = 0x0a
const cr = 0x0d

export class ByteAutomaton {
  readonly bytes: ByteClasses
  readonly #trie: Utf8Trie
  readonly #sets: StepSets
  #lineStart: number

  constructor(chars: CharClasses, sets: StepSets) {
    this.#trie = new Utf8Trie(chars)
    this.bytes = byteClasses(chars)
    this.#sets = sets
    this.#lineStart = sets.lineStart()
  }

  /** The state at the beginning of a line, or MATCH when every line matches. */
  get lineStart(): number {
    return this.#lineStart === matchedSet ? match : stateOf(this.#lineStart, rootNode)
  }

  /** What making states has cost so far, and how many numbers they hold. */
  get work(): number {
    return this.#sets.work
  }

  get size(): number {
    return this.#sets.size
  }

  /** Nothing on the rest of the line matters. */
  isDead(state: number): boolean {
    return this.#sets.isDead(setOf(state))
  }

  /** The state after one more byte. */
  after(state: number, byte: number): number {
    const [set, node] = [setOf(state), nodeOf(state)]
    // CR LF is one line end.
    if (byte === lf && node === afterReturn) return stateOf(this.#lineStart, rootNode)
    if (byte === lf || byte === cr) return this.#afterLineEnd(state, byte)
    if (this.#sets.isDead(set)) return stateOf(set, rootNode)
    const to = this.#trie.after(node, byte)
    if (to >= nodeOffset) return stateOf(set, to - nodeOffset)
    if (to !== nowhere) return this.#afterChar(set, to)
    const replaced = this.#afterChar(set, this.#trie.replacement)
    // What came before cannot go on with this byte, which is read anew.
    return node <= afterReturn || replaced === match ? replaced : this.after(replaced, byte)
  }

  /** Whether the line matches if it ends here. */
  matchesAtEnd(state: number): boolean {
    const node = nodeOf(state)
    const set = setOf(state)
    if (node <= afterReturn) return this.#sets.matchesAtEnd(set)
    const replaced = this.#sets.after(set, this.#trie.replacement)
    return replaced === matchedSet || this.#sets.matchesAtEnd(replaced)
  }

  /** Forgets all states but one, which gets a new number. */
  clear(kept: number): number {
    const set = this.#sets.clear(setOf(kept))
    this.#lineStart = this.#sets.lineStart()
    return stateOf(set, nodeOf(kept))
  }

  #afterLineEnd(state: number, byte: number): number {
    if (this.matchesAtEnd(state)) return match
    // Only where an empty line matches must CR LF be told from two line ends.
    const careful = byte === cr && this.#sets.matchesAtEnd(this.#lineStart)
    return stateOf(this.#lineStart, careful ? afterReturn : rootNode)
  }

  #afterChar(set: number, charClass: number): number {
    const next = this.#sets.after(set, charClass)
    return next === matchedSet ? match : stateOf(next, rootNode)
  }
}

/** More than a trie can have nodes. */
const nodes = 1 << 16

function stateOf(set: number, node: number): number {
  return set * nodes + node
}

function setOf(state: number): number {
  return Math.floor(state / nodes)
}

function nodeOf(state: number): number {
  return state % nodes
}

/** Undefined for what is not regular, or too large for an automaton. */
export function compileAutomaton(regex: Regex): ByteAutomaton | undefined {
  const nfa = compileNfa(regex)
  if (nfa === undefined) return undefined
  const sets = [...nfa.sets]
  const word = asks(nfa, ['word', 'noWord']) ? sets.push(wordRanges(false)) - 1 : undefined
  const asciiWord = asks(nfa, ['asciiWord', 'noAsciiWord'])
    ? sets.push(wordRanges(true)) - 1
    : undefined
  const chars = charClasses(sets)
  return new ByteAutomaton(chars, new StepSets(nfa, chars, { word, asciiWord }))
}

function asks(nfa: Nfa, what: Assertion[]): boolean {
  return what.some((one) => nfa.asserted.has(one))
}
