// The rules of a builtin oracle. Each rule is tried exactly, then with its normalisers, then
// loosely. A rule that holds only in a looser reading is a mismatch of format, not of content.
import { canonicalInput, resolvePointer } from '../json/json.ts'
import { looseValue, looseUrl, normalise, parseNumber, type Normaliser } from './values.ts'

export const ruleOps = [
  'eq',
  'eq_ref',
  'starts_with',
  'contains',
  'gte',
  'non_empty',
  'url_eq_loose',
  'set_eq',
  'num_eq',
  'contains_phrase',
  'command_head_eq',
] as const
export type RuleOp = (typeof ruleOps)[number]

export interface OracleRule {
  /** A JSON pointer into the result, or names joined by dots; empty for the complete result. */
  field: string
  op: RuleOp
  value?: unknown
  /** For `eq_ref`: another field of the result. */
  ref?: string
  normalizers?: Normaliser[]
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
  const expected = rule.op === 'eq_ref' ? valueAt(result, rule.ref ?? '') : rule.value
  const names = rule.normalizers ?? []
  const readings: [Reading, (value: unknown) => unknown][] = [
    ['exact', (value) => value],
    ['normalized', (value) => normalise(value, names)],
    ['loose', (value) => looseValue(normalise(value, names))],
  ]
  const holds = readings.find(([, read]) => compare[rule.op](read(actual), read(expected), rule))
  const holdsAs = holds?.[0]
  return {
    field: rule.field,
    op: rule.op,
    holdsAs,
    class: classOf(holdsAs, rule.op, actual, expected),
  }
}

function classOf(
  holdsAs: Reading | undefined,
  op: RuleOp,
  actual: unknown,
  expected: unknown,
): MismatchClass {
  if (holdsAs !== undefined) return 'format'
  if (op === 'non_empty') return actual === undefined ? 'type' : 'semantic'
  if (op === 'gte' || op === 'num_eq') {
    return parseNumber(actual) === undefined ? 'type' : 'semantic'
  }
  if (op === 'contains' || op === 'set_eq') {
    const fits = typeof actual === 'string' || Array.isArray(actual)
    return fits ? 'semantic' : 'type'
  }
  return kindOf(actual) === kindOf(expected) ? 'semantic' : 'type'
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

type Comparison = (actual: unknown, expected: unknown, rule: OracleRule) => boolean

const compare: Record<RuleOp, Comparison> = {
  eq: isEqual,
  eq_ref: isEqual,
  starts_with: (actual, expected) =>
    isText(actual, expected) && actual.startsWith(String(expected)),
  contains: (actual, expected) => {
    if (Array.isArray(actual)) return actual.some((item) => isEqual(item, expected))
    return isText(actual, expected) && actual.includes(String(expected))
  },
  gte: (actual, expected) => {
    const [left, right] = [parseNumber(actual), parseNumber(expected)]
    return left !== undefined && right !== undefined && left >= right
  },
  non_empty: (actual) => !isEmpty(actual),
  url_eq_loose: (actual, expected) => {
    const left = looseUrl(actual)
    return left !== undefined && left === looseUrl(expected)
  },
  set_eq: (actual, expected) => {
    const [left, right] = [setOf(actual), setOf(expected)]
    if (left === undefined || right === undefined || left.size !== right.size) return false
    return [...left].every((item) => right.has(item))
  },
  num_eq: (actual, expected, { tolerance = 0 }) => {
    const [left, right] = [parseNumber(actual), parseNumber(expected)]
    return left !== undefined && right !== undefined && Math.abs(left - right) <= tolerance
  },
  contains_phrase: (actual, expected) => {
    if (!isText(actual, expected)) return false
    const words = ` ${normaliseWords(String(expected))} `
    return words.trim() !== '' && ` ${normaliseWords(actual)} `.includes(words)
  },
  command_head_eq: (actual, expected) => {
    const left = commandHead(actual)
    return left !== undefined && left === commandHead(expected)
  },
}

function isEqual(actual: unknown, expected: unknown): boolean {
  if (actual === undefined || expected === undefined) return false
  return canonicalInput(actual) === canonicalInput(expected)
}

function isText(actual: unknown, expected: unknown): actual is string {
  return (
    typeof actual === 'string' && (typeof expected === 'string' || typeof expected === 'number')
  )
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (typeof value === 'string') return value.trim() === ''
  return typeof value === 'object' && Object.keys(value).length === 0
}

function setOf(value: unknown): Set<string> | undefined {
  return Array.isArray(value) ? new Set(value.map((item) => canonicalInput(item))) : undefined
}

/** Lower-case words, separated by single spaces. */
function normaliseWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The program of a command line, without folder, shell prompt and variable assignments. */
function commandHead(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.join(' ') : value
  if (typeof text !== 'string') return undefined
  const plain = normalise(text, ['shell_prompt_strip', 'trim']) as string
  const word = plain.split(/\s+/).find((each) => !/^\w+=/.test(each))
  return word === undefined || word === '' ? undefined : word.split('/').at(-1)
}

function valueAt(result: unknown, field: string): unknown {
  if (field === '' || field.startsWith('/')) return resolvePointer(result, field)
  const steps = field.split('.').map((step) => step.replaceAll('~', '~0').replaceAll('/', '~1'))
  return resolvePointer(result, `/${steps.join('/')}`)
}
