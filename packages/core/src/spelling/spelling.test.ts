import { describe, expect, it } from 'vitest'
import { closestName, editDistance, nearestName } from './spelling.ts'

describe('closestName', () => {
  const names = ['exec', 'sessions', 'config', '--json']
  it.each([
    ['exce', 'exec'],
    ['session', 'sessions'],
    ['cnofig', 'config'],
    ['--jso', '--json'],
    ['frobnicate', undefined],
    ['x', undefined],
    ['', undefined],
  ])('returns for %j the name %j', (word, expected) => {
    expect(closestName(word, names)).toBe(expected)
  })
})

describe('the closest of several names', () => {
  it.each<[string, string[], string | undefined]>([
    ['ab', ['ax'], 'ax'],
    ['ab', ['xy'], undefined],
    ['a', ['a'], 'a'],
    ['a', ['b'], undefined],
    ['abc', ['abx'], 'abx'],
    ['abc', ['axx'], undefined],
    ['abcd', ['abxx'], 'abxx'],
    ['abcd', ['axxx'], undefined],
    ['abcd', ['abcdef'], 'abcdef'],
    ['abcd', ['abcdefg'], undefined],
    ['abcdef', ['abcd'], 'abcd'],
    ['abcdefghij', ['abcdefgxxx'], undefined],
    ['abcd', ['abxx', 'abcx', 'abyd'], 'abcx'],
    ['abcd', ['abcx', 'abcd'], 'abcd'],
    ['abcd', [], undefined],
  ])('to %j in %j is %j', (word, names, expected) => {
    expect(closestName(word, names)).toBe(expected)
  })

  it.each<[string, string[], string | undefined]>([
    ['abc', [], undefined],
    ['abc', ['xyzxyz'], 'xyzxyz'],
    ['abc', ['xyz', 'axx', 'abx', 'aby'], 'abx'],
  ])('however different, to %j in %j is %j', (word, names, expected) => {
    expect(nearestName(word, names)).toBe(expected)
  })
})

it.each([
  ['', '', 0],
  ['', 'abc', 3],
  ['abc', '', 3],
  ['abc', 'abc', 0],
  ['abc', 'abd', 1],
  ['abc', 'xbc', 1],
  ['abc', 'abcd', 1],
  ['abcd', 'abc', 1],
  ['abc', 'bc', 1],
  ['ab', 'ba', 1],
  ['abc', 'acb', 1],
  ['abcd', 'badc', 2],
  ['ca', 'abc', 3],
  ['kitten', 'sitting', 3],
  ['abcdef', 'fedcba', 5],
  ['aab', 'aba', 1],
  ['abba', 'baab', 2],
])('the distance from %j to %j is %i', (from, to, expected) => {
  expect(editDistance(from, to)).toBe(expected)
  expect(editDistance(to, from)).toBe(expected)
})
