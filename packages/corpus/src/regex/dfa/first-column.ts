// Finds the column of the first match on a line. The DFA reports only that a line matches, so an
// NFA simulation runs over that line and tracks where each thread started.
import type { Regex } from '../ast.ts'
import { charClasses, intervalIndex } from './char-classes.ts'
import type { CharClasses } from './char-classes.ts'
import { wordRanges } from '../code-points.ts'
import { compileNfa, isRegular } from './nfa.ts'
import type { Assertion, Nfa } from './nfa.ts'

/** Column (from 1) of the first match on a matching line; undefined for irregular patterns. */
export function columnFinder(regex: Regex): ((line: string) => number) | undefined {
  if (!isRegular(regex)) return undefined
  let compiled: { nfa: Nfa; classes: CharClasses } | undefined
  return (line) => {
    compiled ??= prepare(regex)
    return new FirstMatch(compiled.nfa, compiled.classes, line).start() + 1
  }
}

/** The word sets follow the sets of the pattern. */
function prepare(regex: Regex): { nfa: Nfa; classes: CharClasses } {
  const nfa = compileNfa(regex) as Nfa
  const usesWords = ['word', 'noWord'].some((what) => nfa.assertions.has(what as Assertion))
  const wordSets = [usesWords ? wordRanges(false) : [], wordRanges(true)]
  return { nfa, classes: charClasses([...nfa.sets, ...wordSets]) }
}

class FirstMatch {
  readonly #nfa: Nfa
  readonly #classes: CharClasses
  /** The class of each character of the line. */
  readonly #lineClasses: number[]
  /** Active threads, earliest start first: their steps and start positions. */
  #steps: number[] = []
  #starts: number[] = []
  readonly #seen: Int32Array
  #best = Infinity

  constructor(nfa: Nfa, classes: CharClasses, line: string) {
    this.#nfa = nfa
    this.#classes = classes
    this.#lineClasses = Array.from(line, (char) => {
      const interval = intervalIndex(classes.starts, char.codePointAt(0) as number)
      return classes.classes[interval] as number
    })
    this.#seen = new Int32Array(nfa.steps.length).fill(-1)
  }

  start(): number {
    for (let at = 0; at <= this.#lineClasses.length; at++) {
      const [steps, starts] = [this.#steps, this.#starts]
      this.#steps = []
      this.#starts = []
      for (const [index, step] of steps.entries()) this.#follow(step, starts[index] as number, at)
      if (this.#best === Infinity) this.#follow(this.#nfa.start, at, at)
      else if (this.#starts.length === 0) break
      if (at < this.#lineClasses.length) this.#advance(this.#lineClasses[at] as number)
    }
    return Math.min(this.#best, this.#lineClasses.length)
  }

  /**
   * Follows steps that consume no character. The thread with the earliest start reaches a step
   * first.
   */
  #follow(from: number, start: number, at: number): void {
    if (start >= this.#best) return
    const stack = [from]
    for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
      if (this.#seen[one] === at) continue
      this.#seen[one] = at
      const step = this.#nfa.steps[one]
      if (step === undefined) continue
      if (step.kind === 'match') this.#best = start
      else if (step.kind === 'split') stack.push(step.other, step.next)
      else if (step.kind === 'assert') {
        if (this.#holds(step.what, at)) stack.push(step.next)
      } else {
        this.#steps.push(one)
        this.#starts.push(start)
      }
    }
  }

  #advance(charClass: number): void {
    const next: [number, number][] = []
    for (const [index, at] of this.#steps.entries()) {
      const step = this.#nfa.steps[at]
      const start = this.#starts[index] as number
      if (step?.kind !== 'char' || start >= this.#best) continue
      if (this.#classes.has(step.set, charClass)) next.push([step.next, start])
    }
    this.#steps = next.map(([step]) => step)
    this.#starts = next.map(([, start]) => start)
  }

  #holds(what: Assertion, at: number): boolean {
    if (what === 'start') return at === 0
    if (what === 'end') return at === this.#lineClasses.length
    const ascii = what === 'asciiWord' || what === 'noAsciiWord'
    const isBoundary = this.#isWord(at - 1, ascii) !== this.#isWord(at, ascii)
    const isNegated = what === 'noWord' || what === 'noAsciiWord'
    return isBoundary !== isNegated && this.#lineClasses.length > 0
  }

  #isWord(at: number, ascii: boolean): boolean {
    const charClass = this.#lineClasses[at]
    const wordSet = this.#nfa.sets.length + (ascii ? 1 : 0)
    return charClass !== undefined && this.#classes.has(wordSet, charClass)
  }
}
