// Replaces secrets by numbered placeholders and puts the values back on request. The values stay in
// memory only. A value that was replaced once is replaced everywhere, with and without its context.
import type { LiteralSearch } from './literals.ts'
import { literalForms, searchForLiterals } from './literals.ts'
import type { RedactorOptions } from './redactor.ts'
import { buildRedactor } from './redactor.ts'

export interface Placeholders {
  /** The text with placeholders. `incomplete`: the text was cut, and may end inside a secret. */
  hide(text: string, options?: { incomplete?: boolean }): string
  /** A copy of JSON data with placeholders in every string and key. */
  hideValue(json: unknown): unknown
  /** A copy of JSON data with the values; names the first placeholder without a value. */
  reveal(json: unknown): { value: unknown } | { unknown: string }
}

export interface PlaceholderOptions extends RedactorOptions {
  /** Numbers up to this one are taken, by placeholders of an earlier process. */
  lastNumber?: number
  /** Values that are hidden and never put back, for example the program's own key. */
  neverRevealed?: readonly string[]
}

const placeholder = /⟦secret:[a-z0-9-]{1,64}:(\d{1,15})⟧/g

/** The highest number of a placeholder in the text, or 0. */
export function lastPlaceholder(text: string): number {
  if (!text.includes('⟦secret:')) return 0
  let last = 0
  for (const [, number] of text.matchAll(placeholder)) last = Math.max(last, Number(number))
  return last
}

interface KnownValue {
  rule: string
  value: string
  /** Assigned when the value is replaced for the first time. */
  mark?: string
}

/** Keys that share the prefix of OpenAI's keys; evidence of zcl names them all `openai_key`. */
const sharedPrefixes: readonly (readonly [prefix: string, rule: string])[] = [
  ['sk-ant-', 'anthropic_key'],
  ['sk-or-', 'openrouter_key'],
]

/** The rule by which a placeholder is named: that of the key's own vendor. */
function vendorRule({ rule, value }: KnownValue): string {
  if (rule !== 'openai_key') return rule
  return sharedPrefixes.find(([prefix]) => value.startsWith(prefix))?.[1] ?? rule
}

export function createPlaceholders(options: PlaceholderOptions = {}): Placeholders {
  const known = new Map<string, KnownValue>()
  const byNumber = new Map<string, string>()
  let last = options.lastNumber ?? 0
  let search: LiteralSearch | undefined
  let isStale = false

  const learn = (rule: string, value: string): KnownValue => {
    const entry: KnownValue = { rule, value }
    for (const form of [value, ...literalForms(value)]) {
      if (!known.has(form)) known.set(form, entry)
    }
    isStale = true
    return entry
  }
  for (const value of options.neverRevealed ?? []) learn('own_key', value)

  const markOf = (entry: KnownValue): string => {
    if (entry.mark !== undefined) return entry.mark
    const number = String(++last)
    entry.mark = `⟦secret:${vendorRule(entry).replaceAll('_', '-')}:${number}⟧`
    if (entry.rule !== 'own_key') byNumber.set(number, entry.value)
    return entry.mark
  }

  const redactor = buildRedactor(options, {
    replace: (rule, value) => {
      const entry = known.get(value) ?? learn(rule, value)
      for (const part of partsOf(entry)) if (!known.has(part)) learn(rule, part)
      return markOf(entry)
    },
    literals: () => {
      if (isStale) search = searchForLiterals(known.keys())
      isStale = false
      return search
    },
  })

  return {
    hide: (text, { incomplete = false } = {}) => {
      if (!incomplete) return redactor.text(text).text
      return redactor.cut(text, Number.MAX_SAFE_INTEGER, { incomplete }).text
    },
    hideValue: (json) => redactor.value(json).value,
    reveal: (json) => revealIn(json, byNumber),
  }
}

/** Parts that are secret on their own: the password of a URL, the lines of a PEM block. */
function partsOf({ rule, value }: KnownValue): string[] {
  if (rule === 'url_credentials') {
    const password = value.slice(value.indexOf(':') + 1)
    return password.length >= 8 ? [password] : []
  }
  if (rule !== 'private_key') return []
  return value.split(/\\+[nr]|\s+/).filter((line) => /^[A-Za-z0-9+/=]{32}/.test(line))
}

function revealIn(
  json: unknown,
  values: ReadonlyMap<string, string>,
): { value: unknown } | { unknown: string } {
  const source = JSON.stringify(json) ?? ''
  if (!source.includes('⟦secret:')) return { value: json }
  let unknown: string | undefined
  const revealed: unknown = JSON.parse(source, (_key, item: unknown) => {
    if (typeof item !== 'string' || !item.includes('⟦secret:')) return item
    return item.replace(placeholder, (mark, number: string) => {
      const value = values.get(number)
      if (value === undefined) unknown ??= mark
      return value ?? mark
    })
  })
  return unknown === undefined ? { value: revealed } : { unknown }
}
