import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ZeeError } from '../errors/errors.ts'
import { canonicalJson } from './canonical-json.ts'

function fromBits(hex: string): number {
  const view = new DataView(new ArrayBuffer(8))
  view.setBigUint64(0, BigInt(`0x${hex}`))
  return view.getFloat64(0)
}

function codeOf(work: () => unknown): unknown {
  try {
    work()
  } catch (error) {
    return error instanceof ZeeError ? error.code : error
  }
  return 'no error'
}

describe('canonicalJson with the vectors of RFC 8785', () => {
  test.each([
    ['0000000000000000', '0'],
    ['8000000000000000', '0'],
    ['0000000000000001', '5e-324'],
    ['8000000000000001', '-5e-324'],
    ['7fefffffffffffff', '1.7976931348623157e+308'],
    ['ffefffffffffffff', '-1.7976931348623157e+308'],
    ['4340000000000000', '9007199254740992'],
    ['c340000000000000', '-9007199254740992'],
    ['4430000000000000', '295147905179352830000'],
    ['44b52d02c7e14af5', '9.999999999999997e+22'],
    ['44b52d02c7e14af6', '1e+23'],
    ['44b52d02c7e14af7', '1.0000000000000001e+23'],
    ['444b1ae4d6e2ef4e', '999999999999999700000'],
    ['444b1ae4d6e2ef4f', '999999999999999900000'],
    ['444b1ae4d6e2ef50', '1e+21'],
    ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
    ['3eb0c6f7a0b5ed8d', '0.000001'],
    ['41b3de4355555553', '333333333.3333332'],
    ['41b3de4355555554', '333333333.33333325'],
    ['41b3de4355555555', '333333333.3333333'],
    ['41b3de4355555556', '333333333.3333334'],
    ['41b3de4355555557', '333333333.33333343'],
    ['becbf647612f3696', '-0.0000033333333333333333'],
    ['43143ff3c1cb0959', '1424953923781206.2'],
  ])('writes the number with bits %s as %s', (bits, expected) => {
    expect(canonicalJson(fromBits(bits))).toBe(expected)
  })

  test.each(['7fffffffffffffff', '7ff0000000000000', 'fff0000000000000'])(
    'rejects the number with bits %s',
    (bits) => {
      expect(codeOf(() => canonicalJson([fromBits(bits)]))).toBe('not_canonical')
    },
  )

  test('sorts members by UTF-16 code units', () => {
    const value = {
      '\u20ac': 'Euro Sign',
      '\r': 'Carriage Return',
      '\ufb33': 'Hebrew Letter Dalet With Dagesh',
      '1': 'One',
      '\ud83d\ude00': 'Emoji: Grinning Face',
      '\u0080': 'Control',
      '\u00f6': 'Latin Small Letter O With Diaeresis',
    }
    expect(canonicalJson(value)).toBe(
      '{"\\r":"Carriage Return","1":"One","\u0080":"Control",' +
        '"\u00f6":"Latin Small Letter O With Diaeresis","\u20ac":"Euro Sign",' +
        '"\ud83d\ude00":"Emoji: Grinning Face","\ufb33":"Hebrew Letter Dalet With Dagesh"}',
    )
  })

  test('writes literals, numbers and strings of one structure', () => {
    const text = String.raw`{
      "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
      "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
      "literals": [null, true, false]
    }`
    expect(canonicalJson(JSON.parse(text))).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`,
    )
  })
})

describe('canonicalJson for any JSON value', () => {
  const json = fc.jsonValue({ maxDepth: 5 })
  const positiveZero = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

  test('writes text that parses to the same value and is already canonical', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value)
        expect(JSON.parse(text)).toEqual(positiveZero(value))
        expect(canonicalJson(JSON.parse(text))).toBe(text)
      }),
    )
  })

  test('does not depend on the insertion order of members', () => {
    const entries = fc.uniqueArray(fc.tuple(fc.string({ unit: 'grapheme' }), json), {
      selector: ([key]) => key,
    })
    fc.assert(
      fc.property(entries, (members) => {
        const there = Object.fromEntries(members)
        const back = Object.fromEntries(members.toReversed())
        expect(canonicalJson(there)).toBe(canonicalJson(back))
      }),
    )
  })
})

describe('canonicalJson', () => {
  test('treats __proto__ as an ordinary key', () => {
    expect(canonicalJson(JSON.parse('{"b":1,"__proto__":{"a":2}}'))).toBe(
      '{"__proto__":{"a":2},"b":1}',
    )
  })

  test('accepts objects without a prototype and repeated references', () => {
    const shared = { a: 1 }
    const bare = Object.assign(Object.create(null), { x: shared, y: [shared] })
    expect(canonicalJson(bare)).toBe('{"x":{"a":1},"y":[{"a":1}]}')
    expect(canonicalJson([])).toBe('[]')
    expect(canonicalJson({})).toBe('{}')
  })

  const cycle: { self?: unknown } = {}
  cycle.self = [cycle]
  test.each<[string, unknown]>([
    ['undefined', undefined],
    ['a member that is undefined', { a: undefined }],
    ['a hole in an array', Array.from({ length: 1 })],
    ['a function', () => 0],
    ['a symbol', Symbol('s')],
    ['a bigint', 1n],
    ['NaN', Number.NaN],
    ['an infinity', -Infinity],
    ['a lone surrogate', 'a\ud800'],
    ['a lone surrogate in a key', { '\udc00': 1 }],
    ['a cycle', cycle],
    ['a date', new Date(0)],
    ['a map', new Map()],
  ])('rejects %s', (_, value) => {
    expect(codeOf(() => canonicalJson({ deep: [value] }))).toBe('not_canonical')
  })

  test('names the location of a rejected value on one line', () => {
    const write = () => canonicalJson({ list: [1, { 'a\nb': Number.NaN }] })
    expect(write).toThrow('JSON cannot represent NaN (at /list/1/a b)')
    expect(() => canonicalJson(undefined)).toThrow('JSON cannot represent undefined (at the top)')
  })

  test('does not exhaust the stack at a depth of 100,000', () => {
    const depth = 100_000
    const text = '{"a":['.repeat(depth) + ']}'.repeat(depth)
    expect(canonicalJson(JSON.parse(text)) === text).toBe(true)
    let broken: unknown = Number.NaN
    for (let i = 0; i < depth; i++) broken = [broken]
    expect(codeOf(() => canonicalJson(broken))).toBe('not_canonical')
  })
})
