// A lazy DFA over bytes. A state is a set of NFA steps plus the position inside a UTF-8 character.
// A line end decides the line and starts the next one; ill-formed bytes count as U+FFFD.
import type { Regex } from '../ast.ts'
import { byteClasses } from './byte-classes.ts'
import type { ByteClasses } from './byte-classes.ts'
import { charClasses } from './char-classes.ts'
import type { CharClasses } from './char-classes.ts'
import { wordRanges } from '../code-points.ts'
import { compileNfa } from './nfa.ts'
import type { Assertion, Nfa } from './nfa.ts'
import { matchedSet, StepSets } from './step-sets.ts'
import { afterCarriageReturn, nodeOffset, nowhere, rootNode, Utf8Trie } from './utf8-trie.ts'

/** Stands for a state: the line matches. */
export const matchState = -1

const lf = 0x0a
const cr = 0x0d

export class ByteAutomaton {
  readonly byteClasses: ByteClasses
  readonly #trie: Utf8Trie
  readonly #sets: StepSets
  #lineStart: number

  constructor(chars: CharClasses, sets: StepSets) {
    this.#trie = new Utf8Trie(chars)
    this.byteClasses = byteClasses(chars)
    this.#sets = sets
    this.#lineStart = sets.lineStart()
  }

  /** The state at the start of a line, or `matchState` when every line matches. */
  get lineStart(): number {
    return this.#lineStart === matchedSet ? matchState : stateOf(this.#lineStart, rootNode)
  }

  /** Cost of building states so far, and how many numbers they hold. */
  get work(): number {
    return this.#sets.work
  }

  get size(): number {
    return this.#sets.size
  }

  /** Whether no further byte of the line can produce a match. */
  isDead(state: number): boolean {
    return this.#sets.isDead(setOf(state))
  }

  /** The state after one more byte. */
  after(state: number, byte: number): number {
    const [set, node] = [setOf(state), nodeOf(state)]
    // CR LF is one line end.
    if (byte === lf && node === afterCarriageReturn) return stateOf(this.#lineStart, rootNode)
    if (byte === lf || byte === cr) return this.#afterLineEnd(state, byte)
    if (this.#sets.isDead(set)) return stateOf(set, rootNode)
    const to = this.#trie.after(node, byte)
    if (to >= nodeOffset) return stateOf(set, to - nodeOffset)
    if (to !== nowhere) return this.#afterChar(set, to)
    const replaced = this.#afterChar(set, this.#trie.replacement)
    // This byte cannot continue the character, so it is processed again after U+FFFD.
    return node <= afterCarriageReturn || replaced === matchState
      ? replaced
      : this.after(replaced, byte)
  }

  /** Whether the line matches if it ends here. */
  matchesAtEnd(state: number): boolean {
    const node = nodeOf(state)
    const set = setOf(state)
    if (node <= afterCarriageReturn) return this.#sets.matchesAtEnd(set)
    const replaced = this.#sets.after(set, this.#trie.replacement)
    return replaced === matchedSet || this.#sets.matchesAtEnd(replaced)
  }

  /** Evicts all states but one and returns the new number of that state. */
  clear(state: number): number {
    const set = this.#sets.clear(setOf(state))
    this.#lineStart = this.#sets.lineStart()
    return stateOf(set, nodeOf(state))
  }

  #afterLineEnd(state: number, byte: number): number {
    if (this.matchesAtEnd(state)) return matchState
    // CR LF must be distinguished from two line ends only if an empty line matches.
    const needsPairCheck = byte === cr && this.#sets.matchesAtEnd(this.#lineStart)
    return stateOf(this.#lineStart, needsPairCheck ? afterCarriageReturn : rootNode)
  }

  #afterChar(set: number, charClass: number): number {
    const next = this.#sets.after(set, charClass)
    return next === matchedSet ? matchState : stateOf(next, rootNode)
  }
}

/** Upper bound on the number of trie nodes. */
const maxTrieNodes = 1 << 16

function stateOf(set: number, node: number): number {
  return set * maxTrieNodes + node
}

function setOf(state: number): number {
  return Math.floor(state / maxTrieNodes)
}

function nodeOf(state: number): number {
  return state % maxTrieNodes
}

/** Compiles the automaton; undefined if the pattern is not regular or too large. */
export function compileAutomaton(regex: Regex): ByteAutomaton | undefined {
  const nfa = compileNfa(regex)
  if (nfa === undefined) return undefined
  const sets = [...nfa.sets]
  const wordSet = assertsAny(nfa, ['word', 'noWord']) ? sets.push(wordRanges(false)) - 1 : undefined
  const asciiWordSet = assertsAny(nfa, ['asciiWord', 'noAsciiWord'])
    ? sets.push(wordRanges(true)) - 1
    : undefined
  const chars = charClasses(sets)
  return new ByteAutomaton(
    chars,
    new StepSets(nfa, chars, { word: wordSet, asciiWord: asciiWordSet }),
  )
}

function assertsAny(nfa: Nfa, what: Assertion[]): boolean {
  return what.some((one) => nfa.assertions.has(one))
}
