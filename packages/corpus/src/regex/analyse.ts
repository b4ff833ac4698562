// What can be told about a pattern before it runs: which engine means what Python means, whether a
// run may take long, and which text every match must contain.
import { childrenOf } from './ast.ts'
import type { Regex, RegexNode } from './ast.ts'
import { caseVariants } from './fold.ts'

/**
 * Whether JavaScript's engine would decide differently: conditions, references that ignore case, and
 * references to a group that may be unset (Python fails there, JavaScript matches nothing), and
 * repeats of nothing inside what must not be tried again.
 */
export function needsOwnEngine(regex: Regex): boolean {
  let needed = false
  const visit = (node: RegexNode, set: ReadonlySet<number>, behind: boolean): Set<number> => {
    const after = new Set(set)
    switch (node.kind) {
      case 'backref':
        needed ||= node.fold !== 'none' || !set.has(node.group)
        return after
      case 'conditional':
        needed = true
        return after
      case 'sequence':
        return node.items.reduce((known, item) => visit(item, known, behind), after)
      case 'either':
        return intersection(node.branches.map((branch) => visit(branch, set, behind)))
      case 'capture':
        return visit(node.body, set, behind).add(node.group)
      case 'atomic':
        needed ||= behind || repeatsNothing(node.body)
        return visit(node.body, set, behind)
      case 'repeat': {
        needed ||= node.mode === 'possessive' && (behind || repeatsNothing(node))
        const inside = visit(node.body, set, behind)
        return node.min > 0 && !canBeEmpty(node.body) ? inside : after
      }
      case 'look': {
        const inside = visit(node.body, set, behind || node.behind)
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
 * Whether a repeat in it may match nothing in a turn. JavaScript then looks for another way through
 * that turn, which matters where only the first way counts.
 */
function repeatsNothing(node: RegexNode): boolean {
  if (node.kind === 'repeat' && canBeEmpty(node.body)) return true
  return childrenOf(node).some(repeatsNothing)
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

/** What one start position may cost at most before a pattern counts as harmless. */
const harmlessSteps = 2000

/** Whether every run takes time linear in the text, however the text looks. */
export function isHarmless(regex: Regex): boolean {
  const items = regex.body.kind === 'sequence' ? regex.body.items : [regex.body]
  const last = items.at(-1)
  // An open repeat of one character at the very end never has to give anything back.
  const openEnd = last?.kind === 'repeat' && last.max === Infinity && isSingle(last.body)
  const bounded = openEnd ? [...items.slice(0, -1), { ...last, max: last.min }] : items
  const cost = costOf({ kind: 'sequence', items: bounded })
  return cost.ways * (cost.length + 1) <= harmlessSteps
}

/** Open repeats one after the other that a line of usual length can take. */
const mostOpenRepeats = 2

/** Whether backtracking may take long on a line of usual length: repeats of choices, or many. */
export function mayExplode(regex: Regex): boolean {
  return openRepeats(regex.body, false) > mostOpenRepeats
}

/** Open repeats on one way through a node; Infinity when a choice is repeated. */
function openRepeats(node: RegexNode, repeated: boolean): number {
  const isChoice = node.kind === 'either' || (node.kind === 'repeat' && node.min !== node.max)
  if (repeated && isChoice) return Infinity
  const isOpen = node.kind === 'repeat' && node.max > manyTurns
  const inner = childrenOf(node).map((child) => openRepeats(child, repeated || isOpen))
  const along = inner.reduce((a, b) => (node.kind === 'either' ? Math.max(a, b) : a + b), 0)
  return along + (isOpen ? 1 : 0)
}

const manyTurns = 10

function isSingle(node: RegexNode): boolean {
  return node.kind === 'char' || node.kind === 'set' || node.kind === 'dot'
}

interface Cost {
  /** In how many ways a text can be matched, at most. */
  ways: number
  /** How many characters a match can have, at most. */
  length: number
}

const unknown: Cost = { ways: Infinity, length: Infinity }

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
      return unknown
  }
}

function repeatCost(node: RegexNode & { kind: 'repeat' }, body: Cost): Cost {
  if (node.max > harmlessSteps || node.mode === 'possessive') return unknown
  const choices = node.max - node.min + 1
  return { ways: choices * body.ways ** node.max, length: body.length * node.max }
}

/** The longest text that every match contains, or undefined when none is known. */
export function requiredText(regex: Regex): string | undefined {
  let best = ''
  let run = ''
  const end = (): void => {
    if (run.length > best.length) best = run
    run = ''
  }
  const visit = (node: RegexNode): void => {
    const code = onlyCode(node)
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

/** The one character a node stands for; not a line end, nor one that ill-formed bytes also give. */
function onlyCode(node: RegexNode): number | undefined {
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
