// A small backtracking engine for the few patterns that JavaScript interprets differently from
// Python. Each node becomes a function that matches at a position and then calls its continuation.
// It is much slower than V8 and runs only where a deadline can stop it.
import type { Fold, Regex, RegexNode } from './ast.ts'
import { equalsFolded } from './fold.ts'
import { charPredicate } from './char-test.ts'

/** Matches at a position; returns true once the continuation has matched, too. */
type Matcher = (at: number) => boolean

/**
 * Compiles a search for the index of the first match, or -1. `lines` means the same as in
 * `EmitOptions`.
 */
export function fallbackEngine(regex: Regex, lines: boolean): (text: string) => number {
  const run = new Run(regex, lines)
  return (text) => run.search(text)
}

class Run {
  readonly #start: Matcher
  readonly #lines: boolean
  /** Code points, so that each index is one character. */
  #text: number[] = []
  #starts: number[]
  #ends: number[]

  constructor(regex: Regex, lines: boolean) {
    this.#lines = lines
    this.#starts = Array.from({ length: regex.groups + 1 }, () => -1)
    this.#ends = [...this.#starts]
    this.#start = this.#compile(regex.body, () => true)
  }

  search(text: string): number {
    this.#text = Array.from(text, (char) => char.codePointAt(0) as number)
    for (let at = 0; at <= this.#text.length; at++) {
      this.#starts.fill(-1)
      this.#ends.fill(-1)
      if (this.#start(at)) return at
    }
    return -1
  }

  #compile(node: RegexNode, next: Matcher): Matcher {
    switch (node.kind) {
      case 'char':
      case 'set':
      case 'dot': {
        const test = charPredicate(node, this.#lines)
        return (at) => at < this.#text.length && test(this.#text[at] as number) && next(at + 1)
      }
      case 'start':
        return (at) => this.#isStart(at, node.multiline) && next(at)
      case 'end':
        return (at) => this.#isEnd(at, node) && next(at)
      case 'boundary': {
        const isWord = charPredicate(wordSet(node.ascii), this.#lines)
        return (at) =>
          this.#text.length > 0 && this.#isBoundary(at, isWord) !== node.negated && next(at)
      }
      case 'sequence':
        return node.items.reduceRight((after, item) => this.#compile(item, after), next)
      case 'either': {
        const branches = node.branches.map((branch) => this.#compile(branch, next))
        return (at) => branches.some((branch) => branch(at))
      }
      case 'capture':
        return this.#capture(node.group, node.body, next)
      case 'atomic':
        return this.#atomic(node.body, next)
      case 'repeat':
        return this.#repeat(node, next)
      case 'look':
        return this.#look(node, next)
      case 'backref':
        return this.#backref(node.group, node.fold, next)
      case 'conditional': {
        const yes = this.#compile(node.yes, next)
        const no = this.#compile(node.no, next)
        return (at) => ((this.#ends[node.group] as number) >= 0 ? yes(at) : no(at))
      }
    }
  }

  #isStart(at: number, multiline: boolean): boolean {
    return at === 0 || (multiline && this.#text[at - 1] === 10)
  }

  #isEnd(at: number, node: { multiline: boolean; strict: boolean }): boolean {
    const left = this.#text.length - at
    if (left === 0) return true
    if (this.#text[at] !== 10 || node.strict) return false
    return node.multiline || left === 1
  }

  #isBoundary(at: number, isWord: (code: number) => boolean): boolean {
    const isWordAt = (index: number): boolean => {
      const code = this.#text[index]
      return code !== undefined && isWord(code)
    }
    return isWordAt(at - 1) !== isWordAt(at)
  }

  #capture(group: number, body: RegexNode, next: Matcher): Matcher {
    let opened = -1
    const inner = this.#compile(body, (at) => {
      const [start, end] = [this.#starts[group] as number, this.#ends[group] as number]
      this.#starts[group] = opened
      this.#ends[group] = at
      if (next(at)) return true
      this.#starts[group] = start
      this.#ends[group] = end
      return false
    })
    return (at) => {
      const outer = opened
      opened = at
      if (inner(at)) return true
      opened = outer
      return false
    }
  }

  /** Commits to the first match of the body. */
  #atomic(body: RegexNode, next: Matcher): Matcher {
    let end = -1
    const inner = this.#compile(body, (at) => {
      end = at
      return true
    })
    return (at) => {
      const saved = this.#save()
      if (inner(at) && next(end)) return true
      this.#restore(saved)
      return false
    }
  }

  #look(node: RegexNode & { kind: 'look' }, next: Matcher): Matcher {
    let target = -1
    const inner = this.#compile(node.body, node.backward ? (at) => at === target : () => true)
    const holds = (at: number): boolean => {
      if (!node.backward) return inner(at)
      const outer = target
      target = at
      let found = false
      for (let from = at; from >= 0 && !found; from--) found = inner(from)
      target = outer
      return found
    }
    return (at) => {
      const saved = this.#save()
      const found = holds(at)
      if (node.negated) this.#restore(saved)
      if (found !== node.negated && next(at)) return true
      this.#restore(saved)
      return false
    }
  }

  #backref(group: number, fold: Fold, next: Matcher): Matcher {
    return (at) => {
      const [start, end] = [this.#starts[group] as number, this.#ends[group] as number]
      if (end < 0 || at + end - start > this.#text.length) return false
      for (let i = start; i < end; i++) {
        const other = this.#text[at + i - start] as number
        if (!equalsFolded(this.#text[i] as number, other, fold)) return false
      }
      return next(at + end - start)
    }
  }

  #repeat(node: RegexNode & { kind: 'repeat' }, next: Matcher): Matcher {
    if (node.mode === 'possessive') return this.#atomic({ ...node, mode: 'greedy' }, next)
    const { min, max } = node
    const lazy = node.mode === 'lazy'
    // Iterations completed so far, and the position where the last one started.
    let count = 0
    let last = -1
    const exit = (at: number): boolean => {
      const [iterations, start] = [count, last]
      if (iterations >= min && next(at)) return true
      count = iterations
      last = start
      return false
    }
    const iterate = (at: number): boolean => {
      const [iterations, start] = [count, last]
      // An iteration that starts where the previous one started would loop indefinitely.
      if (iterations >= max || (iterations >= min && at === start)) return false
      count = iterations + 1
      last = at
      if (body(at)) return true
      count = iterations
      last = start
      return false
    }
    const step: Matcher = lazy ? (at) => exit(at) || iterate(at) : (at) => iterate(at) || exit(at)
    const body = this.#compile(node.body, step)
    return (at) => {
      const [iterations, start] = [count, last]
      count = 0
      last = -1
      if (step(at)) return true
      count = iterations
      last = start
      return false
    }
  }

  #save(): [number[], number[]] {
    return [[...this.#starts], [...this.#ends]]
  }

  #restore([starts, ends]: [number[], number[]]): void {
    this.#starts = [...starts]
    this.#ends = [...ends]
  }
}

function wordSet(ascii: boolean): RegexNode & { kind: 'set' } {
  const item = { kind: 'class', name: 'w', negated: false, ascii } as const
  return { kind: 'set', items: [item], negated: false, fold: 'none' }
}
