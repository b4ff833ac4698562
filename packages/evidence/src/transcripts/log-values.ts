// Values from logs of other programs, whose formats change: every access checks the type.
import { isObject } from '@zee/core/json'

export type Loose = Readonly<Record<string, unknown>>

export function objectAt(value: unknown): Loose {
  return isObject(value) ? value : {}
}

export function listAt(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : []
}

export function textAt(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function countAt(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.round(value) : 0
}

/** The types of the parts of a content that are not one of `known`. */
export function otherParts(content: unknown, known: readonly string[]): string[] {
  return listAt(content)
    .map((part) => textAt(objectAt(part).type) ?? '')
    .filter((type) => type !== '' && !known.includes(type))
}

/** Text of a content that is a string, or a list of strings and `{ text }` parts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  return listAt(content)
    .map((part) => (typeof part === 'string' ? part : (textAt(objectAt(part).text) ?? '')))
    .filter((text) => text !== '')
    .join('\n')
}

/** RFC 3339 with milliseconds, from RFC 3339 or milliseconds; empty if it is neither. */
export function timeAt(value: unknown): string {
  const ms = typeof value === 'number' ? value : Date.parse(textAt(value) ?? '')
  if (!Number.isFinite(ms) || Math.abs(ms) > 8e15) return ''
  return new Date(ms).toISOString()
}

/** The object in a JSON text; empty if there is none. */
export function parsedObject(json: unknown): Loose {
  if (typeof json !== 'string') return objectAt(json)
  try {
    return objectAt(JSON.parse(json))
  } catch {
    return {}
  }
}
