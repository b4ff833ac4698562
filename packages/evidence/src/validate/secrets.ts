// Checks the redaction invariant: no stored string matches a secret rule with few false positives.
import { createRedactor } from '@zee/core/redact'
import type { Scope } from './findings.ts'

const redactor = createRedactor()

/** Whether stored JSON may contain a secret; exact unless characters are escaped as \uXXXX. */
export function mayHoldSecret(json: string): boolean {
  return json.includes('\\u') || redactor.findSecret(json) !== undefined
}

/** Adds one finding for the first secret among the strings and keys of a value. */
export function checkSecrets(
  value: unknown,
  scope: Scope,
  location: { name: string; prefix: string },
): void {
  const found = findSecretIn(value, '')
  if (found === undefined) return
  const field = found.path === '' ? '' : `${found.path} `
  const message = `${location.prefix}${field}holds what looks like a secret (${found.rule})`
  reportSecret(message, scope, location.name)
}

/** The rule that matches plain text (prompts and captures), or undefined. */
export function findSecret(text: string): string | undefined {
  return redactor.findSecret(text)
}

export function reportSecret(message: string, scope: Scope, name: string): void {
  scope.either('ZCL_E_UNSAFE_EVIDENCE', 'ZCL_W_UNSAFE_EVIDENCE', message, name)
}

function findSecretIn(value: unknown, path: string): { rule: string; path: string } | undefined {
  if (typeof value === 'string') {
    const rule = redactor.findSecret(value)
    return rule === undefined ? undefined : { rule, path }
  }
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const rule = redactor.findSecret(key)
    // A secret in a key must not appear in the message.
    if (rule !== undefined) return { rule, path: path === '' ? 'a key' : `a key of ${path}` }
    const found = findSecretIn(inner, path === '' ? key : `${path}.${key}`)
    if (found !== undefined) return found
  }
  return undefined
}
