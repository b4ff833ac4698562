// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../../test/support/symbols.ts'

const rows: [text: string, outline: string, all?: string][] = [
  ['int a(int b);', '1:5 function a'],
  ['extern int a(void);', '1:12 function a'],
  ['struct a *b(void);', '1:11 function b'],
  ['int (*a)(int);', '', '1:7 variable a'],
  ['void a(void), b(void);', '1:6 function a'],
  [
    'class A { int b(int c); int d; };',
    '1:7 class A, 1:15 method b',
    '1:7 class A, 1:15 method b, 1:29 field d',
  ],
  [
    'struct a { int (*b)(int); int c(void); };',
    '1:8 struct a, 1:31 method c',
    '1:8 struct a, 1:18 field b, 1:31 method c',
  ],
  ['namespace a { int b(void); }', '1:11 namespace a, 1:19 function b'],
  ['extern "C" {\nint a(void);\n}', '2:5 function a'],
  ['extern "C" int a(void);', '1:16 function a'],
  ['#define A(b) c\nint d(int);', '1:9 macro A, 2:5 function d'],
  ['inline int a(void) { int b(void); }', '1:12 function a'],
  ['MACRO(a);', '1:1 function MACRO'],
  ['int a = b(c);', '', '1:5 variable a'],
  ['int a(int b), c;', '1:5 function a'],
]

test.each(rows)('the scanner for C headers reads %j', (text, outline, all = outline) => {
  expect(placedSymbols('a.h', text)).toBe(outline)
  expect(placedSymbols('a.h', text, 'all')).toBe(all)
})
