import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { chainStart, lineHash } from './chain.ts'
import { sha256Hex } from './sha256.ts'

test('it is SHA-256', () => {
  expect(sha256Hex(Buffer.from('abc'))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      expect(sha256Hex(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
    }),
  )
})

test('every length around a block is padded right', () => {
  for (let length = 50; length < 140; length++) {
    const bytes = Buffer.alloc(length, length)
    expect(sha256Hex(bytes)).toBe(createHash('sha256').update(bytes).digest('hex'))
  }
})

test('short and long lines have their hash, nothing has the hash of nothing', () => {
  expect(lineHash(Buffer.alloc(0))).toBe(chainStart)
  for (const length of [10, 4096, 100_000]) {
    const line = Buffer.alloc(length, 'x')
    expect(lineHash(line)).toBe(createHash('sha256').update(line).digest('hex'))
  }
})
