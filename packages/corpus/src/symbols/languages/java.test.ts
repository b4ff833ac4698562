// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../test/support/symbols.ts'

const rows: [text: string, outline: string, all?: string][] = [
  ['package a.b;\nimport c.d;\nclass E {}', '3:7 class E', '1:9 package a.b, 3:7 class E'],
  ['package a ;', '', '1:9 package a'],
  [' package\n  a ;', '', '2:3 package a'],
  [
    '@Entity(name = "x(")\npublic abstract class A<T extends B<T>> extends C implements D {}',
    '2:23 class A',
  ],
  [
    'class A {\n  private static final Map<String, List<T>> B = new C<>() {{ d("e", null); }};\n}',
    '1:7 class A',
    '1:7 class A, 2:45 field B',
  ],
  [
    'class A { int a, b[], c = 1, d[] = {1}; int[] e; }',
    '1:7 class A',
    '1:7 class A, 1:15 field a, 1:18 field b, 1:23 field c, 1:30 field d, 1:47 field e',
  ],
  ['class A { static { a(); } { b(); } }', '1:7 class A'],
  ['class A { public A(int b) throws C { if (b) { d(); } } }', '1:7 class A, 1:18 method A'],
  [
    'class A { @Override public <K> Map<K, T> b(final K c, int... d) { return null; } }',
    '1:7 class A, 1:42 method b',
  ],
  ['class A { abstract void b(); native int c(); }', '1:7 class A, 1:25 method b, 1:41 method c'],
  [
    'interface A { void b(); default int c() { return 1; } int D = 1; }',
    '1:11 interface A, 1:20 method b, 1:37 method c',
    '1:11 interface A, 1:20 method b, 1:37 method c, 1:59 field D',
  ],
  ['enum A { B, C }', '1:6 enum A', '1:6 enum A, 1:10 enumerator B, 1:13 enumerator C'],
  [
    'enum A { B("b") { void c() {} }, D; int e; A() {} void f() {} }',
    '1:6 enum A, 1:44 method A, 1:56 method f',
    '1:6 enum A, 1:10 enumerator B, 1:34 enumerator D, 1:41 field e, 1:44 method A, 1:56 method f',
  ],
  ['enum A { B; }', '1:6 enum A', '1:6 enum A, 1:10 enumerator B'],
  ['enum A { ; int b; }', '1:6 enum A', '1:6 enum A, 1:16 field b'],
  ['enum A { @X B, @Y(1) C }', '1:6 enum A', '1:6 enum A, 1:13 enumerator B, 1:22 enumerator C'],
  [
    'enum A { B(1, 2), C { }, D; }',
    '1:6 enum A',
    '1:6 enum A, 1:10 enumerator B, 1:19 enumerator C, 1:26 enumerator D',
  ],
  ['record A(int b, int c) { A { } int d() { return b; } }', '1:8 record A, 1:36 method d'],
  ['record A(int b);', '1:8 record A'],
  ['@interface A { String b() default ""; }', '1:12 interface A, 1:23 method b'],
  ['public @interface A {}', '1:19 interface A'],
  ['@ interface A {}', '1:13 interface A'],
  [
    'class A { class B {} interface C {} enum D { E } }',
    '1:7 class A, 1:17 class B, 1:32 interface C, 1:42 enum D',
    '1:7 class A, 1:17 class B, 1:32 interface C, 1:42 enum D, 1:46 enumerator E',
  ],
  [
    'class A { B b = new C() { void d() {} }; int e; }',
    '1:7 class A',
    '1:7 class A, 1:13 field b, 1:46 field e',
  ],
  [
    'class A { a.b c; D<E, F> g; final h i = j(k, l), m; }',
    '1:7 class A',
    '1:7 class A, 1:15 field c, 1:26 field g, 1:37 field i, 1:50 field m',
  ],
  ['class A { b; }', '1:7 class A'],
  ['class A { return; }', '1:7 class A'],
  [
    'class A { int b = c ? d : e; boolean f = g == h; }',
    '1:7 class A',
    '1:7 class A, 1:15 field b, 1:38 field f',
  ],
  ['void main() { class A {} }', ''],
  ['int a;', ''],
  ['int a() {}', ''],
  ['class A { int 9a; }', '1:7 class A'],
  [
    'class A { int $b, _c, é; }',
    '1:7 class A',
    '1:7 class A, 1:15 field $b, 1:19 field _c, 1:23 field é',
  ],
  ['class Aé$.B {}', '1:7 class Aé$.B'],
  [
    'class A { char b = \'{\'; String c = "}"; }\nclass D {}',
    '1:7 class A, 2:7 class D',
    '1:7 class A, 1:16 field b, 1:32 field c, 2:7 class D',
  ],
  ['// class A {}\n/* class B {} */ class C {}', '2:24 class C'],
  ['"""\nclass A {}\n""" class B {}', '3:11 class B'],
  [
    'class A { @B int c; @D(e = {1, 2}) int f; @g.H i j; }',
    '1:7 class A',
    '1:7 class A, 1:18 field c, 1:40 field f, 1:50 field j',
  ],
  ['class A { void b(@C int d) {} }', '1:7 class A, 1:16 method b'],
  [
    'class A { int b(); int c\n;\n int d\n  ; }',
    '1:7 class A, 1:15 method b',
    '1:7 class A, 1:15 method b, 1:24 field c, 3:6 field d',
  ],
  [
    'class A { if (b) { } for (c) { } switch (d) { } synchronized (e) { } new F() { } }',
    '1:7 class A, 1:74 method F',
  ],
  ['class A { <T> b() {} }', '1:7 class A, 1:15 method b'],
  ['class A { B\n  c\n  (int d)\n  { } }', '1:7 class A, 2:3 method c'],
  ['class A { } class B { }', '1:7 class A, 1:19 class B'],
  [
    'class A { } }\nclass B { int c; }',
    '1:7 class A, 2:7 class B',
    '1:7 class A, 2:7 class B, 2:15 field c',
  ],
  ['{ class A { } }', ''],
  ['x.class A {}', ''],
  ['@class A {}', ''],
  [
    'class A { int[] b[] = c; D[] e() {} }',
    '1:7 class A, 1:30 method e',
    '1:7 class A, 1:17 field b, 1:30 method e',
  ],
  ['class A { List<B>c; D[]e; F? g; }', '1:7 class A', '1:7 class A, 1:18 field c, 1:30 field g'],
  [
    'class A { int b = (c, d), e; int[] f = { 1, 2 }, g; }',
    '1:7 class A',
    '1:7 class A, 1:15 field b, 1:27 field e, 1:36 field f, 1:50 field g',
  ],
  ['class A { int b; ; int c; }', '1:7 class A', '1:7 class A, 1:15 field b, 1:24 field c'],
  [
    'struct A\nfunc b\ndef c\nprotocol D\nextension E\nfunction f\ntype g\nconst h = (\nclass I\nenum J\ninterface K',
    '1:8 struct A, 2:6 func b, 3:5 def c, 4:10 protocol D, 5:11 extension E, 6:10 function f, 7:6 type g, 8:7 const h',
  ],
  [
    'class A { int b\r\n;\r\nvoid c() {} }',
    '1:7 class A, 3:6 method c',
    '1:7 class A, 1:15 field b, 3:6 method c',
  ],
  ['package ;', ''],
  ['package a.b c;', ''],
  ['class A;', '1:7 class A'],
]

test.each(rows)('the scanner for Java reads %j', (text, outline, all = outline) => {
  expect(placedSymbols('a.java', text)).toBe(outline)
  expect(placedSymbols('a.java', text, 'all')).toBe(all)
})
