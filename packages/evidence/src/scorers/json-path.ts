// Selects one place of a JSON value: a JSON path such as `$.rows[0]["full name"]`, or a JSON pointer.
import { resolvePointer } from '../json/json.ts'

const step = /\.([A-Za-z_$][\w$-]*)|\[(\d+)\]|\[(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')\]/y

/** Undefined if the value has no such place, or the path is not of this form. */
export function selectPath(value: unknown, path: string): unknown {
  if (path.startsWith('/') || path === '') return resolvePointer(value, path)
  const text = path.startsWith('$') ? path.slice(1) : `.${path}`
  const keys: string[] = []
  step.lastIndex = 0
  while (step.lastIndex < text.length) {
    const found = step.exec(text)
    if (found === null) return undefined
    const quoted = found[3] ?? found[4]
    keys.push(quoted?.replace(/\\(.)/g, '$1') ?? found[1] ?? found[2] ?? '')
  }
  const pointer = keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
  return resolvePointer(value, pointer)
}
