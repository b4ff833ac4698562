// Describes what a setting must be: the second half of every message about a wrong value, and the type
// column of the docs. Reads zod's public JSON Schema output.
import * as z from 'zod/mini'
import type { ConfigDefinition } from './definition.ts'
import type { KeyPath } from './shape.ts'

export type SchemaNode = z.core.JSONSchema.BaseSchema

export function schemaNode(schema: z.core.$ZodType): SchemaNode {
  return z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', reused: 'inline' })
}

/** The JSON Schema of the key at `path`; undefined if there is none. */
export function nodeAt(node: SchemaNode | undefined, path: KeyPath): SchemaNode | undefined {
  const [step, ...rest] = path
  if (node === undefined || step === undefined) return node
  for (const option of [node, ...(node.anyOf ?? []), ...(node.oneOf ?? [])]) {
    const inner = childNode(option, step)
    const found = inner === undefined ? undefined : nodeAt(inner, rest)
    if (found !== undefined) return found
  }
  return undefined
}

function childNode(
  node: z.core.JSONSchema._JSONSchema,
  step: string | number,
): SchemaNode | undefined {
  if (typeof node === 'boolean') return undefined
  if (typeof step === 'number') {
    const item = node.prefixItems?.[step] ?? node.items
    return typeof item === 'object' && !Array.isArray(item) ? item : undefined
  }
  const { properties, additionalProperties } = node
  const named =
    properties !== undefined && Object.hasOwn(properties, step) ? properties[step] : undefined
  const child = named ?? additionalProperties
  return typeof child === 'object' ? child : undefined
}

/** Continues "`key` must be ...". */
export function expectation(node: SchemaNode, format: ConfigDefinition['format']): string {
  if (node.const !== undefined) return JSON.stringify(node.const)
  if (node.enum !== undefined) return choiceWords(node.enum)
  const options = node.anyOf ?? node.oneOf
  if (options !== undefined) {
    const words = options.map((option) =>
      typeof option === 'boolean' ? 'a value' : expectation(option, format),
    )
    return [...new Set(words)].join(' or ')
  }
  if (node.type === 'integer' || node.type === 'number') return numberWords(node)
  if (node.type === 'string') return textWords(node)
  if (node.type === 'boolean') return 'true or false'
  if (node.type === 'array') return listWords(node, format)
  if (node.type === 'object') return format === 'toml' ? 'a section' : 'an object'
  return node.type === 'null' ? 'null' : 'a valid value'
}

function choiceWords(values: readonly unknown[]): string {
  const shown = values.map((value) => JSON.stringify(value))
  return shown.length === 1 ? String(shown[0]) : `one of ${shown.join(', ')}`
}

function numberWords(node: SchemaNode): string {
  const isWhole = node.type === 'integer'
  const noun = isWhole ? 'a whole number' : 'a number'
  const words = [noun, rangeWords(node, isWhole)]
  if (node.multipleOf !== undefined) words.push(`in steps of ${node.multipleOf}`)
  return words.filter((word) => word !== '').join(' ')
}

function rangeWords(node: SchemaNode, isWhole: boolean): string {
  const min =
    finiteBound(node.minimum) ?? (isWhole ? shiftedBound(node.exclusiveMinimum, 1) : undefined)
  const max =
    finiteBound(node.maximum) ?? (isWhole ? shiftedBound(node.exclusiveMaximum, -1) : undefined)
  if (min !== undefined && max !== undefined) return `from ${min} to ${max}`
  const parts: string[] = []
  if (min !== undefined) parts.push(isWhole && min === 1 ? 'above 0' : `of at least ${min}`)
  else if (typeof node.exclusiveMinimum === 'number') parts.push(`above ${node.exclusiveMinimum}`)
  if (max !== undefined) parts.push(`of at most ${max}`)
  else if (typeof node.exclusiveMaximum === 'number') parts.push(`below ${node.exclusiveMaximum}`)
  return parts.join(' and ')
}

/** Leaves out the limits of safe integers. */
function finiteBound(bound: unknown): number | undefined {
  if (typeof bound !== 'number') return undefined
  return Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound
}

function shiftedBound(bound: unknown, by: number): number | undefined {
  const value = finiteBound(bound)
  return value === undefined ? undefined : value + by
}

const formatWords: ReadonlyMap<string, string> = new Map([
  ['uri', 'a URL'],
  ['email', 'an e-mail address'],
  ['uuid', 'a UUID'],
  ['date-time', 'a date and time'],
  ['date', 'a date'],
  ['time', 'a time of day'],
  ['ipv4', 'an IPv4 address'],
  ['ipv6', 'an IPv6 address'],
])

function textWords(node: SchemaNode): string {
  const known = node.format === undefined ? undefined : formatWords.get(node.format)
  if (known !== undefined) return known
  const { minLength, maxLength, pattern } = node
  if (pattern !== undefined) return `text that matches ${pattern}`
  if (maxLength === undefined) {
    if (minLength === undefined || minLength === 0) return 'text'
    return minLength === 1 ? 'text that is not empty' : `text of at least ${minLength} characters`
  }
  if (minLength === undefined || minLength === 0) return `text of at most ${maxLength} characters`
  return `text of ${minLength} to ${maxLength} characters`
}

function listWords(node: SchemaNode, format: ConfigDefinition['format']): string {
  const items = typeof node.items === 'object' && !Array.isArray(node.items) ? node.items : {}
  const limits: string[] = []
  if ((node.minItems ?? 0) > 0) limits.push(`at least ${node.minItems}`)
  if (node.maxItems !== undefined) limits.push(`at most ${node.maxItems}`)
  const amount = limits.length === 0 ? '' : `${limits.join(' and ')} `
  return `a list of ${amount}${itemWords(items as SchemaNode, format)}`
}

function itemWords(node: SchemaNode, format: ConfigDefinition['format']): string {
  if (node.enum !== undefined) return node.enum.map((value) => JSON.stringify(value)).join(', ')
  if (node.type === 'string') return node.format === 'uri' ? 'URLs' : 'text'
  if (node.type === 'integer') return 'whole numbers'
  if (node.type === 'number') return 'numbers'
  if (node.type === 'object') return format === 'toml' ? 'sections' : 'objects'
  return 'values'
}
