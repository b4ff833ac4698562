import { describe, expect, it } from 'vitest'
import { fingerprint } from './fingerprint.ts'

describe('a fingerprint', () => {
  it.each([
    ['', 'cbf29ce484222325'],
    ['a', 'af63dc4c8601ec8c'],
    ['foobar', '85944171f73967e8'],
  ])('of %j is that of 64-bit FNV-1a', (text, expected) => {
    expect(fingerprint(text)).toBe(expected)
  })

  it('differs between texts that differ', () => {
    const all = Array.from({ length: 10_000 }, (_none, index) => fingerprint(`machine ${index}`))
    expect(new Set(all).size).toBe(10_000)
  })
})
