import { expect, test } from 'vitest'
import { ByteCache } from './byte-cache.ts'

const cost = 1000 - 256

test('evicts the entries that were used least recently', () => {
  const cache = new ByteCache<number>(5000)
  for (let at = 0; at < 5; at++) cache.set(`${at}`, at, cost)
  cache.get('0')
  cache.set('5', 5, cost)
  expect([0, 1, 2, 5].map((at) => cache.get(`${at}`))).toEqual([0, undefined, 2, 5])
})

test('a repeated pass over more than fits finds the same part again', () => {
  const cache = new ByteCache<number>(5000)
  const passes = [0, 1].map(() => {
    cache.startPass()
    let found = 0
    for (let at = 0; at < 20; at++) {
      if (cache.get(`${at}`) !== undefined) found++
      else cache.set(`${at}`, at, cost)
    }
    return found
  })
  expect(passes).toEqual([0, 5])
})

test('entries of an earlier pass make room', () => {
  const cache = new ByteCache<number>(5000)
  cache.startPass()
  for (let at = 0; at < 5; at++) cache.set(`old${at}`, at, cost)
  cache.startPass()
  cache.set('new', 1, cost)
  expect(cache.get('new')).toBe(1)
  expect(cache.get('old0')).toBeUndefined()
})
