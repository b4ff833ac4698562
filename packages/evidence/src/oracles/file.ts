// Reads an oracle: rules for the correct result of a mission, in a file that the agent cannot see.
import * as z from 'zod/mini'
import { evidenceError } from '../errors/errors.ts'
import { normalizers } from './values.ts'
import { comparisonFor, ruleOps } from './comparisons.ts'
import type { OracleNode } from './rules.ts'
import { isObject } from '@zee/core/json'

export interface Oracle {
  rules: OracleNode[]
}

const rule = z.strictObject({
  field: z.string(),
  op: z.enum(ruleOps),
  value: z.optional(z.unknown()),
  ref: z.optional(z.string()),
  normalizers: z.optional(z.array(z.enum(normalizers))),
  tolerance: z.optional(z.number().check(z.gte(0))),
})

const maxNesting = 16

/** Checks and returns the oracle; errors start with `name`. */
export function readOracle(value: unknown, name: string): Oracle {
  if (!isObject(value)) throw invalidOracle(name, 'the oracle must be an object')
  const { schemaVersion = 1, rules } = value
  if (schemaVersion !== 1) {
    throw evidenceError('ZCL_E_SCHEMA_UNSUPPORTED', `${name}: schemaVersion is not 1`)
  }
  if (!Array.isArray(rules) || rules.length === 0)
    throw invalidOracle(name, 'rules must be a non-empty list')
  return { rules: rules.map((each, index) => readNode(each, `${name}: rules[${index}]`, 0)) }
}

function readNode(value: unknown, name: string, depth: number): OracleNode {
  if (!isObject(value)) throw invalidOracle(name, 'a rule must be an object')
  if (depth > maxNesting) throw invalidOracle(name, `rules nest deeper than ${maxNesting} levels`)
  for (const key of ['anyOf', 'allOf'] as const) {
    const inner = value[key]
    if (inner === undefined) continue
    if (!Array.isArray(inner) || inner.length === 0 || Object.keys(value).length > 1) {
      throw invalidOracle(name, `${key} must be a non-empty list of rules and the only key`)
    }
    const nodes = inner.map((each, index) => readNode(each, `${name}.${key}[${index}]`, depth + 1))
    return key === 'anyOf' ? { anyOf: nodes } : { allOf: nodes }
  }
  const read = z.safeParse(rule, value)
  if (!read.success) {
    const issue = read.error.issues[0]
    const key = issue?.path.join('.') || issue?.code
    throw invalidOracle(name, `${key} is not valid`)
  }
  const { op, value: expected, ref } = read.data
  const { needs } = comparisonFor(op)
  if (needs === undefined && expected === undefined)
    throw invalidOracle(name, `${op} needs a value`)
  if (needs === 'ref' && ref === undefined) throw invalidOracle(name, `${op} needs a ref`)
  return read.data as OracleNode
}

function invalidOracle(name: string, what: string): Error {
  return evidenceError('ZCL_E_CONTRACT', `${name}: ${what}`)
}
