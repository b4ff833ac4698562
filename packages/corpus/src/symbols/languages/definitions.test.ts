// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../test/support/symbols.ts'

const rows: [file: string, text: string, outline: string, all?: string][] = [
  ['a.c', '#define A9(b) c\n#define Az_Z0(b)', '1:9 macro A9, 2:9 macro Az_Z0'],
  [
    'a.c',
    '#defineA(b)\n#define 9A(b)\n#define (b)\n  #  define \t A(b)\n#define @(a)',
    '4:15 macro A',
  ],
  ['a.c', ' # define A(b)', '1:11 macro A'],
  ['a.c', 'x # define A(b)', ''],
  ['a.c', '#define A(b) \\  \n int c(void) {}\nint d(void) { }', '1:9 macro A, 3:5 function d'],
  ['a.c', '#if 0\nint a(void) { }\n#else\nint b(void) { }\n#endif', '4:5 function b'],
  ['a.c', '#if A\nint a(void) {\n#else\nint b(void) {\n#endif\n}', '2:5 function a'],
  [
    'a.c',
    '#if A\nint a(void) { }\n#else\nint b(void) { }\n#endif',
    '2:5 function a, 4:5 function b',
  ],
  [
    'a.c',
    '#if A\nint a(int b,\n#elif B\nint c(int b,\n#else\nint d(\n#endif\nint e) { }',
    '2:5 function a',
  ],
  [
    'a.c',
    '#ifdef A\nint a(void) { }\n#if 0\n{\n#endif\n#endif\nint b(void) { }',
    '2:5 function a, 7:5 function b',
  ],
  ['a.cpp', 'A<B> C<D, E>::f(int a) { }', '1:15 function f'],
  ['a.cpp', 'a::b(c) int d(int e) { }', '1:13 function d'],
  ['a.cpp', 'A::A(int b) : c(b) { } A::~A() { }', '1:4 function A, 1:27 function ~A'],
  [
    'a.cpp',
    'int A::B::f() { } int ::g() { } ::h() { }',
    '1:11 function f, 1:25 function g, 1:35 function h',
  ],
  [
    'a.cpp',
    'int A <B>::f() { } auto A::g() -> int { } int* h() { } int& i() { } int[] j() { } A<int>k() { }',
    '1:12 function f, 1:28 function g, 1:48 function h, 1:61 function i, 1:75 function j, 1:89 function k',
  ],
  [
    'a.cpp',
    'struct a::b { int c; }; class A B : public C { }; class ; struct 9a { };',
    '1:11 struct b, 1:33 class B, 1:67 struct a',
    '1:11 struct b, 1:19 field c, 1:33 class B, 1:67 struct a',
  ],
  [
    'a.cpp',
    'A::A(int b) noexcept : c(b), d{1} { } A::B(int b) const : c(b) { } int x = a ? b(1) : c(2);',
    '1:4 function A, 1:42 function B',
    '1:4 function A, 1:42 function B, 1:72 variable x',
  ],
  [
    'a.cpp',
    'class A { public: A() : b(1) { } private: int c(int d); a: ; };',
    '1:7 class A, 1:19 method A, 1:47 method c',
  ],
  ['a.cpp', 'case A: b(); int c(int d) { label: e(); }', '1:18 function c'],
  ['a.cpp', 'int a(int b) : c(d) { }', '1:5 function a'],
  [
    'a.ts',
    'class A { b<C>(d): void { } e<F>(g) { } h<I; j(k) l; m(n)\n o(p); q = (r) => s; t = 1; u: string; v!: W; x?(): y }',
    '1:7 class A, 1:11 method b, 1:29 method e, 1:54 method m, 2:2 method o, 2:8 method q, 2:47 method x',
    '1:7 class A, 1:11 method b, 1:29 method e, 1:54 method m, 2:2 method o, 2:8 method q, 2:22 field t, 2:29 field u, 2:40 field v, 2:47 method x',
  ],
  [
    'a.ts',
    'class A { get a() { } set a(a) { } static b() { } #c() { } async *d() { } private readonly e = 1; }',
    '1:7 class A, 1:15 method a, 1:27 method a, 1:43 method b, 1:51 method #c, 1:67 method d',
    '1:7 class A, 1:15 method a, 1:27 method a, 1:43 method b, 1:51 method #c, 1:67 method d, 1:92 field e',
  ],
  [
    'a.ts',
    'class A { a(a) { } aa(b) { } get get() { } static static() { } }',
    '1:7 class A, 1:11 method a, 1:20 method aa, 1:34 method get, 1:51 method static',
  ],
  [
    'a.ts',
    'class A { @b(c) d() { } @e.f g() { }\n@h\ni() { } }',
    '1:7 class A, 1:17 method d, 1:30 method g, 3:1 method i',
  ],
  [
    'a.ts',
    'class A { if (b) { } for (;;) { } constructor(c) { } a\n(b) { } }',
    '1:7 class A, 1:35 method constructor, 1:54 method a',
  ],
  [
    'a.ts',
    'class A { b = async (c) => { }\n d = function () { }\n e = f => g\n h = i\n j = (k): L => m }',
    '1:7 class A, 1:11 method b, 2:2 method d, 3:2 method e, 5:2 method j',
    '1:7 class A, 1:11 method b, 2:2 method d, 3:2 method e, 4:2 field h, 5:2 method j',
  ],
  [
    'a.js',
    'const { a, b: c, d: { e }, ...f } = g, [h, , i = 1] = j, k',
    '',
    '1:9 const a, 1:15 const c, 1:23 const e, 1:31 const f, 1:41 const h, 1:46 const i, 1:58 const k',
  ],
  ['a.js', 'const [[[[[[[a]]]]]]] = b, c', '', '1:28 const c'],
  ['a.js', `const {${' '.repeat(1996)}a} = b`, '', '1:2004 const a'],
  ['a.js', `const {${' '.repeat(1997)}a} = b`, ''],
  [
    'a.java',
    'class A { int b, c = 1, d[]; String e() { } f() { } private static final G<H> i = j(); K[] l; }',
    '1:7 class A, 1:37 method e, 1:45 method f',
    '1:7 class A, 1:15 field b, 1:18 field c, 1:25 field d, 1:37 method e, 1:45 method f, 1:79 field i, 1:92 field l',
  ],
  [
    'a.java',
    'class A {\n  @B("c") void d() { }\n @interface E { }\n int f\n= 1; }',
    '1:7 class A, 2:16 method d, 3:13 interface E',
    '1:7 class A, 2:16 method d, 3:13 interface E, 4:6 field f',
  ],
  [
    'a.cs',
    'class A { int B { get; } int C => 1; int D() => 1; event E F; [G("h")] int I; public delegate void J(int k); }',
    '1:7 class A, 1:42 method D, 1:100 delegate J',
    '1:7 class A, 1:15 property B, 1:30 property C, 1:42 method D, 1:60 field F, 1:76 field I, 1:100 delegate J',
  ],
  [
    'a.cs',
    'class A { int b = c == d; int operator ==(A a, A b) { } int e = f => g; }',
    '1:7 class A, 1:31 method operator ==',
    '1:7 class A, 1:15 field b, 1:31 method operator ==, 1:61 field e',
  ],
  [
    'a.go',
    'package a\ntype (\n\tA int\n\tB = func(\n\t\tc int) int\n\tD int\n)\nconst (\n\tE = iota\n\tF)',
    '3:2 type A, 4:2 type B, 6:2 type D',
    '1:9 package a, 3:2 type A, 4:2 type B, 6:2 type D, 9:2 const E, 10:2 const F',
  ],
  [
    'a.rb',
    'class A < B\n  def b=(c)\n  end\n  attr_reader :d\n  def self.e!\n  end\nend',
    '1:7 class A, 2:7 def b=, 5:12 def e!',
    '1:7 class A, 2:7 def b=, 4:16 attr d, 5:12 def e!',
  ],
  [
    'a.rb',
    'class A::B\nend\nclass << self\nend\nmodule C\nend\n  def d; end\ne.class f\nx.def g',
    '1:10 class B, 5:8 module C, 7:7 def d',
  ],
  [
    'a.rs',
    'struct A { b: C, pub d: E }\nenum F { G, H(I), J { k: L } }\nimpl<T> M for N { fn o() { } }\ntype P = Q;\nx.struct y',
    '1:8 struct A, 2:6 enum F, 3:15 impl N, 3:22 fn o, 4:6 type P',
    '1:8 struct A, 1:12 field b, 1:22 field d, 2:6 enum F, 2:10 variant G, 2:13 variant H, 2:19 variant J, 3:15 impl N, 3:22 fn o, 4:6 type P',
  ],
  [
    'a.rs',
    'impl A { fn b(&self) { } }\nfn c() { }\ntrait D { fn e(); }\nstruct f;\nenum g { }',
    '1:6 impl A, 1:13 fn b, 2:4 fn c, 3:7 trait D, 3:14 fn e, 4:8 struct f, 5:6 enum g',
  ],
  [
    'a.py',
    'class A:\n  b = 1\n  def c(self): pass\nd = 2\ne: int = 3\nif f:\n  g = 4\n(h) = 5\ni, j = 6, 7',
    '1:7 class A, 3:7 def c',
    '1:7 class A, 2:3 variable b, 3:7 def c, 4:1 variable d, 5:1 variable e',
  ],
  [
    'a.scala',
    'class A\nobject B\ntrait C\ncase class D(e: F)\ndef g = h\nval i = j\ntype K = L\nenum M { case N }\nextension (o: P) def q = r',
    '1:7 class A, 2:8 object B, 3:7 trait C, 4:12 class D, 5:5 def g, 7:6 type K, 8:6 enum M',
    '1:7 class A, 2:8 object B, 3:7 trait C, 4:12 class D, 5:5 def g, 6:5 val i, 7:6 type K, 8:6 enum M',
  ],
  ['a.cpp', 'A::B c; A::B::C d = 1; label: E f;', '', '1:6 variable c, 1:17 variable d'],
]

test.each(rows)('the scanner for %s reads %j', (file, text, outline, all = outline) => {
  expect(placedSymbols(file, text)).toBe(outline)
  expect(placedSymbols(file, text, 'all')).toBe(all)
})
