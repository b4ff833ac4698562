import { expect, test } from 'vitest'
import { isIgnored, readIgnoreRules } from './gitignore.ts'

function ignored(text: string, path: string, isFolder = false): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return isIgnored(readIgnoreRules(text, '', undefined), path, name, isFolder)
}

test.each([
  ['*.log', 'deep/a.log', true],
  ['/a.log', 'deep/a.log', false],
  ['/a.log', 'a.log', true],
  ['src/*.js', 'src/a.js', true],
  ['src/*.js', 'src/x/a.js', false],
  ['src/*.js', 'x/src/a.js', false],
  ['**/gen', 'a/b/gen', true],
  ['a/**/b', 'a/b', true],
  ['a/**/b', 'a/x/y/b', true],
  ['a/**', 'a/x/y', true],
  ['a/**', 'a', false],
  ['fo?', 'foo', true],
  ['fo[^x]', 'foo', true],
  ['fo[!o]', 'foo', false],
  ['\\#a', '#a', true],
  ['#a', '#a', false],
  ['\\!a', '!a', true],
  ['a\\ ', 'a ', true],
  ['a  ', 'a', true],
  ['a*b', 'a/b', false],
  ['*.log\n!keep.log', 'keep.log', false],
  ['!keep.log\n*.log', 'keep.log', true],
  ['', 'a', false],
  ['/', 'a', false],
])('%j ignores %s: %s', (rules, path, expected) => {
  expect(ignored(rules, path)).toBe(expected)
})

test('a rule with a trailing slash applies to folders only', () => {
  expect(ignored('out/', 'x/out', true)).toBe(true)
  expect(ignored('out/', 'x/out', false)).toBe(false)
})

test('a deeper .gitignore overrides a shallower one, each below its own folder', () => {
  const outer = readIgnoreRules('*.txt\nsub/x', '', undefined)
  const inner = readIgnoreRules('!a.txt\n/b', 'sub/', outer)
  expect(isIgnored(inner, 'sub/a.txt', 'a.txt', false)).toBe(false)
  expect(isIgnored(inner, 'sub/c.txt', 'c.txt', false)).toBe(true)
  expect(isIgnored(inner, 'sub/b', 'b', false)).toBe(true)
  expect(isIgnored(inner, 'sub/x', 'x', false)).toBe(true)
})
