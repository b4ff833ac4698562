// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../test/support/symbols.ts'

const rows: [text: string, outline: string, all?: string][] = [
  ['package a.b', '', '1:9 package a.b'],
  [
    '@A data class B(val c: Int, var d: E, f: G)',
    '1:15 class B',
    '1:15 class B, 1:21 val c, 1:33 var d',
  ],
  ['sealed interface A', '1:18 interface A'],
  ['enum class A { B }', '1:12 enum A'],
  ['object A { const val B = 1 }', '1:8 object A', '1:8 object A, 1:22 val B'],
  ['fun interface A { fun b() }', '1:15 interface A, 1:23 fun b'],
  ['private suspend inline fun <reified T> List<T>.a(): T = b', '1:48 fun a'],
  ['class A { companion object B { fun c() = D() } }', '1:7 class A, 1:28 object B, 1:36 fun c'],
  ['class A { companion object { } }', '1:7 class A, 1:21 object Companion'],
  ['class A { companion object : B { } }', '1:7 class A, 1:21 object Companion'],
  ['fun `a b`() {}', '1:6 fun a b'],
  ['fun A.`b c`() {}', '1:8 fun b c'],
  ['typealias A = B', '1:11 typealias A'],
  ['val a = 1; var b = 2', '', '1:5 val a, 1:16 var b'],
  ['val A.b: C get() = d', '', '1:7 val b'],
  ['"""fun a() {}"""; fun b() {}', '1:23 fun b'],
  ['/* fun a() {} /* fun b() {} */ fun c() {} */ fun d() {}', '1:50 fun d'],
  ["'\"'; fun a() {} '\"'", '1:10 fun a'],
  ["'\\''; fun a() {}", '1:11 fun a'],
  ['fun <T> (suspend () -> T).a() {}', '1:27 fun a'],
  ['fun<T> a() {}', '1:8 fun a'],
  ['fun A<B>?.c() {}', '1:11 fun c'],
  [
    'inner class A\nopen class B\nabstract class C\nannotation class D\nvalue class E(val f: G)',
    '1:13 class A, 2:12 class B, 3:16 class C, 4:18 class D, 5:13 class E',
    '1:13 class A, 2:12 class B, 3:16 class C, 4:18 class D, 5:13 class E, 5:19 val f',
  ],
  [
    'class A(val b: List<Int> = c(1, 2), private var d: Int)',
    '1:7 class A',
    '1:7 class A, 1:13 val b, 1:49 var d',
  ],
  ['class A constructor(val b: C)', '1:7 class A', '1:7 class A, 1:25 val b'],
  ['class A<B>(val c: B)', '1:7 class A', '1:7 class A, 1:16 val c'],
  ['class A : B(val c)', '1:7 class A', '1:7 class A, 1:17 val c'],
  ['class A { fun b(val c: D) {} }', '1:7 class A, 1:15 fun b'],
  [
    'class A(\n  val b: C,\n  // val d: E,\n  @F val g: H\n)',
    '1:7 class A',
    '1:7 class A, 2:7 val b, 4:10 val g',
  ],
  ['class A(val)', '1:7 class A'],
  ['class A(val b', '1:7 class A'],
  ['class A(é: B, val é: C)', '1:7 class A', '1:7 class A, 1:20 val é'],
  [
    'struct A\nprotocol B\nextension C\nfunc d\ndef e\nfunction f\ntype g\nconst h = (\nclass I\nenum J\ninterface K',
    '1:8 struct A, 2:10 protocol B, 3:11 extension C, 4:6 func d, 5:5 def e, 6:10 function f, 7:6 type g, 8:7 const h, 9:7 class I, 11:11 interface K',
  ],
  [
    'operator fun plus() {} infix fun b() {} tailrec fun c() {} external fun d() {} lateinit var e: F',
    '1:14 fun plus, 1:34 fun b, 1:53 fun c, 1:73 fun d',
    '1:14 fun plus, 1:34 fun b, 1:53 fun c, 1:73 fun d, 1:93 var e',
  ],
  ['@A(b = "c") fun d() {}', '1:17 fun d'],
  ['a class B', ''],
  ['a; class B', '1:10 class B'],
  ['"$a"; fun b() {}', '1:11 fun b'],
  ['class A = B(val c)', '1:7 class A'],
  ['class A; (val b)', '1:7 class A'],
  ['class A { } (val b: C)', '1:7 class A'],
]

test.each(rows)('the scanner for Kotlin reads %j', (text, outline, all = outline) => {
  expect(placedSymbols('a.kt', text)).toBe(outline)
  expect(placedSymbols('a.kt', text, 'all')).toBe(all)
})
