import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { compileGlobs, compilePaths } from './glob.ts'

const matches = (glob: string, path: string): boolean => compileGlobs([glob]).matches(path)

describe('a glob', () => {
  test.each([
    ['*.py', 'a.py', true],
    ['*.py', 'deep/er/a.py', true],
    ['*.py', 'a.pyc', false],
    ['*.PY', 'a.py', false],
    ['src/*.ts', 'src/gen/x.ts', true],
    ['?', '/', true],
    ['a?c', 'a😀c', true],
    ['a?c', 'a\u007fc', true],
    ['a?c', 'a\u{10000}c', true],
    ['a?c', 'a\uffffc', true],
    ['a?c', 'a\u0080c', true],
    ['a*c', 'a\u0080\u0080c', true],
    ['[abc].txt', 'b.txt', true],
    ['[a-c]', 'b', true],
    ['[!abc]', 'd', true],
    ['[!abc]', 'a', false],
    ['[]a]', ']', true],
    ['[!]a]', ']', false],
    ['[^a]', '^', true],
    ['[^a]', 'b', false],
    ['[z-a]', 'b', false],
    ['[!z-a]', 'b', true],
    ['[a-]', '-', true],
    ['[--0]', '.', true],
    ['a[b', 'a[b', true],
    ['[*]', '*', true],
    ['[*]', 'x', false],
    ['[[]', '[', true],
    ['\\*', '\\x', true],
    ['\\*', '*', false],
    ['', '', true],
    ['a', 'ab', false],
    ['b', 'ab', false],
  ])('%s on %s matches as in fnmatchcase: %s', (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected)
  })

  test.each([
    ['**/*.py', 'a.py', true],
    ['**/*.py', 'x/y/a.py', true],
    ['**/README*', 'README.md', true],
    ['src/**/a.ts', 'src/a.ts', true],
    ['src/**/a.ts', 'src/x/y/a.ts', true],
    ['src/**/a.ts', 'srca.ts', false],
    ['src/**/a.ts', 'src/xa.ts', false],
    ['a**/b', 'a/b', true],
    ['a**/b', 'ab', false],
    ['**/**/x', 'x', true],
    ['**', 'a/b', true],
    ['src/**', 'src/a/b', true],
    ['src/**', 'src', false],
  ])('with `**/`, %s on %s, may match nothing there: %s', (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected)
  })

  test.each([
    ['**/*.{py,js}', 'a.js', true],
    ['**/*.{py,js}', 'x/a.py', true],
    ['**/*.{py,js}', 'x/a.ts', false],
    ['{src,test}/{a,b}*', 'test/b1', true],
    ['a{b,c{d,e}}f', 'acef', true],
    ['a{,b}', 'a', true],
    ['{a}', '{a}', true],
    ['{a,b', '{a,b', true],
    ['a,b}', 'a,b}', true],
    ['[{,}]', ',', true],
    ['{{a,b},c}', 'b', true],
    ['x{**/,}y', 'xy', true],
    ['{**/,}y', 'a/y', true],
  ])('with braces, %s on %s, is expanded: %s', (glob, path, expected) => {
    expect(matches(glob, path)).toBe(expected)
  })

  test('of many stars on a long path matches in linear time', () => {
    const started = performance.now()
    expect(matches(`${'*a'.repeat(60)}*b`, 'a'.repeat(4000))).toBe(false)
    expect(performance.now() - started).toBeLessThan(5000)
  })

  test('with too many expansions or characters is rejected with a message', () => {
    expect(() => compileGlobs(['{a,b}'.repeat(40)])).toThrow('glob braces expand to more than')
    expect(() => compileGlobs(['x'.repeat(70_000)])).toThrow('glob is too long')
    expect(() => compileGlobs(['{'.repeat(60_000)])).not.toThrow()
    expect(() => compileGlobs(['['.repeat(60_000)])).not.toThrow()
  })

  test('matches the same paths as a recursive reference matcher', () => {
    const piece = fc.constantFrom(
      '*',
      '**/',
      '?',
      'a',
      'b',
      '/',
      '[ab]',
      '[!a]',
      '[a-b',
      '{a,b}',
      '{',
      ',',
    )
    const globs = fc.array(piece, { maxLength: 8 }).map((parts) => parts.join(''))
    const paths = fc.array(fc.constantFrom('a', 'b', '/', '[', '😀'), { maxLength: 8 })
    fc.assert(
      fc.property(globs, paths, (glob, parts) => {
        const path = parts.join('')
        expect(matches(glob, path)).toBe(plainMatch(glob, path))
      }),
      { numRuns: 3000 },
    )
  })

  test('reports prefixes that no matching path can have', () => {
    const matcher = compileGlobs(['src/*.ts', 'docs/a.md'])
    expect(matcher.canMatchPrefix('src/')).toBe(true)
    expect(matcher.canMatchPrefix('docs/')).toBe(true)
    expect(matcher.canMatchPrefix('lib/')).toBe(false)
    expect(compileGlobs([]).canMatchPrefix('')).toBe(false)
  })
})

describe('the paths of grep', () => {
  test('may be globs, exact paths or folders', () => {
    const matcher = compilePaths(['src', 'docs/', 'a[1].txt', '*.md'])
    const found = ['src', 'src/a', 'srcx', 'docs/b/c', 'a[1].txt', 'a1.txt', 'x/y.md', 'z'].filter(
      (path) => matcher.matches(path),
    )
    expect(found).toEqual(['src', 'src/a', 'docs/b/c', 'a[1].txt', 'a1.txt', 'x/y.md'])
  })
})

/** A reference implementation of the glob language, optimised for clarity. */
function plainMatch(glob: string, path: string): boolean {
  const brace = /\{([^{}[\]]*,[^{}[\]]*)\}/.exec(glob)
  if (brace !== null) {
    const [head, tail] = [glob.slice(0, brace.index), glob.slice(brace.index + brace[0].length)]
    return (brace[1] as string).split(',').some((part) => plainMatch(head + part + tail, path))
  }
  return matchFrom([...glob], 0, [...path], 0)
}

function matchFrom(glob: string[], g: number, path: string[], p: number): boolean {
  if (g === glob.length) return p === path.length
  const rest = (from: number): boolean => matchFrom(glob, from, path, p + 1)
  if (glob[g] === '*') {
    const folders = (g === 0 || glob[g - 1] === '/') && glob[g + 1] === '*' && glob[g + 2] === '/'
    if (folders) {
      if (matchFrom(glob, g + 3, path, p)) return true
      return path.some((c, at) => at >= p && c === '/' && matchFrom(glob, g + 3, path, at + 1))
    }
    return matchFrom(glob, g + 1, path, p) || (p < path.length && rest(g))
  }
  if (p === path.length) return false
  if (glob[g] === '?') return rest(g + 1)
  const set = /^\[(!?)(\]?[^\]]*)\]/.exec(glob.slice(g).join(''))
  if (set !== null && glob[g] === '[') {
    const inside = (set[2] as string).includes(path[p] as string)
    return inside !== (set[1] === '!') && rest(g + [...set[0]].length)
  }
  return glob[g] === path[p] && rest(g + 1)
}
