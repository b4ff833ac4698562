// Puts the name of a root in front of the paths and citations of a result.
import { isObject } from '@zee/core/json'

/** An item of a list: a path, or an object with paths in it. */
export function nameItem(name: string, item: unknown): unknown {
  if (typeof item === 'string') return `${name}:${item}`
  return isObject(item) ? nameFields(name, item) : item
}

/** A result with one path, such as that of `read_file`. */
export function nameFields(name: string, fields: Record<string, unknown>): Record<string, unknown> {
  const named: Record<string, unknown> = { ...fields }
  if (typeof named.path === 'string') named.path = `${name}:${named.path}`
  if (typeof named.cite === 'string') named.cite = `${name}@${named.cite}`
  // A commit and a chunk have no path of their own.
  if (typeof named.id === 'string' && Array.isArray(named.parts)) named.id = `${name}:${named.id}`
  for (const key of ['parts', 'spans', 'lines', 'head', 'tail', 'result']) {
    const inner = named[key]
    if (Array.isArray(inner)) named[key] = inner.map((each) => nameItem(name, each))
    else if (isObject(inner)) named[key] = nameFields(name, inner)
  }
  return named
}
