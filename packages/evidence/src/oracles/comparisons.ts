// The table of rule operations: how each compares a value of the result with the expected value.
import { canonicalInput } from '../json/json.ts'
import { looseUrl, normalize, parseNumber } from './values.ts'

export interface Comparison {
  holds(actual: unknown, expected: unknown, options: { tolerance?: number }): boolean
  /** What the rule must name: a `value` by default, another field, or nothing. */
  needs?: 'ref' | 'nothing'
  /** Whether the actual value has a fitting type; by default, the type of the expected value. */
  fits?(actual: unknown): boolean
}

export type RuleOp = keyof typeof comparisons

const comparisons = {
  eq: { holds: isEqual },
  eq_ref: { holds: isEqual, needs: 'ref' },
  starts_with: {
    holds: (actual, expected) => isText(actual, expected) && actual.startsWith(String(expected)),
  },
  contains: {
    holds: (actual, expected) => {
      if (Array.isArray(actual)) return actual.some((item) => isEqual(item, expected))
      return isText(actual, expected) && actual.includes(String(expected))
    },
    fits: isTextOrList,
  },
  gte: {
    holds: (actual, expected) => {
      const [left, right] = [parseNumber(actual), parseNumber(expected)]
      return left !== undefined && right !== undefined && left >= right
    },
    fits: isNumeric,
  },
  non_empty: {
    holds: (actual) => !isEmpty(actual),
    needs: 'nothing',
    fits: (actual) => actual !== undefined,
  },
  url_eq_loose: {
    holds: (actual, expected) => {
      const left = looseUrl(actual)
      return left !== undefined && left === looseUrl(expected)
    },
  },
  set_eq: {
    holds: (actual, expected) => {
      const [left, right] = [setOf(actual), setOf(expected)]
      if (left === undefined || right === undefined || left.size !== right.size) return false
      return [...left].every((item) => right.has(item))
    },
    fits: isTextOrList,
  },
  num_eq: {
    holds: (actual, expected, { tolerance = 0 }) => {
      const [left, right] = [parseNumber(actual), parseNumber(expected)]
      return left !== undefined && right !== undefined && Math.abs(left - right) <= tolerance
    },
    fits: isNumeric,
  },
  contains_phrase: {
    holds: (actual, expected) => {
      if (!isText(actual, expected)) return false
      const words = ` ${normalizeWords(String(expected))} `
      return words.trim() !== '' && ` ${normalizeWords(actual)} `.includes(words)
    },
  },
  command_head_eq: {
    holds: (actual, expected) => {
      const left = commandHead(actual)
      return left !== undefined && left === commandHead(expected)
    },
  },
} satisfies Record<string, Comparison>

export const ruleOps = Object.keys(comparisons) as RuleOp[]

export function comparisonFor(op: RuleOp): Comparison {
  return comparisons[op]
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

function isTextOrList(value: unknown): boolean {
  return typeof value === 'string' || Array.isArray(value)
}

function isNumeric(value: unknown): boolean {
  return parseNumber(value) !== undefined
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
function normalizeWords(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

/** The program of a command line, without folder, shell prompt and variable assignments. */
function commandHead(value: unknown): string | undefined {
  const text = Array.isArray(value) ? value.join(' ') : value
  if (typeof text !== 'string') return undefined
  const plain = normalize(text, ['shell_prompt_strip', 'trim']) as string
  const word = plain.split(/\s+/).find((each) => !/^\w+=/.test(each))
  return word === undefined || word === '' ? undefined : word.split('/').at(-1)
}
