// The redaction invariant: no stored string matches a secret rule that hardly errs.
import { createRedactor } from '@zee/core/redact'
import type { Scope } from './findings.ts'

const redactor = createRedactor()

/** Whether stored text may hold a secret; exact unless characters are written as \uXXXX. */
export function mayHoldSecret(json: string): boolean {
  return json.includes('\\u') || redactor.findSecret(json) !== undefined
}

/** Adds one finding for the first secret among the strings and keys of a value. */
export function checkSecrets(
  value: unknown,
  scope: Scope,
  at: { name: string; prefix: string },
): void {
  const found = findSecretIn(value, '')
  if (found === undefined) return
  const place = found.place === '' ? '' : `${found.place} `
  reportSecret(`${at.prefix}${place}holds what looks like a secret (${found.rule})`, scope, at.name)
}

/** Text that is no JSON: prompts and captures. */
export function findSecret(text: string): string | undefined {
  return redactor.findSecret(text)
}

export function reportSecret(message: string, scope: Scope, name: string): void {
  scope.either('ZCL_E_UNSAFE_EVIDENCE', 'ZCL_W_UNSAFE_EVIDENCE', message, name)
}

function findSecretIn(value: unknown, place: string): { rule: string; place: string } | undefined {
  if (typeof value === 'string') {
    const rule = redactor.findSecret(value)
    return rule === undefined ? undefined : { rule, place }
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const rule = redactor.findSecret(key)
    // A key that is a secret must not be quoted in a message either.
    if (rule !== undefined) return { rule, place: place === '' ? 'a key' : `a key of ${place}` }
    const found = findSecretIn(inner, place === '' ? key : `${place}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}
