// Sets of steps that a pattern can be at, between two characters of a line. Each set is made when the
// text first leads to it and kept under a number. A match may begin anywhere, so every set holds the
// first steps, too; which way through the pattern a match takes does not matter here.
import type { CharClasses } from './char-classes.ts'
import type { Assertion, Nfa } from './nfa.ts'

/** In place of a set: the line has a match. */
export const matchedSet = -1
/** In place of a class of characters: the line ends. */
export const lineEnd = -1

const unknown = -2

interface StepSet {
  /** Steps that take a character, and assertions that depend on what comes next; sorted. */
  steps: Int32Array
  /** Some of the steps are assertions. */
  pending: boolean
  /** What came before, as far as an assertion asks for it: see `before`. */
  before: number
  /** The set after a character of each class. */
  after: Int32Array
  afterEnd: number
}

const wordBit = 1
const asciiWordBit = 2
const lineStartBit = 4

/** Sets of the two kinds of words among the classes; undefined where nothing asks. */
export interface WordSets {
  word: number | undefined
  asciiWord: number | undefined
}

export class StepSets {
  /** Steps looked at so far: what making sets has cost. */
  work = 0
  readonly #nfa: Nfa
  readonly #chars: CharClasses
  readonly #words: WordSets
  readonly #found: StepSet[] = []
  readonly #known = new Map<string, number>()
  /** When each step was last added, so that none is added twice. */
  readonly #seen: Uint32Array
  #round = 0
  #size = 0
  #gathered: number[] = []
  #matched = false

  constructor(nfa: Nfa, chars: CharClasses, words: WordSets) {
    this.#nfa = nfa
    this.#chars = chars
    this.#words = words
    this.#seen = new Uint32Array(nfa.steps.length)
  }

  /** How many numbers the sets hold. */
  get size(): number {
    return this.#size
  }

  /** The set at the beginning of a line, or that every line matches. */
  lineStart(): number {
    this.#begin()
    this.#follow(this.#nfa.start, true)
    return this.#finish(lineStartBit)
  }

  /** Whether nothing that follows on the line can make a match. */
  isDead(set: number): boolean {
    return this.#found[set]?.steps.length === 0
  }

  /** The set after one more character. */
  after(set: number, charClass: number): number {
    const from = this.#found[set] as StepSet
    const known = from.after[charClass] as number
    if (known !== unknown) return known
    const to = this.#step(from, charClass)
    from.after[charClass] = to
    return to
  }

  /** Whether the line matches if it ends here. */
  matchesAtEnd(set: number): boolean {
    const from = this.#found[set] as StepSet
    if (from.afterEnd === unknown) {
      this.#resolve(from, lineEnd)
      from.afterEnd = this.#matched ? 1 : 0
    }
    return from.afterEnd === 1
  }

  /** Forgets all sets but one, which gets a new number. */
  clear(kept: number): number {
    const { steps, before } = this.#found[kept] as StepSet
    this.#found.length = 0
    this.#known.clear()
    this.#size = 0
    this.#begin()
    this.#gathered = [...steps]
    return this.#finish(before)
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
    return this.#finish(this.#before(charClass))
  }

  /** What assertions can ask about a character just taken. */
  #before(charClass: number): number {
    const { word, asciiWord } = this.#words
    const isWord = word !== undefined && this.#chars.has(word, charClass)
    const isAscii = asciiWord !== undefined && this.#chars.has(asciiWord, charClass)
    return (isWord ? wordBit : 0) | (isAscii ? asciiWordBit : 0)
  }

  /** The steps that may take the next character, now that it is known. */
  #resolve(from: StepSet, next: number): ArrayLike<number> & Iterable<number> {
    this.#matched = false
    if (!from.pending) return from.steps
    this.#begin()
    const nextWords = next === lineEnd ? 0 : this.#before(next)
    const holds = (what: Assertion): boolean => isTrue(what, from.before, nextWords, next)
    for (const at of from.steps) this.#followKnown(at, from.before, holds)
    return this.#gathered
  }

  #begin(): void {
    this.#round++
    this.#gathered = []
    this.#matched = false
  }

  /** Adds a step and what follows it without a character, up to what depends on the next one. */
  #follow(from: number, atStart: boolean): void {
    const stack = [from]
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (this.#seen[at] === this.#round) continue
      this.#seen[at] = this.#round
      this.work++
      const step = this.#nfa.steps[at]
      if (step === undefined) continue
      if (step.kind === 'match') this.#matched = true
      else if (step.kind === 'split') stack.push(step.other, step.next)
      else if (step.kind === 'char' || step.what !== 'start') this.#gathered.push(at)
      else if (atStart) stack.push(step.next)
    }
  }

  /** The same where everything about the place is known. */
  #followKnown(from: number, before: number, holds: (what: Assertion) => boolean): void {
    const stack = [from]
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      if (this.#seen[at] === this.#round) continue
      this.#seen[at] = this.#round
      this.work++
      const step = this.#nfa.steps[at]
      if (step === undefined) continue
      if (step.kind === 'match') this.#matched = true
      else if (step.kind === 'split') stack.push(step.other, step.next)
      else if (step.kind === 'char') this.#gathered.push(at)
      else if (holds(step.what)) stack.push(step.next)
    }
  }

  /** The number of the set just gathered. */
  #finish(before: number): number {
    if (this.#matched) return matchedSet
    const steps = Int32Array.from(this.#gathered).sort()
    const pending = steps.some((at) => this.#nfa.steps[at]?.kind === 'assert')
    const kept = pending ? before : 0
    const key = `${kept}:${steps.join()}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const after = new Int32Array(this.#chars.count).fill(unknown)
    const number = this.#found.push({ steps, pending, before: kept, after, afterEnd: unknown }) - 1
    this.#known.set(key, number)
    // The key is as long as the steps are many, and then some.
    this.#size += after.length + steps.length * 3
    return number
  }
}

/** An empty line has no boundary, and no place without one either. */
function isTrue(what: Assertion, before: number, after: number, next: number): boolean {
  const isEmpty = (before & lineStartBit) !== 0 && next === lineEnd
  switch (what) {
    case 'start':
      return (before & lineStartBit) !== 0
    case 'end':
      return next === lineEnd
    case 'word':
      return (before & wordBit) !== (after & wordBit)
    case 'noWord':
      return (before & wordBit) === (after & wordBit) && !isEmpty
    case 'asciiWord':
      return (before & asciiWordBit) !== (after & asciiWordBit)
    case 'noAsciiWord':
      return (before & asciiWordBit) === (after & asciiWordBit) && !isEmpty
  }
}
