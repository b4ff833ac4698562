import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { findUnknownKey } from './unknown-keys.ts'

const leaf = z.looseObject({ firstName: z.string(), lastName: z.optional(z.string()) })
const schema = z.looseObject({
  leaf,
  list: z.optional(z.array(leaf)),
  either: z.optional(z.union([z.string(), leaf])),
  any: z.optional(z.unknown()),
})

test.each<[unknown, ReturnType<typeof findUnknownKey>]>([
  [{}, undefined],
  [5, undefined],
  [[], undefined],
  [{ leaf: 5, list: 'x', any: { whatever: 1 } }, undefined],
  [{ leav: {} }, { path: ['leav'], nearest: 'leaf' }],
  [{ LIST: {} }, { path: ['LIST'], nearest: 'list' }],
  [
    { 'x-own': 1, X: 1 },
    { path: ['X'], nearest: 'any' },
  ],
  [{ leaf: { first: 'a' } }, { path: ['leaf', 'first'], nearest: 'firstName' }],
  [{ leaf: { lastNameOf: 'a' } }, { path: ['leaf', 'lastNameOf'], nearest: 'lastName' }],
  [{ leaf: { lastNam3: 'a' } }, { path: ['leaf', 'lastNam3'], nearest: 'lastName' }],
  [{ list: [{ firstName: 'a' }, { name: 1 }] }, { path: ['list', 1, 'name'], nearest: 'lastName' }],
  [{ either: 'x' }, undefined],
  [
    { either: { firstName: 'a', lastname: 'b' } },
    { path: ['either', 'lastname'], nearest: 'lastName' },
  ],
  [{ either: { lastname: 'b' } }, undefined],
  [{ leaf: { constructor: 1 } }, { path: ['leaf', 'constructor'], nearest: 'firstName' }],
])('findUnknownKey of %j is %j', (value, found) => {
  expect(findUnknownKey(schema, value)).toEqual(found)
})

test('findUnknownKey has no nearest key in an object without keys', () => {
  expect(findUnknownKey(z.looseObject({}), { a: 1 })).toEqual({ path: ['a'], nearest: '' })
})
