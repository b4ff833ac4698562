import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nameForModel } from './tool-names.ts'

describe('the name of a server’s tool', () => {
  it('contains both names', () => {
    expect(nameForModel('files', 'read_file', new Set())).toBe('files__read_file')
  })

  it('is valid for every vendor and unique', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 40 }), (pairs) => {
        const taken = new Set<string>()
        const names = pairs.map(([server, tool]) => nameForModel(server, tool, taken))
        for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{1,64}$/)
        expect(new Set(names).size).toBe(names.length)
      }),
    )
  })

  it('is unique for long names', () => {
    const taken = new Set<string>()
    const long = 'x'.repeat(200)
    expect(nameForModel('s', long, taken)).toHaveLength(64)
    expect(nameForModel('s', long, taken)).toMatch(/x_2$/)
  })
})
