import { expect, it } from 'vitest'
import { isObject, parseObject } from './json.ts'

it('isObject accepts objects and refuses null, lists and scalars', () => {
  expect([{}, { a: 1 }].every(isObject)).toBe(true)
  expect([null, undefined, [], [{}], 'text', 1, true].some(isObject)).toBe(false)
})

it('parseObject returns the object, and undefined for other JSON and for broken text', () => {
  expect(parseObject('{"a":[1]}')).toEqual({ a: [1] })
  for (const text of ['[1]', 'null', '"a"', '1', '{"a":', ''])
    expect(parseObject(text)).toBe(undefined)
})
