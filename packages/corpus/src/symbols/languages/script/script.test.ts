// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../../test/support/symbols.ts'

const rows: [text: string, outline: string, all?: string][] = [
  ["`${'`'}`\nclass A {}", '2:7 class A'],
  ['a = /class B {}/\nclass C {}', '2:7 class C'],
  ['a / b; class A {} / c', '1:14 class A'],
  ['return /[/]class A {}/\nclass B {}', '2:7 class B'],
  ['a = /\\/;class A {}/\nclass B {}', '2:7 class B'],
  ['a = (b) / 2; class C {} /d/', '1:20 class C'],
  ['</div>\nclass A {}', '2:7 class A'],
  ['typeof /"/\nclass A {}', '2:7 class A'],
  ['mytypeof /"/\nclass A {} "', '2:7 class A'],
  ['x.return /"\nclass A {} "', '2:7 class A'],
  ["'\\'class A {}'\nclass B {}", '2:7 class B'],
  ["don't class A {}\nclass B {}", '1:13 class A, 2:7 class B'],
  ["'a\\\nclass B {}'\nclass C {}", '3:7 class C'],
  ['/* class A {}', ''],
  ['/', ''],
  ['/*', ''],
  ['`a', ''],
  ['`${', ''],
  ["'", ''],
  ['class A {} /', '1:7 class A'],
  ['class A {', '1:7 class A'],
  ['const a = [', '', '1:7 const a'],
  ['class A { b(', '1:7 class A, 1:11 method b'],
  ['enum A {', '1:6 enum A'],
  ['enum A { b', '1:6 enum A'],
  ['interface A { b', '1:11 interface A', '1:11 interface A, 1:15 field b'],
  ['import {\n  type A,\n  type B\n} from "c"', ''],
  ['export { type A }', ''],
  ['export type { A }', ''],
  ['export default class extends A { b() {} }', '1:34 method b'],
  ['export default class A implements B {}', '1:22 class A'],
  ['class implements A { b() {} }', '1:22 method b'],
  ['class extends A { c() {} }', '1:19 method c'],
  [
    'abstract class A { protected abstract b(): void; private static async c() {}\n declare d: e; accessor f = 1; override g() {} readonly h: i }',
    '1:16 class A, 1:39 method b, 1:71 method c, 2:41 method g',
    '1:16 class A, 1:39 method b, 1:71 method c, 2:10 field d, 2:25 field f, 2:41 method g, 2:57 field h',
  ],
  [
    'class A {\n\tb() {}\n\n\t// c() {}\n\td() {} // e() {}\n}',
    '1:7 class A, 2:2 method b, 5:2 method d',
  ],
  [
    'class A { a = { b() {} }\n c() {} }',
    '1:7 class A, 2:2 method c',
    '1:7 class A, 1:11 field a, 2:2 method c',
  ],
  [
    'class A { a = [b(), c()]; d() {} }',
    '1:7 class A, 1:27 method d',
    '1:7 class A, 1:11 field a, 1:27 method d',
  ],
  [
    'class A { a: () => void; b: { c(): void }; d(): { e: f } { } }',
    '1:7 class A, 1:44 method d',
    '1:7 class A, 1:11 field a, 1:26 field b, 1:44 method d',
  ],
  [
    'class A { constructor() {}; get(a) {} set(b) {} static() {} async() {} }',
    '1:7 class A, 1:11 method constructor, 1:29 method get, 1:39 method set, 1:49 method static, 1:61 method async',
  ],
  ['class A<B, C = D<E>> extends F<G<H>> { i() {} }', '1:7 class A, 1:40 method i'],
  ['class A<B extends () => void> { c() {} }', '1:7 class A, 1:33 method c'],
  ['class A { a == b; c => d; e = f => g }', '1:7 class A, 1:27 method e'],
  [
    'class A { a\n= 1\nb\n() {} }',
    '1:7 class A, 3:1 method b',
    '1:7 class A, 1:11 field a, 3:1 method b',
  ],
  [
    'class A { a ?(b) {} c ! : d }',
    '1:7 class A, 1:11 method a',
    '1:7 class A, 1:11 method a, 1:21 field c',
  ],
  [
    'struct B\nfunc f()\ndef g\nprotocol D\nextension E',
    '1:8 struct B, 2:6 func f, 3:5 def g, 4:10 protocol D, 5:11 extension E',
  ],
]

test.each(rows)(
  'the scanner for TypeScript methods, literals and incomplete text reads %j',
  (text, outline, all = outline) => {
    expect(placedSymbols('a.ts', text)).toBe(outline)
    expect(placedSymbols('a.ts', text, 'all')).toBe(all)
  },
)
