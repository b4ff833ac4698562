// Static analysis of a pattern: which engine follows Python's semantics, whether a search is
// linear, and which text every match contains.
import { childrenOf } from './ast.ts'
import type { Regex, RegexNode } from './ast.ts'
import { caseVariants } from './fold.ts'

/**
 * Whether V8 would disagree with Python: conditionals, case-insensitive references, and empty
 * repeats inside atomic groups. A reference to an unset group fails in Python; in JavaScript it
 * matches the empty string.
 */
export function needsFallbackEngine(regex: Regex): boolean {
  let needed = false
  const visit = (
    node: RegexNode,
    alwaysSet: ReadonlySet<number>,
    inLookbehind: boolean,
  ): Set<number> => {
    const after = new Set(alwaysSet)
    switch (node.kind) {
      case 'backref':
        needed ||= node.fold !== 'none' || !alwaysSet.has(node.group)
        return after
      case 'conditional':
        needed = true
        return after
      case 'sequence':
        return node.items.reduce((known, item) => visit(item, known, inLookbehind), after)
      case 'either':
        return intersection(node.branches.map((branch) => visit(branch, alwaysSet, inLookbehind)))
      case 'capture':
        return visit(node.body, alwaysSet, inLookbehind).add(node.group)
      case 'atomic':
        needed ||= inLookbehind || hasEmptyRepeat(node.body)
        return visit(node.body, alwaysSet, inLookbehind)
      case 'repeat': {
        needed ||= node.mode === 'possessive' && (inLookbehind || hasEmptyRepeat(node))
        const inside = visit(node.body, alwaysSet, inLookbehind)
        return node.min > 0 && !canBeEmpty(node.body) ? inside : after
      }
      case 'look': {
        const inside = visit(node.body, alwaysSet, inLookbehind || node.backward)
        return node.negated ? after : inside
      }
      default:
        return after
    }
  }
  visit(regex.body, new Set(), false)
  return needed
}

/**
 * Whether an iteration of some repeat can match the empty string. JavaScript then backtracks into
 * that iteration, which an atomic group must not do.
 */
function hasEmptyRepeat(node: RegexNode): boolean {
  if (node.kind === 'repeat' && canBeEmpty(node.body)) return true
  return childrenOf(node).some(hasEmptyRepeat)
}

function intersection(sets: Set<number>[]): Set<number> {
  const [first = new Set<number>(), ...others] = sets
  return new Set([...first].filter((group) => others.every((other) => other.has(group))))
}

function canBeEmpty(node: RegexNode): boolean {
  switch (node.kind) {
    case 'char':
    case 'set':
    case 'dot':
      return false
    case 'sequence':
      return node.items.every(canBeEmpty)
    case 'either':
      return node.branches.some(canBeEmpty)
    case 'capture':
    case 'atomic':
      return canBeEmpty(node.body)
    case 'repeat':
      return node.min === 0 || canBeEmpty(node.body)
    default:
      return true
  }
}

/** Maximum cost per start position of a pattern that counts as linear. */
const maxLinearSteps = 2000

/** Whether every search takes time linear in the text. */
export function isLinearTime(regex: Regex): boolean {
  const items = regex.body.kind === 'sequence' ? regex.body.items : [regex.body]
  const last = items.at(-1)
  // A final unbounded repeat of one character never backtracks.
  const endsOpen = last?.kind === 'repeat' && last.max === Infinity && isSingle(last.body)
  const bounded = endsOpen ? [...items.slice(0, -1), { ...last, max: last.min }] : items
  const cost = costOf({ kind: 'sequence', items: bounded })
  return cost.ways * (cost.length + 1) <= maxLinearSteps
}

/** Consecutive unbounded repeats that V8 handles quickly on a line of ordinary length. */
const maxUnboundedRepeats = 2

/**
 * Whether V8 may backtrack for long on a line of ordinary length: an unbounded repeat of a choice,
 * or more than two unbounded repeats.
 */
