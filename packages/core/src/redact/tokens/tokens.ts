// Secrets with a recognizable form: keys with a known prefix, JSON web tokens and PEM blocks. Precise
// enough to search stored evidence with.
import type { Label, Span } from '../spans.ts'
import { labelOf } from '../spans.ts'
import { findJwts } from './jwt.ts'
import { findPemBlocks, findPemPieces, holdsPrivateKey } from './pem.ts'
import { findKeys, openKey } from './runs.ts'
import { matchVendorForm } from './vendor-forms.ts'
export { isGenerated } from './runs.ts'
export { startsWord } from './words.ts'

/** All tokens of the text. */
export function* findTokens(text: string): Iterable<Span> {
  for (const { rule, start, end } of findKeys(text, matchVendorForm)) {
    yield { start, end, label: labelFor(rule) }
  }
  if (text.includes('eyJ')) {
    for (const [start, end] of findJwts(text)) yield { start, end, label: jwtLabel }
  }
  if (text.includes('-----')) {
    for (const [start, end] of findPemBlocks(text)) yield { start, end, label: pemLabel }
  }
  for (const [start, end] of findPemPieces(text)) yield { start, end, label: pemLabel }
}

/** The first rule that matches; of PEM blocks, only those of private keys. */
export function findTokenRule(text: string): string | undefined {
  for (const { rule } of findKeys(text, matchVendorForm)) return rule
  if (text.includes('eyJ')) for (const _ of findJwts(text)) return jwtLabel.name
  return text.includes('-----BEGIN') && holdsPrivateKey(text) ? pemLabel.name : undefined
}

/** The start of an incomplete token at the end of the text. */
export function openToken(text: string): number | undefined {
  return openPem.exec(text)?.index ?? openKey(text)
}

const openPem = /-----BEGIN[A-Z0-9 ]{0,62}-{0,4}$/

const labels = new Map<string, Label>()
const jwtLabel = labelFor('jwt')
const pemLabel = labelFor('private_key')

function labelFor(rule: string): Label {
  const existing = labels.get(rule)
  if (existing !== undefined) return existing
  const label = labelOf(rule, 0, true)
  labels.set(rule, label)
  return label
}
