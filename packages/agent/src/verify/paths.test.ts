import { describe, expect, it } from 'vitest'
import { findPaths, isBelow, isPath, isProse, isSamePath } from './paths.ts'

describe('findPaths', () => {
  it.each<[text: string, tokens: [path: string, index: number, length: number][]]>([
    ['', []],
    ['no file here.', []],
    [
      '`a.ts` and src/b.py.',
      [
        ['a.ts', 0, 6],
        ['src/b.py', 11, 8],
      ],
    ],
    [
      '**a.ts** or "b.ts"',
      [
        ['a.ts', 0, 8],
        ['b.ts', 12, 6],
      ],
    ],
    ['`a.ts:12:3-4`', [['a.ts', 0, 13]]],
    ['`a.ts#L12-L14`', [['a.ts', 0, 14]]],
    ['`a.ts,`', [['a.ts', 0, 7]]],
    ['**`a.ts`**', [['a.ts', 0, 10]]],
    ['../x/a.ts', [['../x/a.ts', 0, 9]]],
    ['`src/` and `src/lib`', [['src/', 0, 6]]],
    ['the `src/lib` folder', [['src/lib', 4, 9]]],
    ['the `src` directory', [['src', 4, 5]]],
    ['the "src" folder', []],
    ['the `npm test` folder', []],
    ['lib/x without code', []],
    ['a.ts-old x.ts/y', []],
  ])('in %j', (text, tokens) => {
    expect(findPaths(text)).toEqual(
      tokens.map(([path, index, length]) => ({ path, index, length })),
    )
  })
})

describe('isPath', () => {
  it.each([
    ...['a.ts', 'a.TSX', 'src/a.py', 'a.lock', 'a.nix', 'Makefile', 'LICENSE', '.gitignore'],
    ...['.env', 'config.env'],
  ])('of %j', (text) => {
    expect([isPath(text, true), isPath(text, false)]).toEqual([true, true])
  })

  it.each([
    ...['', 'a b.ts', 'a(b).ts', 'x{y}.ts', '<a>.ts', 'a=b.ts', '$a.ts', 'a|b.ts', 'a;b.ts'],
    ...['*.ts', 'a?.ts', "a'.ts", 'a".ts', 'https://x/a.ts', 'http:a.ts', '-a.ts', '@x/a.ts'],
    ...['1.2.3', './..', 'node.js', 'Vue.js', 'socket.io', 'e.g', 'asp.net', 'vs.code', 'a.xyz'],
    ...['makefile', 'src', 'a/b'],
  ])('not of %j', (text) => {
    expect([isPath(text, true), isPath(text, false)]).toEqual([false, false])
  })

  it('takes a folder in code only', () => {
    expect([isPath('src/lib/', true), isPath('src/lib/', false)]).toEqual([true, false])
  })
})

it.each<[one: string, other: string, isSame: boolean]>([
  ['a.ts', 'a.ts', true],
  ['./a.ts', '/a.ts/', true],
  ['src/a.ts', 'a.ts', true],
  ['a.ts', 'src/a.ts', true],
  ['ba.ts', 'a.ts', false],
  ['a.ts', 'ba.ts', false],
  ['src/a.ts', 'lib/a.ts', false],
])('isSamePath of %j and %j is %s', (one, other, isSame) => {
  expect(isSamePath(one, other)).toBe(isSame)
})

it.each<[folder: string, path: string, isInside: boolean]>([
  ['src', 'src/a.ts', true],
  ['./src/', '/w/src/lib/a.ts', true],
  ['src', 'src', true],
  ['src', 'asrc/a.ts', false],
  ['src', 'srcs/a.ts', false],
])('isBelow of %j and %j is %s', (folder, path, isInside) => {
  expect(isBelow(folder, path)).toBe(isInside)
})

it.each([
  ...['README.md', 'a.mdx', 'docs/a.ts', 'doc/a', 'a.txt', 'x/LICENSE', 'x.JPG', 'tmp/a.ts'],
  ...['/tmp/a.ts', '.git/HEAD', 'a.csv', 'CHANGELOG'],
])('isProse of %j', (path) => {
  expect(isProse(path)).toBe(true)
})

it.each(['a.ts', 'src/docsy/a.ts', 'a.md.ts', 'template.html'])('isProse not of %j', (path) => {
  expect(isProse(path)).toBe(false)
})
