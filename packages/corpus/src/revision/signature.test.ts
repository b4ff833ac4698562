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

/** A text of different trigrams, up to 200 of them. */
const variedText = (length: number): string =>
  Array.from({ length }, (_, at) =>
    String.fromCharCode(97 + (((at * at + at * 7) >> 3) % 26)),
  ).join('')

test.each([
  [0, 16],
  [2, 16],
  [3, 16],
  [64, 16],
  [65, 32],
  [128, 32],
  [129, 64],
  [200, 64],
  [400, 128],
  [1000, 128],
])('the signature of a varied text of %d bytes has %d bytes', (length, bytes) => {
  expect(signatureOf(Buffer.from(variedText(length)))).toHaveLength(bytes)
})

test('a signature has a bit for each trigram, whatever the case of its letters', () => {
  const hex = (text: string): string => Buffer.from(signatureOf(Buffer.from(text))).toString('hex')
  expect(hex('abc')).toBe('00000000002000000000000000000000')
  expect(hex('ABc')).toBe(hex('abc'))
  expect(hex('abcd')).toBe('00000000002000000080000000000000')
  expect(hex('ab')).toBe('0'.repeat(32))
})

test.each([
  ['', []],
  ['ab', []],
  ['abc', [557_485]],
  ['ABC', [557_485]],
  ['@[`{', [496_888, 82_765]],
  ['\u00e4\u00c4', [786_593, 834_313]],
])('the trigrams of %j have the hashes %j', (text, hashes) => {
  expect([...trigramHashes(Buffer.from(text))]).toEqual(hashes)
})

test.each([
  [42, 16],
  [43, 32],
])('a text that repeats %d trigrams has a signature of %d bytes', (count, bytes) => {
  const turn = Array.from({ length: count }, (_, at) => String.fromCharCode(0x23 + at)).join('')
  expect(signatureOf(Buffer.from(turn.repeat(3).slice(0, 127)))).toHaveLength(bytes)
})
