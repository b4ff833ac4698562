import { describe, expect, it } from 'vitest'
import { fingerprint } from './fingerprint.ts'

describe('fingerprint', () => {
  it.each([
    ['', 'cbf29ce484222325'],
    ['a', 'af63dc4c8601ec8c'],
    ['foobar', '85944171f73967e8'],
    ['hello world', '779a65e7023cd2e7'],
    ['é😀', '52da6ebdce68376c'],
    ['x'.repeat(1000), 'e1add1d93134d2c5'],
    ['t0', '08c80007b56a5fc9'],
    ['t5100', '71c599ba050a65d1'],
    ['t18', '5634881943be082a'],
    ['t1031', 'fdf0a79943ec0046'],
  ])('returns the 64-bit FNV-1a hash of %j', (text, expected) => {
    expect(fingerprint(text)).toBe(expected)
  })

  it('differs for 10,000 different texts', () => {
    const all = Array.from({ length: 10_000 }, (_none, index) => fingerprint(`machine ${index}`))
    expect(new Set(all).size).toBe(10_000)
  })
})
