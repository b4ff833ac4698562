// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../test/support/symbols.ts'

const rows: [text: string, outline: string, all?: string][] = [
  ['package a.b', ''],
  ['package object a', '1:16 object a'],
  ['sealed trait A', '1:14 trait A'],
  ['final case class A[T](b: C) extends D { def e = 1 }', '1:18 class A, 1:45 def e'],
  ['private[this] def a: B = 1', '1:19 def a'],
  ['def +(a: B) = c', '1:5 def +'],
  ['def `a b` = 1', '1:5 def a'],
  ['type A = B', '1:6 type A'],
  [
    'object A { lazy val b = 1; var c: D = 2 }',
    '1:8 object A',
    '1:8 object A, 1:21 val b, 1:32 var c',
  ],
  ['implicit class A(b: C)', '1:16 class A'],
  ['enum A { case B }', '1:6 enum A'],
  ['given a: B[C] = d', '1:7 given a'],
  ['given a[B](using C): D = e', '1:7 given a'],
  ['"""def a = 1"""; def b = 1', '1:22 def b'],
  ['// def a\ndef b', '2:5 def b'],
  ['case object A', '1:13 object A'],
  ['open class A', '1:12 class A'],
  ['inline def a = 1', '1:12 def a'],
  ['transparent inline def a = 1', '1:24 def a'],
  ['infix type A = B', '1:12 type A'],
  [
    'struct A\nprotocol B\nextension C\nfunc d\nfunction e\ninterface f\nconst g = (\nclass H\nenum I\ndef j\ntype K',
    '1:8 struct A, 2:10 protocol B, 4:6 func d, 5:10 function e, 6:11 interface f, 7:7 const g, 8:7 class H, 9:6 enum I, 10:5 def j, 11:6 type K',
  ],
  ['val (a, b) = c', ''],
  ['val a = 1\nval b: C = 2', '', '1:5 val a, 2:5 val b'],
  ['@A @B(c) class D', '1:16 class D'],
  ['a def b', ''],
  ['a; def b', '1:8 def b'],
  ['opaque type A = B', '1:13 type A'],
  ['override def a() = 1', '1:14 def a'],
]

test.each(rows)('the scanner for Scala reads %j', (text, outline, all = outline) => {
  expect(placedSymbols('a.scala', text)).toBe(outline)
  expect(placedSymbols('a.scala', text, 'all')).toBe(all)
})
