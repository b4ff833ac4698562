// Canonical JSON by RFC 8785 (JCS): equal values give equal text, so that it can be compared and
// hashed. Iterative: memory, not the stack, limits the nesting depth.
import { ZeeError, oneLine } from '../errors/errors.ts'

/** An array or object whose members are being written. */
interface Frame {
  container: object
  /** Undefined for an array. */
  keys: string[] | undefined
  items: ArrayLike<unknown>
  next: number
}

/**
 * The canonical text of plain data. Throws a ZeeError `not_canonical` for values that JSON cannot
 * represent: lone surrogates, NaN, infinities, undefined, functions, symbols, bigints, cycles, and
 * objects that are not plain data, such as dates and maps. -0 becomes 0.
 */
export function canonicalJson(value: unknown): string {
  const parts: string[] = []
  const frames: Frame[] = []
  const ancestors = new Set<object>()
  write(value, parts, frames, ancestors)
  for (let frame = frames.at(-1); frame !== undefined; frame = frames.at(-1)) {
    if (frame.next === frame.items.length) {
      parts.push(frame.keys === undefined ? ']' : '}')
      ancestors.delete(frame.container)
      frames.pop()
      continue
    }
    const index = frame.next++
    if (index > 0) parts.push(',')
    if (frame.keys !== undefined) parts.push(quoted(frame.keys[index] ?? '', frames), ':')
    write(frame.items[index], parts, frames, ancestors)
  }
  return parts.join('')
}

/** Writes a scalar, or opens a container whose members the caller writes. */
function write(value: unknown, parts: string[], frames: Frame[], ancestors: Set<object>): void {
  if (typeof value === 'string') parts.push(quoted(value, frames))
  else if (typeof value === 'number') parts.push(numberText(value, frames))
  else if (typeof value === 'boolean' || value === null) parts.push(String(value))
  else if (typeof value === 'object') {
    if (ancestors.has(value)) throw notCanonical('a value that contains itself', frames)
    ancestors.add(value)
    const frame = frameOf(value, frames)
    parts.push(frame.keys === undefined ? '[' : '{')
    frames.push(frame)
  } else throw notCanonical(value === undefined ? 'undefined' : `a ${typeof value}`, frames)
}

function quoted(text: string, frames: Frame[]): string {
  // With the u flag, the class matches lone surrogates only.
  if (/[\ud800-\udfff]/u.test(text)) throw notCanonical('a lone surrogate', frames)
  return JSON.stringify(text)
}

function numberText(value: number, frames: Frame[]): string {
  if (!Number.isFinite(value)) throw notCanonical(String(value), frames)
  // The number format of RFC 8785 is that of ECMAScript.
  return value === 0 ? '0' : String(value)
}

function frameOf(value: object, frames: Frame[]): Frame {
  if (Array.isArray(value)) return { container: value, keys: undefined, items: value, next: 0 }
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) {
    throw notCanonical('an object that is not plain data', frames)
  }
  // The default sort order is by UTF-16 code units, as RFC 8785 requires.
  const keys = Object.keys(value).sort()
  const items = keys.map((key) => (value as Record<string, unknown>)[key])
  return { container: value, keys, items, next: 0 }
}

/** Gives the location as a shortened JSON pointer, without the value. */
function notCanonical(what: string, frames: Frame[]): ZeeError {
  const steps = frames.slice(0, 8).map(({ keys, next }) => keys?.[next - 1] ?? String(next - 1))
  const pointer = steps.map((step) => `/${step.slice(0, 32)}`).join('')
  const location = frames.length > steps.length ? `${pointer}/...` : pointer
  return new ZeeError(
    'not_canonical',
    `JSON cannot represent ${what} (at ${oneLine(location) || 'the top'})`,
  )
}
