// Selects one place of a JSON value: a JSON path such as `$.rows[0]["full name"]`, or a JSON pointer.
import { pathKeys, resolvePointer } from '../json/json.ts'

/** Undefined if the value has no such place, or the path is not of this form. */
export function selectPath(value: unknown, path: string): unknown {
  if (path.startsWith('/') || path === '') return resolvePointer(value, path)
  const keys = pathKeys(path)
  if (keys === undefined) return undefined
  const pointer = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return resolvePointer(value, pointer)
}
