// Subset construction, on demand: each set of NFA steps between two characters of a line gets a
// number. A match may start anywhere, so every set includes the first steps. Sets ignore match
// priority.
import type { CharClasses } from './char-classes.ts'
import type { Assertion, Nfa } from './nfa.ts'

/** Stands for a set: the line matches. */
export const matchedSet = -1
/** Stands for a character class: the line ends. */
export const lineEnd = -1

const notComputed = -2

interface StepSet {
  /** Steps that consume a character and assertions that depend on the next one, sorted. */
  steps: Int32Array
  /** Some of the steps are assertions. */
  hasAssertions: boolean
  /** Bits about the previous character that the assertions need. */
  context: number
  /** The set after a character of each class. */
  next: Int32Array
  matchesAtEnd: number
}

const wordBit = 1
const asciiWordBit = 2
const lineStartBit = 4

/** Indices of the two word sets; undefined where no assertion uses them. */
export interface WordSets {
  word: number | undefined
  asciiWord: number | undefined
}

export class StepSets {
  /** Steps visited so far: the cost of building sets. */
  work = 0
  readonly #nfa: Nfa
  readonly #chars: CharClasses
  readonly #words: WordSets
  readonly #sets: StepSet[] = []
  readonly #setByKey = new Map<string, number>()
  /** The round in which each step was last added, to add it only once. */
  readonly #lastRound: Uint32Array
  #round = 0
  #size = 0
  #gathered: number[] = []
  #matched = false

  constructor(nfa: Nfa, chars: CharClasses, words: WordSets) {
    this.#nfa = nfa
    this.#chars = chars
    this.#words = words
    this.#lastRound = new Uint32Array(nfa.steps.length)
  }

  /** How many numbers the sets hold. */
  get size(): number {
    return this.#size
  }

  /** The set at the start of a line, or `matchedSet` when every line matches. */
  lineStart(): number {
    this.#begin()
    this.#follow(this.#nfa.start, true)
    return this.#finish(lineStartBit)
  }

  /** Whether nothing that follows on the line can produce a match. */
  isDead(set: number): boolean {
    return this.#sets[set]?.steps.length === 0
  }

  /** The set after one more character. */
  after(set: number, charClass: number): number {
    const from = this.#sets[set] as StepSet
    const existing = from.next[charClass] as number
    if (existing !== notComputed) return existing
    const to = this.#step(from, charClass)
    from.next[charClass] = to
    return to
  }

  /** Whether the line matches if it ends here. */
  matchesAtEnd(set: number): boolean {
    const from = this.#sets[set] as StepSet
    if (from.matchesAtEnd === notComputed) {
      this.#resolve(from, lineEnd)
      from.matchesAtEnd = this.#matched ? 1 : 0
    }
    return from.matchesAtEnd === 1
  }

  /** Evicts all sets but one and returns the new number of that set. */
  clear(set: number): number {
    const { steps, context } = this.#sets[set] as StepSet
    this.#sets.length = 0
    this.#setByKey.clear()
    this.#size = 0
    this.#begin()
    this.#gathered = [...steps]
    return this.#finish(context)
  }

  #step(from: StepSet, charClass: number): number {
    const steps = this.#resolve(from, charClass)
    if (this.#matched) return matchedSet
    this.#begin()
    for (const at of steps) {
      const step = this.#nfa.steps[at]
      if (step?.kind === 'char' && this.#chars.has(step.set, charClass)) {
        this.#follow(step.next, false)
      }
    }
    this.work += steps.length
    this.#follow(this.#nfa.start, false)
    return this.#finish(this.#contextAfter(charClass))
  }

  /** The context bits after a character of this class. */
  #contextAfter(charClass: number): number {
    const { word, asciiWord } = this.#words
    const isWord = word !== undefined && this.#chars.has(word, charClass)
    const isAscii = asciiWord !== undefined && this.#chars.has(asciiWord, charClass)
    return (isWord ? wordBit : 0) | (isAscii ? asciiWordBit : 0)
  }

  /** The steps that may consume the next character, with assertions resolved. */
  #resolve(from: StepSet, next: number): ArrayLike<number> & Iterable<number> {
    this.#matched = false
    if (!from.hasAssertions) return from.steps
    this.#begin()
    const nextContext = next === lineEnd ? 0 : this.#contextAfter(next)
    const holds = (what: Assertion): boolean =>
      assertionHolds(what, from.context, nextContext, next)
    for (const at of from.steps) this.#followResolved(at, holds)
    return this.#gathered
  }

  #begin(): void {
    this.#round++
    this.#gathered = []
    this.#matched = false
  }

  /**
   * Adds the closure of a step: everything reachable without a character or an unresolved
   * assertion.
   */
  #follow(from: number, atStart: boolean): void {
    const stack = [from]
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (this.#lastRound[at] === this.#round) continue
      this.#lastRound[at] = this.#round
      this.work++
      const step = this.#nfa.steps[at]
      if (step === undefined) continue
      if (step.kind === 'match') this.#matched = true
      else if (step.kind === 'split') stack.push(step.other, step.next)
      else if (step.kind === 'char' || step.what !== 'start') this.#gathered.push(at)
      else if (atStart) stack.push(step.next)
    }
  }

  /** Adds the closure of a step with all assertions resolved. */
  #followResolved(from: number, holds: (what: Assertion) => boolean): void {
    const stack = [from]
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (this.#lastRound[at] === this.#round) continue
      this.#lastRound[at] = this.#round
      this.work++
      const step = this.#nfa.steps[at]
      if (step === undefined) continue
      if (step.kind === 'match') this.#matched = true
      else if (step.kind === 'split') stack.push(step.other, step.next)
      else if (step.kind === 'char') this.#gathered.push(at)
      else if (holds(step.what)) stack.push(step.next)
    }
  }

  /** The number of the gathered set, which is new or already stored. */
  #finish(contextBefore: number): number {
    if (this.#matched) return matchedSet
    const steps = Int32Array.from(this.#gathered).sort()
    const hasAssertions = steps.some((at) => this.#nfa.steps[at]?.kind === 'assert')
    const context = hasAssertions ? contextBefore : 0
    const key = `${context}:${steps.join()}`
    const existing = this.#setByKey.get(key)
    if (existing !== undefined) return existing
    const next = new Int32Array(this.#chars.count).fill(notComputed)
    const set =
      this.#sets.push({
        steps,
        hasAssertions,
        context,
        next,
        matchesAtEnd: notComputed,
      }) - 1
    this.#setByKey.set(key, set)
    // The steps are stored twice: in the set and in the key, which needs about two numbers per
    // step.
    this.#size += next.length + steps.length * 3
    return set
  }
}

/** In an empty line neither `\b` nor `\B` holds. */
function assertionHolds(
  assertion: Assertion,
  context: number,
  nextContext: number,
  next: number,
): boolean {
  const isEmpty = (context & lineStartBit) !== 0 && next === lineEnd
  switch (assertion) {
    case 'start':
      return (context & lineStartBit) !== 0
    case 'end':
      return next === lineEnd
    case 'word':
      return (context & wordBit) !== (nextContext & wordBit)
    case 'noWord':
      return (context & wordBit) === (nextContext & wordBit) && !isEmpty
    case 'asciiWord':
      return (context & asciiWordBit) !== (nextContext & asciiWordBit)
    case 'noAsciiWord':
      return (context & asciiWordBit) === (nextContext & asciiWordBit) && !isEmpty
  }
}
