import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mayContain, signatureOf, trigramHashes } from './signature.ts'

test('a signature admits every text of its blob, in any case', () => {
  const blob = fc.string({ unit: fc.constantFrom('a', 'B', 'c', '_', '\n', 'é'), maxLength: 400 })
  fc.assert(
    fc.property(blob, fc.nat(400), fc.nat(40), (text, start, length) => {
      const part = text.slice(start, start + length)
      const signature = signatureOf(Buffer.from(text))
      expect(mayContain(signature, trigramHashes(Buffer.from(part)))).toBe(true)
      const upper = part.replaceAll(/[a-z]+/g, (letters) => letters.toUpperCase())
      expect(mayContain(signature, trigramHashes(Buffer.from(upper)))).toBe(true)
    }),
    { numRuns: 300 },
  )
})

test('a signature is small for text that repeats itself, and a power of two in bits', () => {
  const repeated = signatureOf(Buffer.from('the same line again and again\n'.repeat(5000)))
  expect(repeated.length).toBeLessThan(64)
  const numbers = Array.from({ length: 5000 }, (_, at) => String(at * 7919)).join(' ')
  const signature = signatureOf(Buffer.from(numbers))
  expect(Math.log2(signature.length) % 1).toBe(0)
  expect(signature.length).toBeLessThan(numbers.length * 0.15)
})
