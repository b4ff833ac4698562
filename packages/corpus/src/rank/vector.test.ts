import { expect, test } from 'vitest'
import { hashOf } from './tokens.ts'
import { bytesOf, countOf, vectorOf } from './vector.ts'

test('a vector counts the terms of all texts', () => {
  const vector = vectorOf(['red blue red', 'blue red green'])
  const counts = ['red', 'blue', 'green', 'black'].map((term) => countOf(vector, hashOf(term)))
  expect(counts).toEqual([3, 2, 1, 0])
  expect(vector.length).toBe(6)
  expect(bytesOf(vector)).toBe(18)
  expect([...vector.hashes]).toEqual([...vector.hashes].sort((a, b) => a - b))
})

test('a vector finds each of many terms, and no other', () => {
  const words = Array.from({ length: 9 }, (_, at) => `word${at}x`)
  const vector = vectorOf([words.map((word, at) => `${word} `.repeat(at + 1)).join('')])
  expect(words.map((word) => countOf(vector, hashOf(word)))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9])
  for (const hash of [0, 0xffffffff]) expect(countOf(vector, hash)).toBe(0)
})

test('a vector counts a term at most 65535 times', () => {
  const vector = vectorOf(['many '.repeat(70_000)])
  expect(countOf(vector, hashOf('many'))).toBe(65_535)
  expect(vector.length).toBe(70_000)
})

test('a vector of no text is empty', () => {
  const vector = vectorOf([])
  expect(vector).toEqual({ hashes: new Uint32Array(0), counts: new Uint16Array(0), length: 0 })
  expect(countOf(vector, hashOf('any'))).toBe(0)
})
