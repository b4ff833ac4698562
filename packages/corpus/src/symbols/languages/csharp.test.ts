// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../test/support/symbols.ts'

const rows: [text: string, outline: string, all?: string][] = [
  ['namespace A.B;\nclass C {}', '1:11 namespace A.B, 2:7 class C'],
  ['namespace A { class B {} }', '1:11 namespace A, 1:21 class B'],
  ['[Serializable]\npublic sealed partial class A<T> : B, C where T : new()\n{\n}', '2:29 class A'],
  ['class A { private readonly int _b = 1; }', '1:7 class A', '1:7 class A, 1:32 field _b'],
  [
    'class A { public int B { get; set; } public string C => "class D {"; }',
    '1:7 class A',
    '1:7 class A, 1:22 property B, 1:52 property C',
  ],
  ['class A { public A(int b) : base(b) { } }', '1:7 class A, 1:18 method A'],
  [
    'class A { [B("c")] public static async Task<int> D<K>(K e) { return 1; } }',
    '1:7 class A, 1:50 method D',
  ],
  ['class A { public int B(int c) => c * 2; }', '1:7 class A, 1:22 method B'],
  [
    'class A { public event B C; public event B D { add {} remove {} } }',
    '1:7 class A',
    '1:7 class A, 1:26 field C, 1:44 property D',
  ],
  [
    'class A { public static A operator +(A b, A c) { return b; } public static implicit operator int(A b) => 1; }',
    '1:7 class A, 1:27 method operator +, 1:85 method operator int',
  ],
  [
    'class A { string b = @"class C { "" }"; string d = $@"}"; string e = @$"}"; int f; }',
    '1:7 class A',
    '1:7 class A, 1:18 field b, 1:48 field d, 1:66 field e, 1:81 field f',
  ],
  ['record A(int B, int C);', '1:8 record A'],
  ['record struct A(int B);', '1:15 record A'],
  ['record class A;', '1:14 record A'],
  ['struct A { }', '1:8 struct A'],
  [
    'interface A { void B(); int C { get; } }',
    '1:11 interface A, 1:20 method B',
    '1:11 interface A, 1:20 method B, 1:29 property C',
  ],
  [
    'enum A { B, C = 1, [D] E }',
    '1:6 enum A',
    '1:6 enum A, 1:10 enumerator B, 1:13 enumerator C, 1:24 enumerator E',
  ],
  ['enum A : byte { B }', '1:6 enum A', '1:6 enum A, 1:17 enumerator B'],
  ['delegate int A(int b);', '1:14 delegate A'],
  ['public delegate void A<T>(T b);', '1:22 delegate A'],
  ['class A { public delegate int B(int c); }', '1:7 class A, 1:31 delegate B'],
  ['class A { this[int b] { get {} } public int this[int c] => d; }', '1:7 class A'],
  ['class A { int B<C>(D<E> f) {} }', '1:7 class A, 1:15 method B'],
  ['"""\nclass A { }\n"""; class B { }', '3:12 class B'],
  [
    'class A { using (b) { } lock (c) { } fixed (d) { } foreach (e) { } nameof (f) { } }',
    '1:7 class A',
  ],
  [
    'class A { int B { get; } = 1; int c = d => e, f; }',
    '1:7 class A',
    '1:7 class A, 1:15 property B, 1:35 field c, 1:47 field f',
  ],
  ['class A { Func<int, int> b = c => c; }', '1:7 class A', '1:7 class A, 1:26 field b'],
  [
    'class A { B C => D; E F => g(h); get => 1; }',
    '1:7 class A',
    '1:7 class A, 1:13 property C, 1:23 property F',
  ],
  [
    'class A { int b => c; d e() => f; }',
    '1:7 class A, 1:25 method e',
    '1:7 class A, 1:15 property b, 1:25 method e',
  ],
  ['class A { ~A() { } }', '1:7 class A, 1:12 method A'],
  [
    'struct A\nfunc b\ndef c\nprotocol D\nextension E\nfunction f\ntype g\nconst h = (',
    '2:6 func b, 3:5 def c, 4:10 protocol D, 5:11 extension E, 6:10 function f, 7:6 type g, 8:7 const h',
  ],
  ['@"a', ''],
  ['@"a""b', ''],
  [
    'class A { int[] b; int[,] c; (int, int) d; int? e; int* f; }',
    '1:7 class A',
    '1:7 class A, 1:17 field b, 1:27 field c, 1:49 field e',
  ],
  [
    "class A { char b = '\"'; } class C {}",
    '1:7 class A, 1:33 class C',
    '1:7 class A, 1:16 field b, 1:33 class C',
  ],
  [
    'class A { [B] int c; [D, E(1)] int f; [assembly: G] int h; }',
    '1:7 class A',
    '1:7 class A, 1:19 field c, 1:36 field f, 1:57 field h',
  ],
  [
    '[A]\nclass B { [C]\n int d; int[e] f; }',
    '2:7 class B',
    '2:7 class B, 3:6 field d, 3:16 field f',
  ],
  ['delegate A', ''],
  [
    'class A { int B { get { return 1; } } int C(){} }',
    '1:7 class A, 1:43 method C',
    '1:7 class A, 1:15 property B, 1:43 method C',
  ],
  ['class A { new() { } base() { } this() { } }', '1:7 class A'],
  ['class A { return { } public { } int return { } }', '1:7 class A'],
]

test.each(rows)('the scanner for C# reads %j', (text, outline, all = outline) => {
  expect(placedSymbols('a.cs', text)).toBe(outline)
  expect(placedSymbols('a.cs', text, 'all')).toBe(all)
})
