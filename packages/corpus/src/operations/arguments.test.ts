import { describe, expect, test } from 'vitest'
import {
  argumentsOf,
  booleanArgument,
  choiceArgument,
  numberArgument,
  requiredText,
  textArgument,
  textsArgument,
} from './arguments.ts'

describe('the argument parser', () => {
  test.each([undefined, null, '', 0, false, []])('treats %j as no arguments', (args) => {
    expect(argumentsOf(args)).toEqual({})
  })

  test.each([[['x']], ['text'], [7], [true]])('rejects %j, which is not an object', (args) => {
    expect(() => argumentsOf(args)).toThrow('args must be an object')
  })

  test.each([
    [2, 2],
    [2.9, 2],
    ['2', 2],
    [' 12 ', 12],
    ['+1_000', 1000],
    [true, 1],
    [false, 0],
    [0, 0],
    [null, 500],
    [undefined, 500],
  ])('a whole number may be given as %j', (value, expected) => {
    expect(numberArgument({ max: value }, 'max', 500)).toBe(expected)
  })

  test.each(['x', '2.9', '', {}, [], [2], '1e3', Infinity])('rejects %j as an integer', (value) => {
    expect(() => numberArgument({ max: value }, 'max', 500)).toThrow('max must be a whole number')
  })

  test('rejects numbers below 0', () => {
    expect(() => numberArgument({ max: -1 }, 'max', 500)).toThrow('max must be 0 or more, got -1')
    expect(numberArgument({ max: -0.5 }, 'max', 500)).toBe(0)
  })

  test('accepts only true and false as booleans, and null for the default', () => {
    expect(booleanArgument({ a: true }, 'a', false)).toBe(true)
    expect(booleanArgument({ a: null }, 'a', true)).toBe(true)
    for (const value of ['false', 0, 1, [], {}]) {
      expect(() => booleanArgument({ a: value }, 'a', false)).toThrow('a must be true or false')
    }
  })

  test('treats an empty string as missing and rejects other types', () => {
    expect(() => requiredText({ path: '' }, 'path')).toThrow(/^missing path$/)
    expect(() => requiredText({}, 'pattern')).toThrow(/^missing pattern$/)
    expect(() => requiredText({ path: 5 }, 'path')).toThrow('path must be a string, got 5')
    expect(textArgument({ glob: null }, 'glob')).toBeUndefined()
  })

  test('treats a string as a list of one and rejects lists of other types', () => {
    expect(textsArgument({ paths: 'src/*.py' }, 'paths')).toEqual(['src/*.py'])
    expect(textsArgument({ paths: ['a', 'b'] }, 'paths')).toEqual(['a', 'b'])
    expect(textsArgument({ paths: null }, 'paths')).toEqual([])
    for (const value of [[1], {}, 5, true]) {
      expect(() => textsArgument({ paths: value }, 'paths')).toThrow('must be a list of strings')
    }
  })

  test('rejects an unknown choice and names the valid ones', () => {
    expect(choiceArgument({}, 'mode', ['hits', 'count'], 'hits')).toBe('hits')
    expect(() => choiceArgument({ mode: 'x' }, 'mode', ['hits', 'count'], 'hits')).toThrow(
      'mode must be one of hits, count, got "x"',
    )
  })

  test('ignores inherited properties', () => {
    const args = JSON.parse('{"__proto__": {"max": 1}}') as Record<string, unknown>
    expect(numberArgument(args, 'max', 500)).toBe(500)
    expect(numberArgument(Object.create({ max: 1 }) as Record<string, unknown>, 'max', 5)).toBe(5)
  })

  test('cuts a long value in the error message', () => {
    const error = (): number => numberArgument({ max: 'x'.repeat(1000) }, 'max', 1)
    expect(error).toThrow(/^max must be a whole number, got "x{59}\.\.\.$/)
  })
})
