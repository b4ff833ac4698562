// Parses request arguments: a client's JSON becomes typed values, or an error that names the argument. Integers
// are parsed leniently, booleans and lists strictly; null counts as absent.
import { ZeeError } from '@zee/core/errors'

export type Arguments = Readonly<Record<string, unknown>>

export function argumentError(message: string): ZeeError {
  return new ZeeError('argument', message)
}

/** The arguments as an object; an empty or false value counts as no arguments. */
export function argumentsOf(args: unknown): Arguments {
  if (args === undefined || args === null || args === '' || args === 0 || args === false) return {}
  if (Array.isArray(args) && args.length === 0) return {}
  if (typeof args !== 'object' || Array.isArray(args)) throw argumentError('args must be an object')
  return args as Arguments
}

/** Reads own properties only, so that `__proto__` and the like are absent. */
function argumentValue(args: Arguments, name: string): unknown {
  if (!Object.hasOwn(args, name)) return undefined
  return args[name] ?? undefined
}

/** An integer of 0 or more. Accepts `2`, `2.9`, `"2"` and `true`, as Python's `int()` does. */
export function numberArgument(args: Arguments, name: string, fallback: number): number {
  return optionalNumber(args, name) ?? fallback
}

export function optionalNumber(args: Arguments, name: string): number | undefined {
  const value = optionalInteger(args, name)
  if (value !== undefined && value < 0) {
    throw argumentError(`${name} must be 0 or more, got ${value}`)
  }
  return value
}

/** An integer; undefined if absent. */
export function optionalInteger(args: Arguments, name: string): number | undefined {
  const value = argumentValue(args, name)
  if (value === undefined) return undefined
  const number = wholeNumber(value)
  if (number === undefined) {
    throw argumentError(`${name} must be a whole number, got ${formatValue(value)}`)
  }
  return number
}

function wholeNumber(value: unknown): number | undefined {
  if (typeof value === 'boolean') return value ? 1 : 0
  if (typeof value === 'number') return Number.isFinite(value) ? Math.trunc(value) + 0 : undefined
  if (typeof value !== 'string') return undefined
  const digits = value.trim()
  return /^[+-]?\d+(?:_\d+)*$/.test(digits) ? Number(digits.replaceAll('_', '')) + 0 : undefined
}

export function booleanArgument(args: Arguments, name: string, fallback: boolean): boolean {
  const value = argumentValue(args, name)
  if (value === undefined) return fallback
  if (typeof value === 'boolean') return value
  throw argumentError(`${name} must be true or false, got ${formatValue(value)}`)
}

/** A string; undefined if absent or empty. */
export function textArgument(args: Arguments, name: string): string | undefined {
  const value = argumentValue(args, name)
  if (value === undefined || value === '') return undefined
  if (typeof value === 'string') return value
  throw argumentError(`${name} must be a string, got ${formatValue(value)}`)
}

/** A string; throws if absent or empty. */
export function requiredText(args: Arguments, name: string): string {
  const value = textArgument(args, name)
  if (value === undefined) throw argumentError(`missing ${name}`)
  return value
}

/** A list of strings; a single string counts as a list of one. */
export function textsArgument(args: Arguments, name: string): string[] {
  const value = argumentValue(args, name)
  if (value === undefined || value === '') return []
  if (typeof value === 'string') return [value]
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value
  throw argumentError(`${name} must be a list of strings, got ${formatValue(value)}`)
}

export function choiceArgument<Choice extends string>(
  args: Arguments,
  name: string,
  choices: readonly Choice[],
  fallback: Choice,
): Choice {
  const value = textArgument(args, name)
  if (value === undefined) return fallback
  const choice = choices.find((one) => one === value)
  if (choice !== undefined) return choice
  throw argumentError(`${name} must be one of ${choices.join(', ')}, got ${formatValue(value)}`)
}

export function listArgument(args: Arguments, name: string): unknown[] {
  const value = argumentValue(args, name)
  if (value === undefined) throw argumentError(`missing ${name}`)
  if (Array.isArray(value)) return value
  throw argumentError(`${name} must be a list, got ${formatValue(value)}`)
}

/** A value for an error message, cut to 60 characters. */
function formatValue(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > 60 ? `${text.slice(0, 60)}...` : text
}
