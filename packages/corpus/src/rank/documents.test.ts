import { expect, test } from 'vitest'
import { bareNameOf, sizeOf, termsOfFile, testedNameOf, weightOf } from './documents.ts'
import { hashOf } from './tokens.ts'
import { countOf } from './vector.ts'

test.each([
  ['src/lock.ts', 1],
  ['vendor/lock.ts', 0.5],
  ['a/third_party/lock.c', 0.5],
  ['a/thirdparty/lock.c', 0.5],
  ['.pytest_cache/lock.py', 0.5],
  ['a/jquery.min.js', 0.5],
  ['vendors/lock.ts', 1],
  ['package-lock.json', 0.6],
  ['a/go.sum', 0.6],
  ['a/api_pb2.py', 0.6],
  ['a/api.pb.go', 0.6],
  ['a/api.generated.ts', 0.6],
  ['a/b.snap', 0.6],
  ['test/lock.ts', 0.9],
  ['a/__tests__/lock.ts', 0.9],
  ['a/fixtures/lock.ts', 0.9],
  ['a/test_lock.py', 0.9],
  ['a/lock_test.go', 0.9],
  ['a/lock.spec.ts', 0.9],
  ['conftest.py', 0.9],
  ['a/latest/lock.ts', 1],
  ['a/contest.py', 1],
])('the weight of %s is %d', (path, weight) => {
  expect(weightOf(path)).toBe(weight)
})

test.each([
  ['lock.ts', 'lock', 'lock'],
  ['Lock.test.ts', 'Lock.test', 'lock'],
  ['test_lock.py', 'test_lock', 'lock'],
  ['lock_test.go', 'lock_test', 'lock'],
  ['lock-spec.js', 'lock-spec', 'lock'],
  ['lock.tests.cs', 'lock.tests', 'lock'],
  ['.gitignore', '.gitignore', '.gitignore'],
  ['Makefile', 'Makefile', 'makefile'],
])('%s has the bare name %s and the tested name %s', (name, bare, tested) => {
  expect(bareNameOf(name)).toBe(bare)
  expect(testedNameOf(name)).toBe(tested)
})

test('the terms of a file are those of its content, its symbols, its name and its folder', () => {
  const bytes = Buffer.from('export function breakLock() {\n  return owner\n}\n')
  const found = termsOfFile('core/sub/lock.ts', bytes, true)
  expect(found).toMatchObject({ path: 'core/sub/lock.ts', weight: 1, isNamesOnly: false })
  const counts = (term: string): number[] =>
    found === undefined
      ? []
      : Object.values(found.vectors).map((vector) => countOf(vector, hashOf(term)))
  expect(counts('lock')).toEqual([1, 1, 1, 0])
  expect(counts('owner')).toEqual([1, 0, 0, 0])
  expect(counts('core')).toEqual([0, 0, 0, 1])
  expect(counts('sub')).toEqual([0, 0, 0, 1])
  expect(bytes.toString()).toContain('export function')
})

test('a file without content has the terms of its path only', () => {
  const found = termsOfFile('core/lock.ts', Buffer.from('function owner() {}'), false)
  expect(found).toMatchObject({ isNamesOnly: true })
  const lengths = found && Object.values(found.vectors).map(({ length }) => length)
  expect(lengths).toEqual([0, 0, 1, 1])
  expect(found && sizeOf(found)).toBe(2 * 6 + 2 * 12 + 500)
})

test.each([
  [7999, undefined],
  [8000, 1],
])('a file with a zero byte at offset %d has %s document', (offset, documents) => {
  const bytes = Buffer.alloc(9000, 'a ')
  bytes[offset] = 0
  expect(termsOfFile('a', bytes, true) && 1).toBe(documents)
})

test('content after the first 512 KiB of a file has no terms', () => {
  const filler = '.'.repeat((512 << 10) - 5)
  const found = termsOfFile('a.txt', Buffer.from(`${filler}late dropped`), true)
  expect(found?.vectors.content.length).toBe(1)
  expect(found && countOf(found.vectors.content, hashOf('late'))).toBe(1)
})
