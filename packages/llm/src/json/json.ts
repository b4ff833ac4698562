// Accessors for JSON of unknown shape: each returns undefined for a value of another type.
import { oneLine } from '@zee/core/errors'
import { isObject } from '@zee/core/json'

export type JsonObject = Record<string, unknown>

export function asRecord(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined
}

export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** The parser's message as one line of at most 200 characters. */
export function jsonErrorReason(error: unknown): string {
  const reason = oneLine(error instanceof Error ? error.message : String(error))
  return reason.length > 200 ? `${reason.slice(0, 200)}...` : reason
}
