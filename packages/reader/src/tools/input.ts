// Reads the input of a tool call, which a model wrote.
import { ZeeError } from '@zee/core/errors'
import type { ToolInput } from './tools.ts'

export function requiredText(input: ToolInput, name: string): string {
  const value = input[name]
  if (typeof value === 'string' && value !== '') return value
  throw new ZeeError('argument', `missing ${name}`)
}

export function optionalText(input: ToolInput, name: string): string | undefined {
  const value = input[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function optionalNumber(input: ToolInput, name: string): number | undefined {
  const value = typeof input[name] === 'string' ? Number(input[name]) : input[name]
  return typeof value === 'number' && Number.isFinite(value) ? Math.trunc(value) : undefined
}

/** A list of strings; one string counts as a list. */
export function optionalTexts(input: ToolInput, name: string): string[] | undefined {
  const value = input[name]
  if (typeof value === 'string' && value !== '') return [value]
  if (!Array.isArray(value)) return undefined
  const texts = value.filter((each) => typeof each === 'string' && each !== '')
  return texts.length === 0 ? undefined : (texts as string[])
}

/** A JSON Schema of an object. */
export function objectSchema(
  properties: Record<string, object>,
  required: readonly string[] = [],
): Record<string, unknown> {
  return { type: 'object', properties, required }
}
