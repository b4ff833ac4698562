// JSON values from outside the program: parsing, nesting depth, canonical form, pointers.
import { canonicalJson } from '@zee/core/canonical-json'
import { reasonOf } from '@zee/core/errors'
import { evidenceError } from '../errors/errors.ts'
import { isObject } from '@zee/core/json'

export { isJsonPlace, pathKeys } from './path.ts'

/** The same value with its keys sorted at every depth. */
export function canonicalValue(value: unknown): unknown {
  return JSON.parse(canonicalJson(value))
}

/** Maximum nesting of a stored JSON value. Indentation makes deeper values grow quadratically. */
export const maxJsonDepth = 128

/** Parses JSON from the command line; errors name `flag`. */
export function parseJsonArgument(text: string, flag: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw evidenceError('ZCL_E_INVALID_JSON', `${flag} is not JSON: ${reasonOf(error)}`)
  }
  if (isDeeperThan(value, maxJsonDepth)) {
    throw evidenceError('ZCL_E_BOUNDS', `${flag} nests deeper than ${maxJsonDepth} levels`)
  }
  try {
    canonicalJson(value)
  } catch (error) {
    throw evidenceError('ZCL_E_CONTRACT', `${flag}: ${reasonOf(error)}`)
  }
  return value
}

/** Whether a value nests deeper than `levels`; does not recurse. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  let layer: unknown[] = [value]
  for (let depth = 0; layer.length > 0; depth++) {
    if (depth > levels) return true
    layer = layer.flatMap((each) =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    )
  }
  return false
}

/** Deeper members would exhaust the stack of functions that recurse. */
const maxMemberDepth = 2 * maxJsonDepth

/** The object with a mark in place of members that nest too deep to be printed. */
export function withoutDeepMembers(object: Record<string, unknown>): Record<string, unknown> {
  if (!isDeeperThan(object, maxMemberDepth)) return object
  return Object.fromEntries(
    Object.entries(object).map(([key, member]) =>
      isDeeperThan(member, maxMemberDepth) ? [key, '[TRUNCATED]'] : [key, member],
    ),
  )
}

/** The input as canonical JSON, else as plain JSON; empty without input. */
export function canonicalInput(input: unknown): string {
  if (input === undefined) return ''
  try {
    return canonicalJson(input)
  } catch {
    return JSON.stringify(input)
  }
}

/** The value if it is an object, else an empty object. */
export function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

/** The value if it is a string, else an empty string. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** The value at a JSON pointer (RFC 6901), or undefined. */
export function resolvePointer(value: unknown, pointer: string): unknown {
  let current = value
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(current)) {
      current = /^(?:0|[1-9]\d*)$/.test(key) ? current[Number(key)] : undefined
    } else if (typeof current === 'object' && current !== null && Object.hasOwn(current, key)) {
      current = (current as Record<string, unknown>)[key]
    } else return undefined
  }
  return current
}
