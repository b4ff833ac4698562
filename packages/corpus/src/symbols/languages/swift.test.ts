// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../test/support/symbols.ts'

const rows: [text: string, outline: string, all?: string][] = [
  ['public final class A: B { public init?(c: Int) {} }', '1:20 class A, 1:34 init init'],
  ['@objc open override func a(_ b: Int) -> Int { 1 }', '1:26 func a'],
  ['static func == (a: B, c: B) -> Bool { true }', '1:13 func =='],
  ['class func a() {}', '1:12 func a'],
  ['class var a: Int { 1 }', '', '1:11 var a'],
  ['deinit {}', '1:1 deinit deinit'],
  [
    'init() {} init<T>(a: T) {} init!(b: C) {} subscript(d: Int) -> Int { 1 }',
    '1:1 init init, 1:11 init init, 1:28 init init, 1:43 subscript subscript',
  ],
  ['struct A<T> { let b = 1; var c: Int }', '1:8 struct A', '1:8 struct A, 1:19 let b, 1:30 var c'],
  ['indirect enum A { case one, two(Int) }', '1:15 enum A', '1:15 enum A, 1:24 case one'],
  [
    'enum A: Int { case b = 1, c\n case d\n indirect case e(A) }',
    '1:6 enum A',
    '1:6 enum A, 1:20 case b, 2:7 case d, 3:16 case e',
  ],
  [
    'protocol A { associatedtype B; func c() }',
    '1:10 protocol A, 1:29 associatedtype B, 1:37 func c',
  ],
  ['extension A: B where T: C {}', '1:11 extension A'],
  ['actor A {}', '1:7 actor A'],
  ['typealias A = B', '1:11 typealias A'],
  ['macro a() = b', '1:7 macro a'],
  ['/* func a() /* func b() */ func c() */ func d() {}', '1:45 func d'],
  ['"""\nfunc a() {}\n"""\nfunc b() {}', '4:6 func b'],
  ['#"func a() { " "#; func b() {}', '1:25 func b'],
  ['"a"; func b() {}', '1:11 func b'],
  ['#"a"b"#; func c() {}', '1:15 func c'],
  ['switch a { case b: func c() {} }', ''],
  ['case a:', ''],
  ['let a = 1, b = 2', '', '1:5 let a'],
  ['lazy var a = { b }()', '', '1:10 var a'],
  ['private(set) var a = 1', '', '1:18 var a'],
  ['func `a`() {}', '1:6 func a'],
  ['class `A` {}', '1:7 class A'],
  ['weak var a: B?', '', '1:10 var a'],
  [
    'struct A\nenum B\nclass C\nprotocol D\nextension E\nfunc f\ndef g\nfunction h\ninterface I\ntype j\nconst k = (',
    '1:8 struct A, 2:6 enum B, 3:7 class C, 4:10 protocol D, 5:11 extension E, 6:6 func f, 7:5 def g, 8:10 function h, 9:11 interface I, 10:6 type j, 11:7 const k',
  ],
  ['x class A', ''],
  ['x; class A', '1:10 class A'],
  ['{ func a() {}', '1:8 func a'],
  ['func é() {}', '1:6 func é'],
  ['@A @B(c) public class D {}', '1:23 class D'],
  ['class A { class B {} }', '1:7 class A, 1:17 class B'],
  ['initialize() {} deinit\n{} subscript = 1', '1:17 deinit deinit'],
  ['"\\"func a() {}"; func b() {}', '1:23 func b'],
  ['// func a()\nfunc b()', '2:6 func b'],
  [
    'nonisolated func a() {} distributed actor B {} prefix func - (a: B) {}',
    '1:18 func a, 1:43 actor B, 1:60 func -',
  ],
]

test.each(rows)('the scanner for Swift reads %j', (text, outline, all = outline) => {
  expect(placedSymbols('a.swift', text)).toBe(outline)
  expect(placedSymbols('a.swift', text, 'all')).toBe(all)
})
