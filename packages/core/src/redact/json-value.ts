// Redacts JSON data: every string and every key at any depth, and whole values under names that
// announce a secret. Works without recursion, so that depth is no limit.
import { isSecretFlag } from './assignments.ts'
import { isHarmless, isLongEnough, isSecretName } from './secret-names.ts'

/** Redacts one string; `whole` means that all of it is known to be secret. */
export type RedactString = (text: string, whole: boolean) => string

type Container = unknown[] | Record<string, unknown>

/** A copy of the data with its secrets replaced; the data itself when it is a scalar. */
export function redactValue(json: unknown, redact: RedactString): unknown {
  const copies = new Map<object, Container>()
  const open: Container[] = []
  const copyOf = (item: unknown, whole: boolean): unknown => {
    if (typeof item === 'string') return redact(item, whole)
    if (!isContainer(item)) return item
    const known = copies.get(item)
    if (known !== undefined) return known
    const copy: Container = Array.isArray(item) ? [] : {}
    copies.set(item, copy)
    open.push(item)
    return copy
  }
  const root = copyOf(json, false)
  for (let source = open.pop(); source !== undefined; source = open.pop()) {
    const copy = copies.get(source)
    if (Array.isArray(source)) fillArray(source, copy as unknown[], copyOf)
    else fillObject(source, copy as Record<string, unknown>, copyOf, redact)
  }
  return root
}

type CopyOf = (item: unknown, whole: boolean) => unknown

function isContainer(item: unknown): item is Container {
  if (typeof item !== 'object' || item === null) return false
  if (Array.isArray(item)) return true
  const prototype: unknown = Object.getPrototypeOf(item)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** An argument list: what follows `--password` is secret too. */
function fillArray(source: unknown[], copy: unknown[], copyOf: CopyOf): void {
  for (const [index, item] of source.entries()) {
    const before = source[index - 1]
    const isFlagged = typeof before === 'string' && isSecretFlag(before)
    const isNextFlag = typeof item === 'string' && item.startsWith('-')
    copy.push(copyOf(item, isFlagged && !isNextFlag && isSecretUnder(before, item)))
  }
}

function fillObject(
  source: Record<string, unknown>,
  copy: Record<string, unknown>,
  copyOf: CopyOf,
  redact: RedactString,
): void {
  // `{"name": "API_KEY", "value": "..."}`, as environments and recorded headers are written.
  const named = typeof source.name === 'string' ? source.name : ''
  const taken = new Map<string, number>()
  for (const [key, item] of Object.entries(source)) {
    const isWhole = isSecretUnder(key, item) || (key === 'value' && isSecretUnder(named, item))
    define(copy, freeKey(copy, redact(key, false), taken), copyOf(item, isWhole))
  }
}

function isSecretUnder(name: string, item: unknown): boolean {
  return (
    typeof item === 'string' && isSecretName(name) && isLongEnough(item) && !isHarmless(name, item)
  )
}

/** Two keys that were redacted to the same mark stay two. */
function freeKey(copy: Record<string, unknown>, key: string, taken: Map<string, number>): string {
  if (!Object.hasOwn(copy, key)) return key
  const count = (taken.get(key) ?? 1) + 1
  taken.set(key, count)
  return freeKey(copy, `${key}#${count}`, taken)
}

function define(copy: Record<string, unknown>, key: string, value: unknown): void {
  // Assignment to `__proto__` would set the prototype instead.
  if (key !== '__proto__') copy[key] = value
  else
    Object.defineProperty(copy, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    })
}
