// Reads the error lists of FastAPI and Pydantic, which vLLM and many gateways send with status 400 or 422:
// `{"detail":[{"loc":["body","temperature"],"msg":"Extra inputs are not permitted","type":"extra_forbidden"}]}`.
import { asRecord, asString } from '../json/json.ts'

export interface ListedError {
  /** The names on the way to the field, without `body`. */
  path: readonly string[]
  message: string
  /** Stable code for machines, for example `extra_forbidden`; empty if the list has none. */
  type: string
}

/** The entry of an error list; undefined for any other value. */
export function listedError(value: unknown): ListedError | undefined {
  const entry = asRecord(value)
  const message = asString(entry?.msg)
  if (message === undefined || !Array.isArray(entry?.loc)) return undefined
  const path = entry.loc.map(String).filter((part, at) => at > 0 || part !== 'body')
  return { path, message, type: asString(entry.type) ?? '' }
}

/** The list as text for people; undefined if the value is no error list. */
export function errorListText(value: unknown): string | undefined {
  if (!Array.isArray(value)) return undefined
  const errors = value.map(listedError).filter((error) => error !== undefined)
  if (errors.length === 0) return undefined
  return errors
    .slice(0, maxShown)
    .map(({ path, message }) => [path.join('.'), message].filter((part) => part !== '').join(': '))
    .join('; ')
}

const maxShown = 5
