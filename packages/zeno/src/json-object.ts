// JSON that others wrote, where only an object is of use.
import { isObject } from './request.ts'

/** Undefined for what is no JSON, or no object. */
export function parseObject(json: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(json)
    return isObject(value) ? value : undefined
  } catch {
    return undefined
  }
}
