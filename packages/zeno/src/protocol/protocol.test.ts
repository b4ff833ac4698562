import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isBadRequest, parseRequest } from './protocol.ts'

const parse = (text: string) => parseRequest(Buffer.from(text))

describe('parseRequest', () => {
  it('never throws and accepts exactly the JSON objects', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.jsonValue(), (bytes, value) => {
        parseRequest(Buffer.from(bytes))
        const parsed = parse(JSON.stringify(value))
        const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
        expect(parsed !== undefined && !isBadRequest(parsed)).toBe(isObject)
      }),
    )
  })

  it('returns undefined for blank lines', () => {
    for (const text of ['', ' ', '\t\r', '\u00a0']) expect(parse(text)).toBeUndefined()
  })

  it('keeps the id of a request that is nested too deeply', () => {
    const deep = `${'['.repeat(2000)}${']'.repeat(2000)}`
    expect(parse(`{"id":"x","args":${deep}}`)).toMatchObject({ id: 'x', problem: /nested/ })
    expect(parse(`{"id":${deep}}`)).toMatchObject({ id: null })
    expect(parse(`{"id":7,"args":{"a":${'['.repeat(900)}${']'.repeat(900)}}}`)).not.toHaveProperty(
      'problem',
    )
  })
})
