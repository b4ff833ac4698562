// Finds keys of a suite file that the schema does not know. A misspelled expectation would otherwise
// be ignored, and a mission would pass that should fail. Keys that start with `x-` are free.
import { isObject } from '@zee/core/json'
import { editDistance } from '@zee/core/spelling'
import * as z from 'zod/mini'

export type SuitePath = readonly (string | number)[]

export interface UnknownKey {
  path: SuitePath
  /** The known key of the same object that is spelled most alike. */
  nearest: string
}

/** The first unknown key in the order of the file. */
export function findUnknownKey(
  schema: z.ZodMiniType,
  value: unknown,
  path: SuitePath = [],
): UnknownKey | undefined {
  const plain = definitionFor(schema, value)
  if (plain.type === 'array' && Array.isArray(value)) {
    const element = plain.element
    for (const [index, item] of value.entries()) {
      const found = findUnknownKey(element, item, [...path, index])
      if (found !== undefined) return found
    }
  }
  if (plain.type !== 'object' || !isObject(value)) return undefined
  const known = Object.keys(plain.shape)
  for (const [key, item] of Object.entries(value)) {
    const inner = Object.hasOwn(plain.shape, key) ? plain.shape[key] : undefined
    if (inner === undefined && !key.startsWith('x-')) {
      return { path: [...path, key], nearest: nearestOf(key, known) }
    }
    const found = inner === undefined ? undefined : findUnknownKey(inner, item, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

type Definition =
  | { type: 'object'; shape: Readonly<Record<string, z.ZodMiniType>> }
  | { type: 'array'; element: z.ZodMiniType }
  | { type: 'other' }

interface RawDefinition {
  type: string
  innerType?: z.ZodMiniType
  options?: readonly z.ZodMiniType[]
}

/** The objects and lists of a schema; of alternatives, the first that accepts the value. */
function definitionFor(schema: z.ZodMiniType, value: unknown): Definition {
  const definition = schema._zod.def as RawDefinition
  if (definition.type === 'optional' && definition.innerType !== undefined) {
    return definitionFor(definition.innerType, value)
  }
  if (definition.type === 'union') {
    const option = definition.options?.find((each) => z.safeParse(each, value).success)
    return option === undefined ? { type: 'other' } : definitionFor(option, value)
  }
  if (definition.type === 'object' || definition.type === 'array') return definition as Definition
  return { type: 'other' }
}

/** Ignores case; a key that continues the word is nearer than one of another spelling. */
function nearestOf(word: string, names: readonly string[]): string {
  const text = word.slice(0, 64).toLowerCase()
  const distance = (name: string): number => {
    const other = name.toLowerCase()
    return other.startsWith(text) || text.startsWith(other) ? 1 : editDistance(text, other)
  }
  return names.reduce(
    (best, name) => (distance(name) < distance(best) ? name : best),
    names[0] ?? '',
  )
}
