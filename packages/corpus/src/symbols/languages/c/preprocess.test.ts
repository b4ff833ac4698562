// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../../test/support/symbols.ts'

const rows: [text: string, outline: string, all?: string][] = [
  ['enum a b(void) { }', '1:8 function b'],
  ['return a;', ''],
  ['goto a;', ''],
  ['asm(a);', ''],
  ['static_assert(a);', ''],
  ['int a(void)', ''],
  ['struct a {', '1:8 struct a'],
  ['enum a {', '1:6 enum a'],
  ['typedef', ''],
  ['typedef int', ''],
  ['typedef int a', ''],
  ['FOO typedef int a;', '', '1:17 variable a'],
  ['FOO\ntypedef int a;', '2:13 typedef a'],
  ['int\na\n(\nvoid\n)\n{\n}', '2:1 function a'],
  ['int a(int b[3], char (*c)[4]) { } int d;', '1:5 function a', '1:5 function a, 1:39 variable d'],
  ['} int a(void) { }', '1:7 function a'],
  ['int a(void) { }}\nint b(void) { }', '1:5 function a, 2:5 function b'],
  [
    'long long a; unsigned b; register c; int d, e;',
    '',
    '1:11 variable a, 1:23 variable b, 1:35 variable c, 1:42 variable d, 1:45 variable e',
  ],
  ['struct a { int; b; c d; };', '1:8 struct a', '1:8 struct a, 1:22 field d'],
  [
    'typedef struct a b; typedef struct { } c; typedef void d(int); typedef int (e);',
    '1:18 typedef b, 1:40 typedef c, 1:56 typedef d',
  ],
  ['int a(void), b(void);', ''],
  ['int *(*a)(void) = b; int (*const c)(void);', '', '1:8 variable a, 1:34 variable c'],
  ['int a(x) { } int b(', '1:5 function a'],
  ['#', ''],
  ['#if 0', ''],
  ['#define A', '', '1:9 macro A'],
  ['#define A(', '1:9 macro A'],
  ['int a\\\n(void) { }', ''],
  ['é(int a) { }', '1:1 function é'],
  ['int é; struct é { int a; };', '1:16 struct é', '1:5 variable é, 1:16 struct é, 1:25 field a'],
]

test.each(rows)(
  'the scanner for C directives and incomplete text reads %j',
  (text, outline, all = outline) => {
    expect(placedSymbols('a.c', text)).toBe(outline)
    expect(placedSymbols('a.c', text, 'all')).toBe(all)
  },
)
