// Compiles a regular pattern to a nondeterministic automaton over characters, as a table of steps.
// Subjects are lines, so `^` and `\A` mean the line start, `$` and `\Z` the line end.
import { childrenOf } from '../ast.ts'
import type { Regex, RegexNode } from '../ast.ts'
import { rangesOf } from '../code-points.ts'
import type { Ranges, CharNode } from '../code-points.ts'

/** A condition on a position that a step requires. */
export type Assertion = 'start' | 'end' | 'word' | 'asciiWord' | 'noWord' | 'noAsciiWord'

export type Step =
  /** Consumes one character of a set. */
  | { kind: 'char'; set: number; next: number }
  | { kind: 'split'; next: number; other: number }
  | { kind: 'assert'; what: Assertion; next: number }
  | { kind: 'match' }

export interface Nfa {
  steps: readonly Step[]
  start: number
  /** The character sets that steps refer to. */
  sets: readonly Ranges[]
  /** All assertions that occur in the pattern. */
  assertions: ReadonlySet<Assertion>
}

/** Larger patterns go to an engine that counts repeats. */
const maxSteps = 4000

/** Compiles the pattern; undefined if it is not regular or too large. */
export function compileNfa(regex: Regex): Nfa | undefined {
  return isRegular(regex) ? new Compiler().compile(regex.body) : undefined
}

/** Whether the pattern is regular and small enough for an automaton. */
export function isRegular(regex: Regex): boolean {
  return stepCount(regex.body, 0) <= maxSteps
}

/** Keeps the recursion well below the stack limit. */
const maxDepth = 500

/** Maximum number of steps for a node; Infinity if no automaton can match it. */
function stepCount(node: RegexNode, depth: number): number {
  if (depth > maxDepth) return Infinity
  const childSteps = childrenOf(node).reduce((sum, child) => sum + stepCount(child, depth + 1), 0)
  switch (node.kind) {
    case 'sequence':
    case 'capture':
      return childSteps
    case 'either':
      return childSteps + node.branches.length - 1
    case 'repeat': {
      if (node.mode === 'possessive') return Infinity
      const body = Math.max(1, childSteps)
      return node.min * body + (node.max === Infinity ? 1 : node.max - node.min) * (body + 1)
    }
    case 'atomic':
    case 'look':
    case 'backref':
    case 'conditional':
      return Infinity
    default:
      return 1
  }
}

class Compiler {
  readonly #steps: Step[] = [{ kind: 'match' }]
  readonly #sets: Ranges[] = []
  readonly #setByKey = new Map<string, number>()
  /** A repeated node is compiled several times. */
  readonly #setByNode = new Map<CharNode, number>()
  readonly #assertions = new Set<Assertion>()

  compile(body: RegexNode): Nfa {
    const start = this.#node(body, 0)
    return { steps: this.#steps, start, sets: this.#sets, assertions: this.#assertions }
  }

  /** Compiles a node followed by step `next` and returns its first step. */
  #node(node: RegexNode, next: number): number {
    switch (node.kind) {
      case 'char':
      case 'set':
      case 'dot':
        return this.#add({ kind: 'char', set: this.#set(node), next })
      case 'start':
      case 'end':
        return this.#assert(node.kind, next)
      case 'boundary':
        if (node.ascii) return this.#assert(node.negated ? 'noAsciiWord' : 'asciiWord', next)
        return this.#assert(node.negated ? 'noWord' : 'word', next)
      case 'sequence':
        return node.items.reduceRight((after, item) => this.#node(item, after), next)
      case 'either':
        return node.branches
          .map((branch) => this.#node(branch, next))
          .reduceRight((other, first) => this.#add({ kind: 'split', next: first, other }))
      case 'capture':
        return this.#node(node.body, next)
      case 'repeat':
        return this.#repeat(node, next)
      default:
        throw new Error(`no automaton for ${node.kind}`)
    }
  }

  #repeat(node: RegexNode & { kind: 'repeat' }, next: number): number {
    let after = next
    if (node.max === Infinity) {
      const loop = { kind: 'split' as const, next: 0, other: next }
      after = this.#add(loop)
      loop.next = this.#node(node.body, after)
    } else {
      for (let count = node.min; count < node.max; count++) {
        const body = this.#node(node.body, after)
        after = this.#add({ kind: 'split', next: body, other: next })
      }
    }
    for (let count = 0; count < node.min; count++) after = this.#node(node.body, after)
    return after
  }

  #assert(what: Assertion, next: number): number {
    this.#assertions.add(what)
    return this.#add({ kind: 'assert', what, next })
  }

  #set(node: CharNode): number {
    const existing = this.#setByNode.get(node)
    if (existing !== undefined) return existing
    const ranges = rangesOf(node)
    const key = ranges.join()
    const set = this.#setByKey.get(key) ?? this.#sets.push(ranges) - 1
    this.#setByKey.set(key, set)
    this.#setByNode.set(node, set)
    return set
  }

  #add(step: Step): number {
    return this.#steps.push(step) - 1
  }
}
