// Redacts JSON data: every string and key at any depth, and complete values under names that announce a
// secret. Works without recursion, so depth is unlimited.
import { isSecretFlag } from './assignments.ts'
import { isSecretUnder } from './secret-names.ts'

/** Redacts one string; `isSecret` means that all of it is secret. */
export type RedactString = (text: string, isSecret: boolean) => string

type Container = unknown[] | Record<string, unknown>

/** A copy of the data with its secrets replaced. */
export function redactValue(json: unknown, redact: RedactString): unknown {
  const copies = new Map<object, Container>()
  const open: Container[] = []
  const copyOf = (item: unknown, isSecret: boolean): unknown => {
    if (typeof item === 'string') return redact(item, isSecret)
    if (!isContainer(item)) return item
    const existing = copies.get(item)
    if (existing !== undefined) return existing
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

type CopyOf = (item: unknown, isSecret: boolean) => unknown

function isContainer(item: unknown): item is Container {
  if (typeof item !== 'object' || item === null) return false
  if (Array.isArray(item)) return true
  const prototype: unknown = Object.getPrototypeOf(item)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Treats the array as an argument list: the value after `--password` is secret. */
function fillArray(source: unknown[], copy: unknown[], copyOf: CopyOf): void {
  for (const [index, item] of source.entries()) {
    const before = source[index - 1]
    const isFlagged = typeof before === 'string' && isSecretFlag(before)
    const isNextFlag = typeof item === 'string' && item.startsWith('-')
    copy.push(copyOf(item, isFlagged && !isNextFlag && holdsSecret(before, item)))
  }
}

function fillObject(
  source: Record<string, unknown>,
  copy: Record<string, unknown>,
  copyOf: CopyOf,
  redact: RedactString,
): void {
  // `{"name": "API_KEY", "value": "..."}`: the form of environments and recorded headers.
  const named = typeof source.name === 'string' ? source.name : ''
  const suffixes = new Map<string, number>()
  for (const [key, item] of Object.entries(source)) {
    const isSecret = holdsSecret(key, item) || (key === 'value' && holdsSecret(named, item))
    define(copy, freeKey(copy, redact(key, false), suffixes), copyOf(item, isSecret))
  }
}

function holdsSecret(name: string, item: unknown): boolean {
  return typeof item === 'string' && isSecretUnder(name, item)
}

/** Makes keys unique that were redacted to the same mark. */
function freeKey(
  copy: Record<string, unknown>,
  key: string,
  suffixes: Map<string, number>,
): string {
  if (!Object.hasOwn(copy, key)) return key
  const count = (suffixes.get(key) ?? 1) + 1
  suffixes.set(key, count)
  return freeKey(copy, `${key}#${count}`, suffixes)
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
