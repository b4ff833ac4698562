import { describe, expect, test } from 'vitest'
import { compileGlobs } from '../glob/glob.ts'
import { ExcludedCount, hidingRule, namedPaths } from './excluded.ts'
import type { WalkOptions } from './options.ts'

describe('the paths that a request names', () => {
  test.each([
    [[], undefined],
    [['*.py'], ['*.py']],
    [['build/*.js'], ['build', 'build/*.js']],
    [['build/a.js'], ['build', 'build/a.js']],
    [['a/b/c?/d'], ['a', 'a/b', 'a/b/c?', 'a/b/c?/d']],
    [['.x/[ab]'], ['.x', '.x/[ab]']],
    [['/a//b/'], ['a', 'a/b']],
    [['{a,b}/*'], ['a', 'b', '{a,b}', '{a,b}/*']],
    [
      ['a', 'b/c'],
      ['a', 'b', 'b/c'],
    ],
    [['**/x'], ['**', '**/x']],
  ])('of %j are %j', (globs, paths) => {
    const named = namedPaths(globs)
    expect(named && [...named].sort()).toEqual(paths)
  })
})

const options = (parts: Partial<WalkOptions> = {}): WalkOptions =>
  ({ includeHidden: false, defaultFolders: new Set(['build']), ...parts }) as WalkOptions

describe('the rule that hides an entry', () => {
  test.each([
    ['src', true, {}, undefined],
    ['build', true, {}, 'build'],
    ['build', false, {}, undefined],
    ['a/build', true, {}, 'build'],
    ['build', true, { includeHidden: true }, 'build'],
    ['build', true, { defaultFolders: undefined }, undefined],
    ['build', true, { named: new Set(['build']) }, undefined],
    ['a/build', true, { named: new Set(['build']) }, 'build'],
    ['.git', true, {}, 'hidden'],
    ['.env', false, {}, 'hidden'],
    ['a/.env', false, {}, 'hidden'],
    ['.env', false, { includeHidden: true }, undefined],
    ['.env', false, { named: new Set(['.env']) }, undefined],
    ['a.b', false, {}, undefined],
  ] as [string, boolean, Partial<WalkOptions>, string | undefined][])(
    'of %s (folder: %s) with %j is %s',
    (path, isFolder, parts, rule) => {
      const name = path.slice(path.lastIndexOf('/') + 1)
      expect(hidingRule(options(parts), path, name, isFolder)).toBe(rule)
    },
  )
})

describe('the count of what a walk hides', () => {
  test('has the sorted rules, and no field for nothing', () => {
    const count = new ExcludedCount(options())
    expect(count.fields()).toEqual({})
    count.add('.git', true, 'hidden')
    expect(count.fields()).toEqual({ excluded: { folders: 1, files: 0, by: ['hidden'] } })
    count.add('a/build', true, 'build')
    count.add('.env', false, 'hidden')
    count.addDenied('secret.txt')
    expect(count.fields()).toEqual({
      excluded: { folders: 2, files: 1, by: ['build', 'hidden'] },
      skipped_denied: 1,
    })
  })

  test('leaves out what the request cannot select', () => {
    const count = new ExcludedCount(options({ selects: compileGlobs(['src/*.ts']) }))
    count.add('.env', false, 'hidden')
    count.add('lib/build', true, 'build')
    count.addDenied('secret.txt')
    expect(count.fields()).toEqual({})
    count.add('src/.a.ts', false, 'hidden')
    count.add('src/build', true, 'build')
    count.addDenied('src/b.ts')
    expect(count.fields()).toEqual({
      excluded: { folders: 1, files: 1, by: ['build', 'hidden'] },
      skipped_denied: 1,
    })
  })
})
