// JSON values from outside: what they are, how deep they nest, what they are as canonical JSON.
import { canonicalJson } from '@zee/core/canonical-json'
import { reasonOf } from '@zee/core/errors'
import { evidenceError } from '../errors/errors.ts'
import { isObject } from '@zee/core/json'

/** The same value with its keys sorted at every depth. */
export function canonicalValue(value: unknown): unknown {
  return JSON.parse(canonicalJson(value))
}

/** How deep a JSON value from outside may nest: deep ones explode when they are indented. */
export const maxJsonDepth = 128

/** Reads JSON from the command line; `flag` stands in the error. */
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

/** Whether a value nests deeper than so many levels; does not recurse. */
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

/** The input as canonical JSON; what cannot be said that way is compared as it is. */
export function canonicalInput(input: unknown): string {
  if (input === undefined) return ''
  try {
    return canonicalJson(input)
  } catch {
    return JSON.stringify(input)
  }
}

export function asObject(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {}
}

/** The text itself; empty for anything else. */
export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

/** RFC 6901; undefined when there is nothing at that place. */
export function resolvePointer(value: unknown, pointer: string): unknown {
  let at = value
  for (const step of pointer.split('/').slice(1)) {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(at)) at = /^(?:0|[1-9]\d*)$/.test(key) ? at[Number(key)] : undefined
    else if (typeof at === 'object' && at !== null && Object.hasOwn(at, key)) {
      at = (at as Record<string, unknown>)[key]
    } else return undefined
  }
  return at
}
