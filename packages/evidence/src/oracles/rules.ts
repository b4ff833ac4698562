// The rules of a built-in oracle. Each rule is tried exactly, then with its normalizers, then
// loosely. A rule that holds only in a looser reading is a mismatch of format, not of content.
import { resolvePointer } from '../json/json.ts'
import { comparisonFor, type Comparison, type RuleOp } from './comparisons.ts'
import { looseValue, normalize, type Normalizer } from './values.ts'

export interface OracleRule {
  /** A JSON pointer into the result, or names joined by dots; empty for the complete result. */
  field: string
  op: RuleOp
  value?: unknown
  /** For `eq_ref`: another field of the result. */
  ref?: string
  normalizers?: Normalizer[]
  /** For `num_eq`. */
  tolerance?: number
}

export type OracleNode = OracleRule | { anyOf: OracleNode[] } | { allOf: OracleNode[] }

/** The strictest reading in which a rule holds. */
export type Reading = 'exact' | 'normalized' | 'loose'
export type MismatchClass = 'format' | 'type' | 'semantic'

export interface RuleFinding {
  field: string
  op: RuleOp
  /** Undefined if the rule holds in no reading. */
  holdsAs: Reading | undefined
  /** The class of the mismatch if the policy does not accept `holdsAs`. */
  class: MismatchClass
}

/** The findings of a node; of `anyOf`, those of the alternative with the smallest distance. */
export function checkNode(node: OracleNode, result: unknown): RuleFinding[] {
  if ('allOf' in node) return node.allOf.flatMap((each) => checkNode(each, result))
  if (!('anyOf' in node)) return [checkRule(node, result)]
  const tried = node.anyOf.map((each) => checkNode(each, result))
  return tried.sort((a, b) => distance(a) - distance(b))[0] ?? []
}

const rank: Record<Reading, number> = { exact: 0, normalized: 1, loose: 2 }

function distance(findings: readonly RuleFinding[]): number {
  return findings.reduce(
    (sum, { holdsAs }) => sum + (holdsAs === undefined ? 1000 : rank[holdsAs]),
    0,
  )
}

function checkRule(rule: OracleRule, result: unknown): RuleFinding {
  const actual = valueAt(result, rule.field)
  const comparison = comparisonFor(rule.op)
  const expected = comparison.needs === 'ref' ? valueAt(result, rule.ref ?? '') : rule.value
  const names = rule.normalizers ?? []
  const readings: [Reading, (value: unknown) => unknown][] = [
    ['exact', (value) => value],
    ['normalized', (value) => normalize(value, names)],
    ['loose', (value) => looseValue(normalize(value, names))],
  ]
  const holds = readings.find(([, read]) => comparison.holds(read(actual), read(expected), rule))
  const holdsAs = holds?.[0]
  return {
    field: rule.field,
    op: rule.op,
    holdsAs,
    class: classOf(holdsAs, comparison, actual, expected),
  }
}

function classOf(
  holdsAs: Reading | undefined,
  { fits }: Comparison,
  actual: unknown,
  expected: unknown,
): MismatchClass {
  if (holdsAs !== undefined) return 'format'
  const isFitting = fits?.(actual) ?? kindOf(actual) === kindOf(expected)
  return isFitting ? 'semantic' : 'type'
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

function valueAt(result: unknown, field: string): unknown {
  if (field === '' || field.startsWith('/')) return resolvePointer(result, field)
  const steps = field.split('.').map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))
  return resolvePointer(result, `/${steps.join('/')}`)
}
