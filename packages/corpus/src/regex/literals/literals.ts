// Which texts a line must hold to match a pattern, whatever else it holds: what an index is asked before
// anything is searched. A plan may ask for less than a match needs, never for more.
import type { Regex } from '../ast.ts'
import { begin, joinShapes, shapeOf, textShape } from './shapes.ts'
import type { Shape, Text } from './shapes.ts'

export { fixedBytes } from './fixed-bytes.ts'

export type LiteralPlan =
  | { kind: 'all'; of: LiteralPlan[] }
  | { kind: 'any'; of: LiteralPlan[] }
  /** These bytes of UTF-8; where case is ignored, ASCII letters are small and stand for both. */
  | { kind: 'literal'; text: Uint8Array; ignoreCase: boolean }
  | { kind: 'everything' }

const everything: LiteralPlan = { kind: 'everything' }

/** Shorter texts cannot be looked up. */
const shortestBytes = 3

/** What every line that matches a pattern holds. */
export function literalPlan(regex: Regex): LiteralPlan {
  try {
    return planOf(shapeOf(regex.body))
  } catch (error) {
    // Nested deeper than the stack goes.
    if (error instanceof RangeError) return everything
    throw error
  }
}

/**
 * What every line holds that contains a text. Without regard to case, both are compared in lower case, as
 * strings; what lies beyond ASCII is then left out.
 */
export function textPlan(text: string, ignoreCase: boolean): LiteralPlan {
  if (!ignoreCase) return planOf(textShape([{ text, ignoreCase }]))
  const chars = Array.from(text.toLowerCase())
  return planOf(chars.map(loweredShape).reduce(joinShapes, begin))
}

/** The letters whose lower case a character beyond ASCII also has, or begins with. */
const loweredFrom: ReadonlyMap<string, string> = new Map([
  ['k', '\u212a'],
  ['i', '\u0130'],
])

function loweredShape(char: string): Shape {
  if (char > '\x7f') return textShape(undefined)
  const other = loweredFrom.get(char)
  const own: Text = { text: char, ignoreCase: /[a-z]/.test(char) }
  return textShape(other === undefined ? [own] : [own, { text: other, ignoreCase: false }])
}

function planOf(shape: Shape): LiteralPlan {
  const groups = shape.exact === undefined ? shape.held : [...shape.held, shape.exact]
  const plans = groups.map(anyOf).filter((plan) => plan.kind !== 'everything')
  const needed = plans.filter((plan, index) => {
    return !plans.some((other, at) => at !== index && implies(other, plan, at < index))
  })
  if (needed.length === 0) return everything
  return needed.length === 1 ? (needed[0] as LiteralPlan) : { kind: 'all', of: needed }
}

/** Whether what satisfies one plan satisfies the other, as far as is easily told. */
function implies(one: LiteralPlan, other: LiteralPlan, whenEqual: boolean): boolean {
  if (one.kind === 'any' && other.kind === 'any') return whenEqual && keyOf(one) === keyOf(other)
  if (one.kind === 'any') return one.of.every((branch) => implies(branch, other, whenEqual))
  if (other.kind === 'any') return other.of.some((branch) => implies(one, branch, true))
  if (one.kind !== 'literal' || other.kind !== 'literal') return false
  if (one.ignoreCase !== other.ignoreCase) return false
  const isEqual = one.text.length === other.text.length
  return Buffer.from(one.text).includes(Buffer.from(other.text)) && (whenEqual || !isEqual)
}

function anyOf(texts: readonly Text[]): LiteralPlan {
  const literals = texts.map(({ text, ignoreCase }): LiteralPlan => {
    const bytes = new Uint8Array(Buffer.from(text))
    const isLong = bytes.length >= shortestBytes
    return isLong ? { kind: 'literal', text: bytes, ignoreCase } : everything
  })
  if (literals.some((plan) => plan.kind === 'everything')) return everything
  // What holds a longer text holds a shorter one in it anyway.
  const enough = literals.filter((plan, index) => {
    return !literals.some((other, at) => at !== index && implies(plan, other, at < index))
  })
  return enough.length === 1 ? (enough[0] as LiteralPlan) : { kind: 'any', of: enough }
}

function keyOf(plan: LiteralPlan): string {
  if (plan.kind === 'literal') return `${plan.ignoreCase}${Buffer.from(plan.text).toString('hex')}`
  return plan.kind === 'everything' ? '' : plan.of.map(keyOf).join()
}
