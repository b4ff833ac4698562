// Definitions that readers search for although they do not start a statement.
import { describe, expect, test } from 'vitest'
import { symbols } from '../../../test/support/symbols.ts'

describe('the scanner for JavaScript and TypeScript', () => {
  test('finds the names of functions and classes that are values', () => {
    const text = [
      'module.exports = function hasSymbols() {',
      '}',
      'module.exports = class Plugin extends Base {',
      '  apply() {}',
      '}',
      'queue.then(function done(error) {',
      '})',
      'const text = "function fake() {"',
      '// class Fake {',
    ]
    expect(symbols('a.js', text.join('\n'))).toEqual([
      '1 function hasSymbols',
      '3 class Plugin',
      '4 method apply',
      '6 function done',
    ])
  })

  test('finds methods of object literals, but not calls or control flow', () => {
    const text = [
      'const visitor = {',
      '  enter(node) {',
      '    if (node) {',
      '      call(node, () => {',
      '      })',
      '    } else if (other(node)) {',
      '    }',
      '    for (const one of list(node)) {',
      '    }',
      '  },',
      '  async *leave(node: Node): Iterable<Node> {',
      '  },',
      '  get size() {',
      '  },',
      '}',
      'describe("x", () => {',
      '})',
      'while (next()) {',
      '}',
    ]
    expect(symbols('a.ts', text.join('\n'))).toEqual([
      '2 method enter',
      '11 method leave',
      '13 method size',
    ])
  })

  test('finds every declared name in full detail, also in lists and patterns', () => {
    const text = [
      'const { a, b: c, d = 1, ...rest } = load()',
      'let [first, , { deep }] = list',
      'var one, two = f(1, 2), three = { x: 1, y }',
      '  , four',
      'let later!: string',
      'export const [left, right] = pair, more = 2',
      'for (const loop of list) {}',
      'const next = 1',
      'another, call(x)',
    ]
    expect(symbols('a.ts', text.join('\n'), 'all')).toEqual([
      ...['1 const a', '1 const c', '1 const d', '1 const rest'],
      ...['2 let first', '2 let deep'],
      ...['3 var one', '3 var two', '3 var three', '4 var four', '5 let later'],
      ...['6 const left', '6 const right', '6 const more', '8 const next'],
    ])
  })
})

describe('the scanner for Kotlin', () => {
  test('finds companions, extensions of function types, and type parameters without a space', () => {
    const text = [
      'class Store {',
      '    companion object {',
      '    }',
      '}',
      'class Other { companion object Key : Base() {} }',
      'internal expect fun<T> local(name: T): T',
      'public fun <T> (suspend () -> T).start(done: Done) {}',
    ]
    expect(symbols('a.kt', text.join('\n'))).toEqual([
      '1 class Store',
      '2 object Companion',
      '5 class Other',
      '5 object Key',
      '6 fun local',
      '7 fun start',
    ])
  })

  test('finds the package and the properties of a constructor in full detail', () => {
    const text = 'package a.b.c\nprivate class P(private val list: List<Int>, var n: Int, x: Int)\n'
    expect(symbols('a.kt', text, 'all')).toEqual([
      '1 package a.b.c',
      '2 class P',
      '2 val list',
      '2 var n',
    ])
  })
})

test('the scanner for Java finds the package in full detail', () => {
  expect(symbols('A.java', 'package a.b;\nclass A {}\n', 'all')).toEqual([
    '1 package a.b',
    '2 class A',
  ])
  expect(symbols('A.java', 'package a.b;\nclass A {}\n')).toEqual(['2 class A'])
})

describe('the scanner for C', () => {
  test('finds declarators of every form in full detail', () => {
    const text = [
      'static const int a = 1, *b, c[4], (*d)(int, char);',
      'struct s { unsigned flags : 3, more : 2; struct s *next; std::vector<int, x> v; };',
      'foo;',
      'int 9;',
    ]
    expect(symbols('a.cpp', text.join('\n'), 'all')).toEqual([
      ...['1 variable a', '1 variable b', '1 variable c', '1 variable d', '2 struct s'],
      ...['2 field flags', '2 field more', '2 field next', '2 field v'],
    ])
  })
})
