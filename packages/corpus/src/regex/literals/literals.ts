// Derives the texts that every matching line contains, as a query for the index. A plan may require
// less than a match does, never more.
import type { Regex } from '../ast.ts'
import { emptyShape, joinShapes, minLiteralBytes, shapeOf, textShape } from './shapes.ts'
import type { Shape, Text } from './shapes.ts'

export { fixedBytes } from './fixed-bytes.ts'

export type LiteralPlan =
  | { kind: 'all'; of: LiteralPlan[] }
  | { kind: 'any'; of: LiteralPlan[] }
  /** UTF-8 bytes. With `ignoreCase`, ASCII letters are lower case and match both cases. */
  | { kind: 'literal'; text: Uint8Array; ignoreCase: boolean }
  | { kind: 'everything' }

const everything: LiteralPlan = { kind: 'everything' }

/** The plan that every line matching the pattern satisfies. */
export function literalPlan(regex: Regex): LiteralPlan {
  try {
    return planOf(shapeOf(regex.body))
  } catch (error) {
    // The pattern nests deeper than the stack allows.
    if (error instanceof RangeError) return everything
    throw error
  }
}

/**
 * The plan that every line containing the text satisfies. A case-insensitive search compares lower
 * case strings, so the plan omits characters beyond ASCII.
 */
export function textPlan(text: string, ignoreCase: boolean): LiteralPlan {
  if (!ignoreCase) return planOf(textShape([{ text, ignoreCase }]))
  const chars = Array.from(text.toLowerCase())
  return planOf(chars.map(lowerCaseShape).reduce(joinShapes, emptyShape))
}

/** Characters beyond ASCII whose lower case is, or starts with, this letter. */
const nonAsciiUpperCase: ReadonlyMap<string, string> = new Map([
  ['k', '\u212a'],
  ['i', '\u0130'],
])

function lowerCaseShape(char: string): Shape {
  if (char > '\x7f') return textShape(undefined)
  const other = nonAsciiUpperCase.get(char)
  const ascii: Text = { text: char, ignoreCase: /[a-z]/.test(char) }
  return textShape(other === undefined ? [ascii] : [ascii, { text: other, ignoreCase: false }])
}

function planOf(shape: Shape): LiteralPlan {
  const groups = shape.exact === undefined ? shape.required : [...shape.required, shape.exact]
  const plans = groups.map(anyOf).filter((plan) => plan.kind !== 'everything')
  const needed = plans.filter((plan, index) => {
    return !plans.some((other, at) => at !== index && implies(other, plan, at < index))
  })
  if (needed.length === 0) return everything
  return needed.length === 1 ? (needed[0] as LiteralPlan) : { kind: 'all', of: needed }
}

/** Whether satisfying one plan satisfies the other; may miss some cases. */
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
    const isLong = bytes.length >= minLiteralBytes
    return isLong ? { kind: 'literal', text: bytes, ignoreCase } : everything
  })
  if (literals.some((plan) => plan.kind === 'everything')) return everything
  // A line that contains the longer text also contains the shorter one.
  const shortest = literals.filter((plan, index) => {
    return !literals.some((other, at) => at !== index && implies(plan, other, at < index))
  })
  return shortest.length === 1 ? (shortest[0] as LiteralPlan) : { kind: 'any', of: shortest }
}

function keyOf(plan: LiteralPlan): string {
  if (plan.kind === 'literal') return `${plan.ignoreCase}${Buffer.from(plan.text).toString('hex')}`
  return plan.kind === 'everything' ? '' : plan.of.map(keyOf).join()
}
