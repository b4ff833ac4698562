// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../../test/support/symbols.ts'

const rows: [text: string, outline: string, all?: string][] = [
  ['export default async function main<T>(a: T) {}', '1:31 function main'],
  [
    'export abstract class A<T extends { a: 1 }> extends B<T> implements I { b() {} }',
    '1:23 class A, 1:73 method b',
  ],
  [
    'class A {\n  static #count = 0\n  private readonly x: number = 1\n  y?: string\n  z!: string;\n  w\n}',
    '1:7 class A',
    '1:7 class A, 2:10 field #count, 3:20 field x, 4:3 field y, 5:3 field z, 6:3 field w',
  ],
  [
    'class A {\n  constructor(private a: string) { super() }\n  get size(): number { return 1 }\n  set size(a) {}\n  *items() {}\n  async *more() {}\n}',
    '1:7 class A, 2:3 method constructor, 3:7 method size, 4:7 method size, 5:4 method items, 6:10 method more',
  ],
  [
    'class A { abstract area(): number; b = async (e: E) => { go() }; c = function () {}; d = x => x; e = (a): b => a; f = 1 }',
    '1:7 class A, 1:20 method area, 1:36 method b, 1:66 method c, 1:86 method d, 1:98 method e',
    '1:7 class A, 1:20 method area, 1:36 method b, 1:66 method c, 1:86 method d, 1:98 method e, 1:115 field f',
  ],
  [
    'class A { #secret() {}\n "quoted"() {}\n [computed]() {}\n last() {} }',
    '1:7 class A, 1:11 method #secret, 4:2 method last',
  ],
  [
    'class A { @Log() a() {}\n @b.c b() {}\n @Input({ c: 1 }) c = 1; @D d }',
    '1:7 class A, 1:18 method a, 2:7 method b',
    '1:7 class A, 1:18 method a, 2:7 method b, 3:19 field c',
  ],
  [
    'class A {\n  if (a) {}\n  for (;;) {}\n  return () {}\n  a() {}\n}',
    '1:7 class A, 5:3 method a',
  ],
  [
    'class A extends b(c) { d() {} }\nclass E extends F[0] { g() {} }',
    '1:7 class A, 1:24 method d, 2:7 class E, 2:24 method g',
  ],
  [
    'class A { a() { class B { c() {} } } d() {} }',
    '1:7 class A, 1:11 method a, 1:23 class B, 1:27 method c, 1:38 method d',
  ],
  ['class A\nclass B;\nclass C = {\n d() {} }', '1:7 class A, 2:7 class B, 3:7 class C'],
  ['class {\n  a() {}\n}', '2:3 method a'],
  ['const a = class { b() {} }', '1:19 method b', '1:7 const a, 1:19 method b'],
  [
    'const a = class B extends C { d() {} }',
    '1:17 class B, 1:31 method d',
    '1:7 const a, 1:17 class B, 1:31 method d',
  ],
  [
    'interface A { b: string; c(): void; d?: () => void\n readonly e: string }',
    '1:11 interface A',
    '1:11 interface A, 1:15 field b, 1:26 method c, 1:37 field d, 2:11 field e',
  ],
  ['interface A extends B<C> { d }', '1:11 interface A'],
  ['interface A {}\ninterface B<T> {}', '1:11 interface A, 2:11 interface B'],
  ['interface A\ninterface B', '1:11 interface A, 2:11 interface B'],
  ['export type A<T> = T', '1:13 type A'],
  ['type A\ntype B = C', '1:6 type A, 2:6 type B'],
  ['type A<B> = C; type D', '1:6 type A, 1:21 type D'],
  ['declare enum A { B }', '1:14 enum A', '1:14 enum A, 1:18 enumerator B'],
  [
    'enum A { B, C = 1, D }',
    '1:6 enum A',
    '1:6 enum A, 1:10 enumerator B, 1:13 enumerator C, 1:20 enumerator D',
  ],
  ['const enum A { B = "x", "c" }', '1:12 enum A', '1:12 enum A, 1:16 enumerator B'],
  ['enum A {}', '1:6 enum A'],
  ['a.enum A { B }', ''],
  ['$enum A { b }', ''],
  ['enum$ A { b }', ''],
  ['declare namespace A.B { function c(): void }', '1:19 namespace A, 1:34 function c'],
  ['module A { }', '1:8 module A'],
  ["declare module 'a' { }", ''],
  ['namespace A { export class B {} }', '1:11 namespace A, 1:28 class B'],
  ['const a = (b) => b, c = async (d) => d', '1:7 const a'],
  ['const a: B<C> = (d) => d', '1:7 const a'],
  ['const a: (b: c) => d = e => e', '1:7 const a'],
  ['let a = b => b', '1:5 let a'],
  ['var a = function () {}', '1:5 var a'],
  ['const a = <T>(b: T) => b', '1:7 const a'],
  ['const a = async function () {}', '1:7 const a'],
  ['const a = 5', '', '1:7 const a'],
]

test.each(rows)('the scanner for TypeScript types reads %j', (text, outline, all = outline) => {
  expect(placedSymbols('a.ts', text)).toBe(outline)
  expect(placedSymbols('a.ts', text, 'all')).toBe(all)
})
