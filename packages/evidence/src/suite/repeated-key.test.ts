import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { findRepeatedKey } from './repeated-key.ts'

test.each([
  ['{"a":1,\n"b":2,\n"a":3}', { key: 'a', line: 3 }],
  ['[{"a":1},{"b":{"c":1,\n"\\u0063" :2}}]', { key: 'c', line: 2 }],
  ['{"a":{"a":1},"b":[{"a":1},{"a":2}]}', undefined],
  ['{"a":"{\\"a\\":1,\\"a\\":2","b":"\\\\"}', undefined],
])('findRepeatedKey finds the key that an object of %j has twice', (text, found) => {
  expect(findRepeatedKey(text)).toEqual(found)
})

test('findRepeatedKey finds nothing in JSON that was made from a value', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(findRepeatedKey(JSON.stringify(JSON.parse(text), undefined, 1))).toBeUndefined()
    }),
  )
})
