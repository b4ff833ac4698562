// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../test/support/symbols.ts'

const rows: [text: string, outline: string, all?: string][] = [
  ['package main', '', '1:9 package main'],
  ['func A() {}', '1:6 func A'],
  ['func (s *S) B() {}', '1:13 func B'],
  ['func C[T any](a T) {}', '1:6 func C'],
  ['type A struct{}', '1:6 type A'],
  ['type A = B', '1:6 type A'],
  ['const A = 1', '', '1:7 const A'],
  ['var a int', '', '1:5 var a'],
  ['\nvar (\n\ta int\n\tb, c = 1, 2\n)', '', '3:2 var a, 4:2 var b, 4:5 var c'],
  [
    '\nconst (\n\tA = iota\n\tB\n\n\tC, D = 1, 2\n)',
    '',
    '3:2 const A, 4:2 const B, 6:2 const C, 6:5 const D',
  ],
  [
    '\ntype (\n\tA int\n\tB struct {\n\t\tc int\n\t}\n\tD, E\n)',
    '3:2 type A, 4:2 type B, 7:2 type D',
    '3:2 type A, 4:2 type B, 5:3 field c, 7:2 type D',
  ],
  [
    'type A struct {\n\tB, C string\n\td map[string]int\n\tE\n\t*F\n\tg []int `json:"g"`\n\tH struct { I int }\n\tj func(int) (k int)\n}',
    '1:6 type A',
    '1:6 type A, 2:2 field B, 2:5 field C, 3:2 field d, 6:2 field g, 7:2 field H, 7:13 field I, 8:2 field j',
  ],
  [
    'type A interface {\n\tB(c int) error\n\tD()\n\tE\n\tF(\n\t\ta int,\n\t) error\n\tG() int\n}',
    '1:6 type A',
    '1:6 type A, 2:2 method B, 3:2 method D, 5:2 method F, 8:2 method G',
  ],
  ['type A struct { B int }', '1:6 type A', '1:6 type A, 1:17 field B'],
  ['type A interface { B() }', '1:6 type A', '1:6 type A, 1:20 method B'],
  ['// func A() {}\nfunc B() {}', '2:6 func B'],
  ['`func A() {}`\nfunc B() {}', '2:6 func B'],
  ['a := `\nfunc A() {}\n`\nfunc B() {}', '4:6 func B'],
  ["'\"'\nfunc A() {}", '2:6 func A'],
  ['  func A() {}', '1:8 func A'],
  ['; func A() {}', ''],
  ['\ntype (\n\tA func(\n\t\tb int,\n\t)\n\tC int\n)', '3:2 type A, 6:2 type C'],
  ['\ntype (', ''],
  ['\ntype (\n\tA', ''],
  ['type A struct {', '1:6 type A'],
  ['type A struct {\n\tB int', '1:6 type A', '1:6 type A, 2:2 field B'],
  ['type É struct { é int }', '1:6 type É', '1:6 type É, 1:18 field é'],
  ['\nvar (\n a\n}\n)', '', '3:2 var a'],
  ['\ntype (A int)', '2:7 type A'],
  ['\ntype(\nA int\n)', '3:1 type A'],
  [
    'func A(b interface { C() }) {\n\tvar d struct { E int }\n}',
    '1:6 func A',
    '1:6 func A, 1:22 method C, 2:6 var d, 2:17 field E',
  ],
  [
    'class A\nstruct B\nenum C\ninterface D\ndef e\nfunction f\nprotocol G\nextension H\nconst I = (',
    '1:7 class A, 2:8 struct B, 3:6 enum C, 4:11 interface D, 5:5 def e, 6:10 function f, 7:10 protocol G, 8:11 extension H, 9:7 const I',
  ],
  [
    'type A struct {\n\tb int; c int\n\td(e) f\n}',
    '1:6 type A',
    '1:6 type A, 2:2 field b, 3:2 field d',
  ],
  ['\nvar (\n\ta = f(\n\t\t1)\n\tb = 2\n)', '', '3:2 var a, 5:2 var b'],
  ['/*\nfunc A()\n*/func B() {}\nfunc C() {}', '3:8 func B, 4:6 func C'],
]

test.each(rows)('the scanner for Go reads %j', (text, outline, all = outline) => {
  expect(placedSymbols('a.go', text)).toBe(outline)
  expect(placedSymbols('a.go', text, 'all')).toBe(all)
})
