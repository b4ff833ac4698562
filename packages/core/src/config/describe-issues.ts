// Converts zod's issues into one line each: the key, what it must be, and its value. Loaded lazily, only
// if there are issues. Other files with a schema, such as suites, use it as well.
import type * as z from 'zod/mini'
import { oneLine } from '../errors/errors.ts'
import type { ConfigDefinition } from './definition.ts'
import { expectation, nodeAt, schemaNode } from './expectation.ts'
import { pathText } from './positions.ts'
import { isSecretAt, isTable, shapeOf, type KeyPath } from './shape.ts'

export type Issue = z.core.$ZodIssue

export interface ValueProblem {
  path: KeyPath
  /** `max_tokens must be a whole number above 0 (got "lots")` */
  text: string
}

/** The part of a definition that the messages need. */
export type DescribedSchema = Pick<ConfigDefinition, 'schema' | 'format'>

/** `data` is the validated input; its values are shown unless the key is secret. */
export function describeIssues(
  definition: DescribedSchema,
  data: unknown,
  issues: readonly Issue[],
  nameOf: (path: KeyPath) => string = pathText,
): ValueProblem[] {
  const root = schemaNode(definition.schema)
  return issues.flatMap(flatten).flatMap((issue): ValueProblem[] => {
    const path = issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => {
        const inner = [...path, key]
        return { path: inner, text: `unknown key ${nameOf(inner)}` }
      })
    }
    const name = path.length === 0 ? 'the file' : nameOf(path)
    const isSecret = isSecretAt(shapeOf(definition.schema), path)
    const value = valueAt(data, path)
    const node = nodeAt(root, path)
    const expected =
      node === undefined ? fallbackWords(issue) : expectation(node, definition.format)
    return [{ path, text: oneLine(sentence(name, issue, expected, value, isSecret, definition)) }]
  })
}

function sentence(
  name: string,
  issue: Issue,
  expected: string,
  value: unknown,
  isSecret: boolean,
  { format }: DescribedSchema,
): string {
  if (issue.code === 'invalid_key') return `${name} is not an allowed name`
  if (value === undefined && issue.message === '') {
    return `${name} is missing; it must be ${expected}`
  }
  const words = issue.message === '' ? `must be ${expected}` : issue.message
  return `${name} ${words} (got ${displayValue(value, isSecret, format)})`
}

/** If a value matches one alternative except for inner issues, reports those instead. */
function flatten(issue: Issue): Issue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const inner = issue.errors
    .filter((branch) => branch.length > 0 && branch.every((found) => found.path.length > 0))
    .sort((one, other) => one.length - other.length)[0]
  if (inner === undefined) return [issue]
  return inner.flatMap((found) => flatten({ ...found, path: [...issue.path, ...found.path] }))
}

const typeWords: ReadonlyMap<string, string> = new Map([
  ['string', 'text'],
  ['int', 'a whole number'],
  ['number', 'a number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'a table of keys'],
  ['record', 'a table of keys'],
])

/** The expectation from the issue itself, if JSON Schema has no node for the key (a custom type). */
function fallbackWords(issue: Issue): string {
  if (issue.code === 'invalid_type') return typeWords.get(issue.expected) ?? 'a valid value'
  if (issue.code === 'invalid_value') {
    return `one of ${issue.values.map((value) => JSON.stringify(value) ?? String(value)).join(', ')}`
  }
  if (issue.code === 'too_small') return `at least ${issue.minimum}`
  if (issue.code === 'too_big') return `at most ${issue.maximum}`
  if (issue.code === 'not_multiple_of') return `in steps of ${issue.divisor}`
  return 'a valid value'
}

function valueAt(data: unknown, path: KeyPath): unknown {
  let current = data
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step))
      return undefined
    current = (current as Record<string | number, unknown>)[step]
  }
  return current
}

function displayValue(
  value: unknown,
  isSecret: boolean,
  format: ConfigDefinition['format'],
): string {
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (isTable(value)) return format === 'toml' ? 'a section' : 'an object'
  if (value instanceof Date) return 'a date'
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (isSecret) return typeof value === 'string' ? 'text, not shown' : `a ${typeof value}`
  if (typeof value !== 'string') return String(value)
  return JSON.stringify(value.length > 60 ? `${value.slice(0, 59)}…` : value)
}
