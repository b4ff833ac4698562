import { describe, expect, it } from 'vitest'
import fc from 'fast-check'
import { attribute } from './attribution.ts'

const segment = (name: string, bytes: number) => ({ name, bytes, hash: name })

describe('attribute', () => {
  it('splits tokens by the size of the segments and joins those of one source', () => {
    const segments = [
      segment('tools', 100),
      segment('AGENTS.md', 300),
      segment('prompt', 50),
      segment('answer', 50),
      segment('result:c1', 500),
    ]
    const shares = attribute(1000, segments, new Map([['c1', 'read a.ts']]))
    expect(Object.fromEntries(shares)).toEqual({
      'tool definitions': 100,
      'AGENTS.md': 300,
      history: 100,
      'read a.ts': 500,
    })
  })

  it('always adds up to the tokens', () => {
    const sizes = fc.array(fc.nat(10_000), { maxLength: 12 })
    fc.assert(
      fc.property(fc.nat(100_000), sizes, (tokens, bytes) => {
        const segments = bytes.map((size, index) => segment(`result:${index}`, size))
        const labels = new Map(bytes.map((_size, index) => [`${index}`, `call ${index}`]))
        const shares = [...attribute(tokens, segments, labels).values()]
        expect(shares.reduce((sum, share) => sum + share, 0)).toBe(tokens)
      }),
    )
  })
})
