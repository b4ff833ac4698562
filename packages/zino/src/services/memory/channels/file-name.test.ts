import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { channelFileName, plainIdOfFile } from './file-name.ts'

const id = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.string({ unit: 'binary', minLength: 1 }),
  fc.string({
    unit: fc.constantFrom('a', 'A', '/', '_', '.', '~', '\0', '\ud800', 'é'),
    minLength: 1,
    maxLength: 200,
  }),
)

describe('the file name of a channel', () => {
  it('is a plain id itself, which can be read back', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[A-Za-z0-9_-]{1,100}$/), (plain) => {
        expect(channelFileName(plain)).toBe(`${plain}.json`)
        expect(plainIdOfFile(`${plain}.json`)).toBe(plain)
      }),
    )
  })

  it('is unique per id, short, and never leaves the folder', () => {
    fc.assert(
      fc.property(id, id, (one, other) => {
        const name = channelFileName(one)
        expect(name === channelFileName(other)).toBe(one === other)
        expect(name).toMatch(/^[A-Za-z0-9_~-]{1,120}\.json$/)
      }),
    )
  })

  it('of an id with other characters is not plain', () => {
    expect(plainIdOfFile(channelFileName('a/b'))).toBeUndefined()
    expect(channelFileName('a/b')).toMatch(/^a_b~[0-9a-f]{32}\.json$/)
  })
})
