// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../../test/support/symbols.ts'

const rows: [text: string, outline: string, all?: string][] = [
  ['namespace a::b { int c() { } }', '1:11 namespace a, 1:14 namespace b, 1:22 function c'],
  ['namespace { int a() { } }', '1:17 function a'],
  ['inline namespace a { }', '1:18 namespace a'],
  ['using namespace a;', ''],
  ['using a = b<c, 1>;', '1:7 using a'],
  ['using a::b;', ''],
  [
    'template <typename T, int N = sizeof(T)>\nclass API A final : public B<T>, private C { };',
    '2:11 class A',
  ],
  [
    'class A { explicit A(int b) : c(b), d{1} { e(); } virtual ~A() = default; void f() const override; };',
    '1:7 class A, 1:20 method A, 1:59 method ~A, 1:80 method f',
  ],
  [
    'class A { bool operator==(const A &b) const { } int operator()(int a) { } int operator[](int a); operator bool() const; void *operator new(size_t a); A &operator=(A &&b) = delete; A operator+(A b); };',
    '1:7 class A, 1:16 method operator==, 1:53 method operator(), 1:79 method operator[], 1:98 method operator bool, 1:127 method operator new, 1:154 method operator=, 1:183 method operator+',
  ],
  [
    'class A { int b_; static const int c = 1; int d{1}; int e = 2, f; std::vector<int, g> h; };',
    '1:7 class A',
    '1:7 class A, 1:15 field b_, 1:36 field c, 1:47 field d, 1:57 field e, 1:64 field f, 1:87 field h',
  ],
  [
    'enum class A : int { B, C };',
    '1:12 enum A',
    '1:12 enum A, 1:22 enumerator B, 1:25 enumerator C',
  ],
  ['enum struct A { B };', '1:13 enum A', '1:13 enum A, 1:17 enumerator B'],
  [
    'enum A : unsigned { B, C = D(1, 2) };',
    '1:6 enum A',
    '1:6 enum A, 1:21 enumerator B, 1:24 enumerator C',
  ],
  ['union A { int b; };', '1:7 union A', '1:7 union A, 1:15 field b'],
  ['template <> void a::b<int>::c() const { }', '1:29 function c'],
  ['A::A(int b)\n    : c(b) {\n}', '1:4 function A'],
  ['A::~A() { }', '1:4 function ~A'],
  ['A<B>::C::d() { }', '1:10 function d'],
  ['B A<B, C>::d() { }', '1:12 function d'],
  ['extern "C" { int a(int b) { } }', '1:18 function a'],
  ['extern "C" int a(int b) { }', '1:16 function a'],
  ['static std::vector<std::pair<int, int>> a() { }', '1:41 function a'],
  ['auto a() -> int { }', '1:6 function a'],
  ['auto a = [](int b) { };', '', '1:6 variable a'],
  ['int a() noexcept(b) { }', '1:5 function a'],
  ['int a() try { } catch (b) { }', '1:5 function a'],
  [
    'class A : public B { public: int c() { } private: int d; friend class E; friend int f(); };',
    '1:7 class A, 1:34 method c',
    '1:7 class A, 1:34 method c, 1:55 field d',
  ],
  [
    'class A { class B { int c; }; enum E { F }; };',
    '1:7 class A, 1:17 class B, 1:36 enum E',
    '1:7 class A, 1:17 class B, 1:25 field c, 1:36 enum E, 1:40 enumerator F',
  ],
  [
    'struct A { A() = default; A(const A &) = delete; void b() &&; };',
    '1:8 struct A, 1:12 method A, 1:27 method A, 1:55 method b',
  ],
  ['class A final { };', '1:7 class A'],
  ['class A final : B { };', '1:7 class A'],
  ['class A::B { };', '1:10 class B'],
  ['class A<B> { };', '1:7 class A'],
  ['class [[nodiscard]] A { };', '1:21 class A'],
  ['class alignas(8) A { int b; };', '1:18 class A', '1:18 class A, 1:26 field b'],
  ['template <class T> T a(T b) { }', '1:22 function a'],
  ['template <class T> struct A<T *> { T b; };', '1:27 struct A', '1:27 struct A, 1:38 field b'],
  ['R"x(class A { )" )x"; int b() { }', '1:27 function b'],
  ['R"(int a() {)"; int b() { }', '1:21 function b'],
  ['R"a b(int c() {)a b"; int d() { }', '1:27 function d'],
  ['"R"; int a() { }', '1:10 function a'],
  ["int a = 1'000'000; int b() { }", '1:24 function b', '1:5 variable a, 1:24 function b'],
  ["'a'; int b() { }", '1:10 function b'],
  ['for (auto a : b) { } int c() { }', '1:26 function c'],
  ['int a; static int b; extern int c; int d(e); int f{g};', '', '1:5 variable a, 1:19 variable b'],
  ['constexpr int a = 1; inline auto b = c;', '', '1:15 variable a, 1:34 variable b'],
  ['a::b c; a::b d(e); a::b f() { }', '1:25 function f', '1:6 variable c, 1:25 function f'],
  ['operator int() { }', '1:1 function operator int'],
  ['A::operator int() { }', '1:4 function operator int'],
  [
    'A operator<<(B c) { } A operator->() { } A operator,(B d) { }',
    '1:3 function operator<<, 1:25 function operator->, 1:44 function operator,',
  ],
  ['void operator delete[](void *a) { }', '1:6 function operator delete[]'],
  ['int A::*b; int (A::*c)(int);', '', '1:9 variable b, 1:21 variable c'],
  [
    'class A { using B = C; typedef D E; template <class F> void g(F h); };',
    '1:7 class A, 1:17 using B, 1:34 typedef E, 1:61 method g',
  ],
  [
    'if (a) { } else if (b) { } switch (c) { case d: { } } do { } while (e); int f() { }',
    '1:77 function f',
  ],
  ['A a(b); A c{d}; A e = f;', '', '1:19 variable e'],
  [
    'class A { public: A(); ~A(); int b(); signals: void c(); };',
    '1:7 class A, 1:19 method A, 1:24 method ~A, 1:34 method b, 1:53 method c',
  ],
  [
    'struct A { int b : 3; int c : 4 = 1; };',
    '1:8 struct A',
    '1:8 struct A, 1:16 field b, 1:27 field c',
  ],
  ['void a(int b = c(d)) { }', '1:6 function a'],
  ['void a(std::function<void(int)> b) { }', '1:6 function a'],
  ['co_await a(b) { }', '1:10 function a'],
  ['decltype(a) b() { }', '1:13 function b'],
  ['void A<(B > 1)>::c() { }', '1:18 function c'],
  [
    'struct A : B<C> { int d; }; struct E : F { };',
    '1:8 struct A, 1:36 struct E',
    '1:8 struct A, 1:23 field d, 1:36 struct E',
  ],
  ['int a() { return b<c; } int d() { return e>f; }', '1:5 function a, 1:29 function d'],
  [
    'EXPORT_API void a() { } API_CALL(b) void c() { } TEST(D, e) { }',
    '1:17 function a, 1:42 function c, 1:50 function TEST',
  ],
  ['FOO(bar) baz() { } FOO_BAR(x) __BAZ(y) { }', '1:10 function baz, 1:31 function __BAZ'],
  [
    'a::~a() { } a::b::~b() { } a<b>::~a() { }',
    '1:4 function ~a, 1:19 function ~b, 1:34 function ~a',
  ],
  ['#if 0\n{\n#endif\nclass A { };', '4:7 class A'],
  ['template <typename T> using A = B<T>;', '1:29 using A'],
  [
    'class A { int b() const; int c() const { } int d() = 0; int e(); int (*f)(); };',
    '1:7 class A, 1:15 method b, 1:30 method c, 1:48 method d, 1:61 method e',
    '1:7 class A, 1:15 method b, 1:30 method c, 1:48 method d, 1:61 method e, 1:72 field f',
  ],
  ['class A { int a\n, b\n; };', '1:7 class A', '1:7 class A, 1:15 field a, 2:3 field b'],
  [
    'namespace a { namespace b { class C { void d(); }; } void e() { } }',
    '1:11 namespace a, 1:25 namespace b, 1:35 class C, 1:44 method d, 1:59 function e',
  ],
]

test.each(rows)('the scanner for C++ reads %j', (text, outline, all = outline) => {
  expect(placedSymbols('a.cpp', text)).toBe(outline)
  expect(placedSymbols('a.cpp', text, 'all')).toBe(all)
})
