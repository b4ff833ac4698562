import { expect, test } from 'vitest'
import { placedSymbols } from '../../../test/support/symbols.ts'

const rows: [file: string, text: string, found: string][] = [
  [
    'a.zig',
    'class A\nstruct B\nenum C\nprotocol D\nextension E\nfunc f\ndef g\nfunction h\ninterface I\ntype J\nconst k = (',
    '1:7 class A, 2:8 struct B, 3:6 enum C, 4:10 protocol D, 5:11 extension E, 6:6 func f, 7:5 def g, 8:10 function h, 9:11 interface I, 10:6 type J, 11:7 const k',
  ],
  ['a.zig', '  class A', '1:9 class A'],
  ['a.zig', 'x class B', ''],
  ['a.zig', 'const a = 1', ''],
  ['a.zig', 'const a = (', '1:7 const a'],
  ['a.zig', 'const\ta\t=\t(', '1:7 const a'],
  ['a.zig', 'class\nA', ''],
  ['a.zig', 'classA', ''],
  ['a.zig', 'class 9', ''],
  ['a.zig', 'class', ''],
  ['a.zig', '; class A', ''],
  ['a.zig', '\tdef  a', '1:7 def a'],
  ['a.zig', 'class é', ''],
  ['a.zig', 'struct A;struct B', '1:8 struct A'],
  ['a.zig', '"class A"\n// class B', ''],
  ['a.txt', 'class A {', '1:7 class A'],
  ['a.txt', 'class A', '1:7 class A'],
  ['a.txt', 'class A, b', ''],
  ['a.txt', 'class A b', ''],
  ['a.txt', 'class A: b', '1:7 class A'],
  ['a.txt', 'class A(b)', '1:7 class A'],
  ['a.txt', 'class A.', ''],
  ['a.txt', 'class A =', '1:7 class A'],
  ['a.txt', 'type a is b', ''],
  [
    'a.txt',
    'struct A\nenum B\nprotocol C\nextension D\nfunc e\ndef f\nfunction g\ninterface H\ntype I\nconst j = (',
    '1:8 struct A, 2:6 enum B, 3:10 protocol C, 4:11 extension D, 5:6 func e, 6:5 def f, 7:10 function g, 8:11 interface H, 9:6 type I, 10:7 const j',
  ],
  ['a.txt', 'class A  ', '1:7 class A'],
  ['a.txt', 'class A -', ''],
  ['a.txt', 'const a = (b)', '1:7 const a'],
  ['a.md', 'class A {', ''],
  ['a.md', '```\nclass A {\n```', ''],
]

test.each(rows)('the plain patterns applied to %s read %j', (file, text, found) => {
  expect(placedSymbols(file, text)).toBe(found)
  expect(placedSymbols(file, text, 'all')).toBe(found)
})
