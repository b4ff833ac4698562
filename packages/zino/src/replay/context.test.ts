import { expect, it } from 'vitest'
import type { Receipt } from '../receipts/receipts.ts'
import { textFacts } from '../receipts/receipts.ts'
import { contextDifferences } from './context.ts'

const hash = (text: string) => textFacts(text).sha256
const message = (role: string, text: string) => ({ role, sha256: hash(text) })
const prompt = [
  ...[message('system', 'S'), message('user', 'old'), message('system', 'of client')],
  message('user', 'new'),
]
const receipt = {
  request: textFacts('new'),
  context: { sha256: '', messages: 4, from_client: 1 },
} as unknown as Receipt
const now = { systems: new Set([hash('S')]), texts: new Set([hash('old')]) }

it('a prompt whose parts are all known has no differences', () => {
  expect(contextDifferences(prompt, receipt, now)).toEqual([])
  expect(contextDifferences(prompt, undefined, { systems: undefined, texts: new Set() })).toEqual(
    [],
  )
})

it('another system prompt, message or stored text is a difference', () => {
  const other = { systems: new Set([hash('T')]), texts: new Set<string>() }
  expect(contextDifferences(prompt, { ...receipt, request: textFacts('x') }, other)).toEqual([
    'the system prompt would differ',
    "the user's message differs from that of the receipt",
    'a message of the context changed or disappeared since then',
  ])
})
