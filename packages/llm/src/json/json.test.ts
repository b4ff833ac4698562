import { expect, it } from 'vitest'
import { asList, asNumber, jsonErrorReason } from './json.ts'

it.each([
  [1.5, 1.5],
  [0, 0],
  [Number.NaN, undefined],
  [Infinity, undefined],
  ['1', undefined],
])('asNumber(%j) is %j', (value, expected) => {
  expect(asNumber(value)).toBe(expected)
})

it('takes arrays as lists, and nothing else', () => {
  expect(asList([1, 2])).toEqual([1, 2])
  expect(asList({ length: 1 })).toEqual([])
})

it('cuts the reason of a parser after 200 characters', () => {
  const reason = `first\n${'x'.repeat(194)}`
  expect(jsonErrorReason(new Error(reason))).toBe(`first ${'x'.repeat(194)}`)
  expect(jsonErrorReason(new Error(`${reason}y`))).toBe(`first ${'x'.repeat(194)}...`)
  expect(jsonErrorReason('not an error')).toBe('not an error')
})
