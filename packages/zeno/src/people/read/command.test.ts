import { expect, it } from 'vitest'
import { parsePlace } from './command.ts'

const end = 1_000_000_000

it.each([
  ['a.ts', { path: 'a.ts', first: 1, last: end }],
  ['a.ts:12', { path: 'a.ts', first: 12, last: 12 }],
  ['a.ts:1-40', { path: 'a.ts', first: 1, last: 40 }],
  ['a.ts:40-', { path: 'a.ts', first: 40, last: end }],
  ['a.ts:0-3', { path: 'a.ts', first: 1, last: 3 }],
  ['a:b:2', { path: 'a:b', first: 2, last: 2 }],
  ['a.ts:x-3', { path: 'a.ts:x-3', first: 1, last: end }],
])('`zeno read %s` reads %j', (place, expected) => {
  expect(parsePlace(place)).toEqual(expected)
})
