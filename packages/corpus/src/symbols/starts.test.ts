import { expect, test } from 'vitest'
import { symbols } from '../../test/support/symbols.ts'
import * as keywords from './languages/keyword-languages.ts'
import { scriptStarts } from './languages/script/script.ts'

const tables = { ...keywords, script: scriptStarts }

test.each(Object.entries(tables))('each first word of %s stands in a row', (_, { words, rows }) => {
  const unknown = words
    .split(' ')
    .filter((word) => !rows.some(({ pattern }) => pattern.source.includes(word)))
  expect(unknown).toEqual([])
})

test('modifiers in any number and on any lines lead to the definition', () => {
  expect(symbols('a.kt', 'public\n  abstract inner class A\n')).toEqual(['2 class A'])
  expect(symbols('a.rs', 'pub(crate) unsafe extern "C" fn f() {}\n')).toEqual(['1 fn f'])
  expect(symbols('a.rs', 'pub (crate) fn g() {}\n')).toEqual(['1 fn g'])
  expect(symbols('a.ts', 'export default async function f() {}\n')).toEqual(['1 function f'])
  expect(symbols('a.scala', 'private[this] final case class A()\n')).toEqual(['1 class A'])
  expect(symbols('a.swift', 'public private(set) var a = 1\n', 'all')).toEqual(['1 var a'])
})

test('modifiers before anything else define nothing', () => {
  expect(symbols('a.ts', 'async type\nexport { a }\ndefault: x\n', 'all')).toEqual([])
  expect(symbols('a.kt', 'open(file)\ndata.forEach { }\n', 'all')).toEqual([])
})

test('a property that is called like a keyword opens no body', () => {
  expect(symbols('a.ts', 'const a = b.enum\nif (a) {\n  c\n}\n', 'all')).toEqual(['1 const a'])
})

test('declarations of each keyword have its kind, also behind a comma on the next line', () => {
  const text = 'var a = f(1, 2)\n  , b\nlet [c, { d }] = e, g\nexport const h = 1\n'
  expect(symbols('a.js', text, 'all')).toEqual([
    ...['1 var a', '2 var b', '3 let c', '3 let d', '3 let g', '4 const h'],
  ])
})

test('plain keywords that a language does not know count at the beginning of a line only', () => {
  expect(symbols('a.ts', 'struct A\n;struct B\n')).toEqual(['1 struct A'])
})
