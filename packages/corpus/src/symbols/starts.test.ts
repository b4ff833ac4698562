import { expect, test } from 'vitest'
import { symbols } from '../../test/support/symbols.ts'
import * as keywords from './languages/keyword-languages.ts'
import { scriptStarts } from './languages/script/script.ts'

const tables = { ...keywords, script: scriptStarts }

test.each(Object.entries(tables))(
  'each first word of the table %s occurs in one of its rows',
  (_, { words, rows }) => {
    const unknown = words
      .split(' ')
      .filter((word) => !rows.some(({ pattern }) => pattern.source.includes(word)))
    expect(unknown).toEqual([])
  },
)

test('a definition is found after any number of modifiers, also across lines', () => {
  expect(symbols('a.kt', 'public\n  abstract inner class A\n')).toEqual(['2 class A'])
  expect(symbols('a.rs', 'pub(crate) unsafe extern "C" fn f() {}\n')).toEqual(['1 fn f'])
  expect(symbols('a.rs', 'pub (crate) fn g() {}\n')).toEqual(['1 fn g'])
  expect(symbols('a.ts', 'export default async function f() {}\n')).toEqual(['1 function f'])
  expect(symbols('a.scala', 'private[this] final case class A()\n')).toEqual(['1 class A'])
  expect(symbols('a.swift', 'public private(set) var a = 1\n', 'all')).toEqual(['1 var a'])
})

test('modifiers without a definition define nothing', () => {
  expect(symbols('a.ts', 'async type\nexport { a }\ndefault: x\n', 'all')).toEqual([])
  expect(symbols('a.kt', 'open(file)\ndata.forEach { }\n', 'all')).toEqual([])
})

test('a property named like a keyword does not open a body', () => {
  expect(symbols('a.ts', 'const a = b.enum\nif (a) {\n  c\n}\n', 'all')).toEqual(['1 const a'])
})

test('each declared name gets the kind of its keyword, also after a comma on the next line', () => {
  const text = 'var a = f(1, 2)\n  , b\nlet [c, { d }] = e, g\nexport const h = 1\n'
  expect(symbols('a.js', text, 'all')).toEqual([
    ...['1 var a', '2 var b', '3 let c', '3 let d', '3 let g', '4 const h'],
  ])
})

test('plain keywords that a language does not have count only at the start of a line', () => {
  expect(symbols('a.ts', 'struct A\n;struct B\n')).toEqual(['1 struct A'])
})
