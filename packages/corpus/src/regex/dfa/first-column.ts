// Where on a line the first match begins. An automaton knows only that there is one, so the line is gone
// through once more with every way through the pattern at once, each with where it began.
import type { Regex } from '../ast.ts'
import { charClasses, stretchOf } from './char-classes.ts'
import type { CharClasses } from './char-classes.ts'
import { wordRanges } from '../code-points.ts'
import { compileNfa, isRegular } from './nfa.ts'
import type { Assertion, Nfa } from './nfa.ts'

/** Column, from 1, of the first match on a line that has one; undefined for irregular patterns. */
export function columnFinder(regex: Regex): ((line: string) => number) | undefined {
  if (!isRegular(regex)) return undefined
  let made: { nfa: Nfa; classes: CharClasses } | undefined
  return (line) => {
    made ??= prepared(regex)
    return new FirstMatch(made.nfa, made.classes, line).start() + 1
  }
}

/** Behind the sets of the pattern come those of words, as far as it asks for them. */
function prepared(regex: Regex): { nfa: Nfa; classes: CharClasses } {
  const nfa = compileNfa(regex) as Nfa
  const isAsked = ['word', 'noWord'].some((what) => nfa.asserted.has(what as Assertion))
  const words = [isAsked ? wordRanges(false) : [], wordRanges(true)]
  return { nfa, classes: charClasses([...nfa.sets, ...words]) }
}

class FirstMatch {
  readonly #nfa: Nfa
  readonly #classes: CharClasses
  /** The class of each character. */
  readonly #line: number[]
  /** Ways at this place and the next: steps and where each way began, earliest first. */
  #steps: number[] = []
  #starts: number[] = []
  readonly #seen: Int32Array
  #best = Infinity

  constructor(nfa: Nfa, classes: CharClasses, line: string) {
    this.#nfa = nfa
    this.#classes = classes
    this.#line = Array.from(line, (char) => {
      const stretch = stretchOf(classes.starts, char.codePointAt(0) as number)
      return classes.classes[stretch] as number
    })
    this.#seen = new Int32Array(nfa.steps.length).fill(-1)
  }

  start(): number {
    for (let at = 0; at <= this.#line.length; at++) {
      const [steps, starts] = [this.#steps, this.#starts]
      this.#steps = []
      this.#starts = []
      for (const [index, step] of steps.entries()) this.#follow(step, starts[index] as number, at)
      if (this.#best === Infinity) this.#follow(this.#nfa.start, at, at)
      else if (this.#starts.length === 0) break
      if (at < this.#line.length) this.#take(this.#line[at] as number)
    }
    return Math.min(this.#best, this.#line.length)
  }

  /** Goes on without a character; the earliest way to a step comes first and is the one kept. */
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

  #take(charClass: number): void {
    const kept: [number, number][] = []
    for (const [index, at] of this.#steps.entries()) {
      const step = this.#nfa.steps[at]
      const start = this.#starts[index] as number
      if (step?.kind !== 'char' || start >= this.#best) continue
      if (this.#classes.has(step.set, charClass)) kept.push([step.next, start])
    }
    this.#steps = kept.map(([step]) => step)
    this.#starts = kept.map(([, start]) => start)
  }

  #holds(what: Assertion, at: number): boolean {
    if (what === 'start') return at === 0
    if (what === 'end') return at === this.#line.length
    const ascii = what === 'asciiWord' || what === 'noAsciiWord'
    const isBoundary = this.#isWord(at - 1, ascii) !== this.#isWord(at, ascii)
    const isNegated = what === 'noWord' || what === 'noAsciiWord'
    return isBoundary !== isNegated && this.#line.length > 0
  }

  #isWord(at: number, ascii: boolean): boolean {
    const charClass = this.#line[at]
    const words = this.#nfa.sets.length + (ascii ? 1 : 0)
    return charClass !== undefined && this.#classes.has(words, charClass)
  }
}
