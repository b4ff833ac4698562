import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chainStart, lineHash } from './chain.ts'
import { sha256Hex } from './sha256.ts'

test('sha256Hex agrees with node:crypto', () => {
  expect(sha256Hex(Buffer.from('abc'))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(sha256Hex(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
    }),
  )
})

test('sha256Hex pads messages around the block size correctly', () => {
  for (let length = 50; length < 140; length++) {
    const bytes = Buffer.alloc(length, length)
    expect(sha256Hex(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
  }
})

test('lineHash agrees with node:crypto, and is chainStart for no bytes', () => {
  expect(lineHash(Buffer.alloc(0))).toBe(chainStart)
  for (const length of [10, 4096, 100_000]) {
    const line = Buffer.alloc(length, 'x')
    expect(lineHash(line)).toBe(createHash('sha256').update(line).digest('hex'))
  }
})
