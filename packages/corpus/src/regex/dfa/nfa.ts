// A regular pattern as a nondeterministic automaton over characters: a few kinds of steps in one table.
// Only lines are searched, so `^`, `\A` mean the beginning of the line and `$`, `\Z` its end.
import { childrenOf } from '../ast.ts'
import type { Regex, RegexNode } from '../ast.ts'
import { rangesOf } from '../code-points.ts'
import type { Ranges, Single } from '../code-points.ts'

/** What has to hold at a place for a step to go on. */
export type Assertion = 'start' | 'end' | 'word' | 'asciiWord' | 'noWord' | 'noAsciiWord'

export type Step =
  /** Takes one character out of a set. */
  | { kind: 'char'; set: number; next: number }
  | { kind: 'split'; next: number; other: number }
  | { kind: 'assert'; what: Assertion; next: number }
  | { kind: 'match' }

export interface Nfa {
  steps: readonly Step[]
  start: number
  /** The sets of characters that steps refer to. */
  sets: readonly Ranges[]
  /** What is asserted anywhere. */
  asserted: ReadonlySet<Assertion>
}

/** Patterns that unfold to more are left to an engine that counts. */
const mostSteps = 4000

/** Undefined when the pattern is not regular or too large. */
export function compileNfa(regex: Regex): Nfa | undefined {
  return isRegular(regex) ? new Compiler().compile(regex.body) : undefined
}

/** Whether an automaton of reasonable size can do it. */
export function isRegular(regex: Regex): boolean {
  return stepsOf(regex.body, 0) <= mostSteps
}

/** Far less than the stack can take. */
const mostDepth = 500

/** How many steps a node takes at most; Infinity for what no automaton can do. */
function stepsOf(node: RegexNode, depth: number): number {
  if (depth > mostDepth) return Infinity
  const below = childrenOf(node).reduce((sum, child) => sum + stepsOf(child, depth + 1), 0)
  switch (node.kind) {
    case 'sequence':
    case 'capture':
      return below
    case 'either':
      return below + node.branches.length - 1
    case 'repeat': {
      if (node.mode === 'possessive') return Infinity
      const body = Math.max(1, below)
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
  readonly #known = new Map<string, number>()
  /** Nodes that are repeated come again and again. */
  readonly #setsOf = new Map<Single, number>()
  readonly #asserted = new Set<Assertion>()

  compile(body: RegexNode): Nfa {
    const start = this.#node(body, 0)
    return { steps: this.#steps, start, sets: this.#sets, asserted: this.#asserted }
  }

  /** The step to begin with so that the node is matched and then `next`. */
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
      const again = { kind: 'split' as const, next: 0, other: next }
      after = this.#add(again)
      again.next = this.#node(node.body, after)
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
    this.#asserted.add(what)
    return this.#add({ kind: 'assert', what, next })
  }

  #set(node: Single): number {
    const known = this.#setsOf.get(node)
    if (known !== undefined) return known
    const ranges = rangesOf(node)
    const key = ranges.join()
    const set = this.#known.get(key) ?? this.#sets.push(ranges) - 1
    this.#known.set(key, set)
    this.#setsOf.set(node, set)
    return set
  }

  #add(step: Step): number {
    return this.#steps.push(step) - 1
  }
}