export function hasBacktrackingRisk(regex: Regex): boolean {
  return unboundedRepeats(regex.body, false) > maxUnboundedRepeats
}

/** Unbounded repeats on one path through a node; Infinity when a choice is repeated. */
function unboundedRepeats(node: RegexNode, isRepeated: boolean): number {
  const isChoice = node.kind === 'either' || (node.kind === 'repeat' && node.min !== node.max)
  if (isRepeated && isChoice) return Infinity
  const isUnbounded = node.kind === 'repeat' && node.max > maxBoundedCount
  const inner = childrenOf(node).map((child) => unboundedRepeats(child, isRepeated || isUnbounded))
  const total = inner.reduce((a, b) => (node.kind === 'either' ? Math.max(a, b) : a + b), 0)
  return total + (isUnbounded ? 1 : 0)
}

/** Repeats with a higher maximum count as unbounded. */
const maxBoundedCount = 10

function isSingle(node: RegexNode): boolean {
  return node.kind === 'char' || node.kind === 'set' || node.kind === 'dot'
}

interface Cost {
  /** Maximum number of ways to match the same text. */
  ways: number
  /** Maximum length of a match in characters. */
  length: number
}

const unboundedCost: Cost = { ways: Infinity, length: Infinity }

function costOf(node: RegexNode): Cost {
  if (isSingle(node)) return { ways: 1, length: 1 }
  switch (node.kind) {
    case 'sequence':
      return node.items.map(costOf).reduce(
        (a, b) => ({
          ways: a.ways * b.ways,
          length: a.length + b.length,
        }),
        { ways: 1, length: 0 },
      )
    case 'either':
      return node.branches.map(costOf).reduce((a, b) => ({
        ways: a.ways + b.ways,
        length: Math.max(a.length, b.length),
      }))
    case 'capture':
      return costOf(node.body)
    case 'repeat':
      return repeatCost(node, costOf(node.body))
    case 'start':
    case 'end':
    case 'boundary':
      return { ways: 1, length: 0 }
    default:
      return unboundedCost
  }
}

function repeatCost(node: RegexNode & { kind: 'repeat' }, body: Cost): Cost {
  if (node.max > maxLinearSteps || node.mode === 'possessive') return unboundedCost
  const choices = node.max - node.min + 1
  return { ways: choices * body.ways ** node.max, length: body.length * node.max }
}

/** The longest text that every match contains, or undefined when there is none. */
export function requiredText(regex: Regex): string | undefined {
  let best = ''
  let run = ''
  const end = (): void => {
    if (run.length > best.length) best = run
    run = ''
  }
  const visit = (node: RegexNode): void => {
    const code = requiredCode(node)
    if (code !== undefined) run += String.fromCodePoint(code)
    else if (node.kind === 'sequence') node.items.forEach(visit)
    else if (node.kind === 'capture' || node.kind === 'atomic') visit(node.body)
    else if (node.kind === 'either' && node.branches.length === 1)
      visit(childrenOf(node)[0] as RegexNode)
    else if (node.kind === 'repeat' && node.min > 0) {
      end()
      visit(node.body)
      end()
    } else if (!['look', 'start', 'end', 'boundary'].includes(node.kind)) end()
  }
  visit(regex.body)
  end()
  return best === '' ? undefined : best
}

/**
 * The only character a node matches. Line ends and characters that ill-formed bytes decode to are
 * excluded.
 */
function requiredCode(node: RegexNode): number | undefined {
  const code = singleCode(node)
  if (code === undefined || code === 0x0a || code === 0x0d || code === 0xfffd) return undefined
  return code >= 0xd800 && code <= 0xdfff ? undefined : code
}

function singleCode(node: RegexNode): number | undefined {
  if (node.kind === 'char') {
    return caseVariants(node.code, node.fold).length > 1 ? undefined : node.code
  }
  if (node.kind !== 'set' || node.negated || node.fold !== 'none') return undefined
  const [item, ...others] = node.items
  const isOne = others.length === 0 && item?.kind === 'range' && item.low === item.high
  return isOne ? item.low : undefined
}
