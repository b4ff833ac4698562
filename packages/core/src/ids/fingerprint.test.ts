import { describe, expect, it } from 'vitest'
import { fingerprint } from './fingerprint.ts'

describe('fingerprint', () => {
  it.each([
    ['', 'cbf29ce484222325'],
    ['a', 'af63dc4c8601ec8c'],
    ['foobar', '85944171f73967e8'],
  ])('returns the 64-bit FNV-1a hash of %j', (text, expected) => {
    expect(fingerprint(text)).toBe(expected)
  })

  it('differs for 10,000 different texts', () => {
    const all = Array.from({ length: 10_000 }, (_none, index) => fingerprint(`machine ${index}`))
    expect(new Set(all).size).toBe(10_000)
  })
})
