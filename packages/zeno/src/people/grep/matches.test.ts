import { expect, it } from 'vitest'
import { matchFinder } from './matches.ts'

const plain = { regex: false, ignoreCase: false }

it('finds literal matches, with or without case', () => {
  expect(matchFinder('a.b', plain)('a.b axb A.B')).toEqual([[0, 3]])
  expect(matchFinder('a.b', { ...plain, ignoreCase: true })('a.b A.B')).toEqual([
    [0, 3],
    [4, 7],
  ])
})

it('finds nothing for a pattern that JavaScript cannot read, and in long lines', () => {
  expect(matchFinder('(?P<x>a)', { ...plain, regex: true })('a')).toEqual([])
  expect(matchFinder('a', plain)('a'.repeat(3000))).toEqual([])
})
