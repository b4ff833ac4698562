// Source text, its outline, and the list in full detail where that differs: `line:column kind name`.
import { expect, test } from 'vitest'
import { placedSymbols } from '../../../test/support/symbols.ts'

const rows: [text: string, outline: string, all?: string][] = [
  ['class A(B):\n    def c(self): pass', '1:7 class A, 2:9 def c'],
  ['async def a(): pass', '1:11 def a'],
  ['cdef class A: pass', '1:12 class A'],
  ['cpdef def a(): pass', '1:11 def a'],
  ['def élan(): pass', '1:5 def élan'],
  [
    'a = 1\nb: int = 2\nc: int\nd == e\nf += 1\ng = h = 3',
    '',
    '1:1 variable a, 2:1 variable b, 6:1 variable g',
  ],
  [
    'class A:\n    b = 1\n    def c(self):\n        d = 2\n        self.e = 3\n    f = 4\ng = 5',
    '1:7 class A, 3:9 def c',
    '1:7 class A, 2:5 variable b, 3:9 def c, 6:5 variable f, 7:1 variable g',
  ],
  ['def a():\n    b = 1\nc = 2', '1:5 def a', '1:5 def a, 3:1 variable c'],
  ['if a:\n    b = 1', ''],
  ['f(\n    a=1,\n    b=2)', ''],
  [
    'class A:\n  class B:\n    c = 1\n  d = 2\n e = 3\nf = 4',
    '1:7 class A, 2:9 class B',
    '1:7 class A, 2:9 class B, 3:5 variable c, 4:3 variable d, 5:2 variable e, 6:1 variable f',
  ],
  ['async def a():\n  b = 1', '1:11 def a'],
  [
    'class A:\n\tb = 1\n\tasync def c(): pass\n\td = 2',
    '1:7 class A, 3:12 def c',
    '1:7 class A, 2:2 variable b, 3:12 def c, 4:2 variable d',
  ],
  ['"""\nclass A: pass\n"""\nclass B: pass', '4:7 class B'],
  ["'''\nclass A: pass\n'''\nclass B: pass", '4:7 class B'],
  ["'class A: pass'\n# class B\nclass C", '3:7 class C'],
  ['"""a\\"""\nclass B\n"""\nclass C', '4:7 class C'],
  ['"a" "b"; class C', ''],
  ['; class A', ''],
  ['x class A', ''],
  ['class é: pass', '1:7 class é'],
  ['class 9', ''],
  ['é = 1', '', '1:1 variable é'],
  ['  a = 1', ''],
  [
    'struct A\ninterface B\nenum C\nfunc d\nfunction e\ntype f\nprotocol G\nextension H\nconst i = (',
    '1:8 struct A, 2:11 interface B, 3:6 enum C, 4:6 func d, 5:10 function e, 6:6 type f, 7:10 protocol G, 8:11 extension H, 9:7 const i',
  ],
  ['"a\nclass B\n"', '2:7 class B'],
  ['class A: a = "b"\nc = d', '1:7 class A', '1:7 class A, 2:1 variable c'],
]

test.each(rows)('the scanner for Python reads %j', (text, outline, all = outline) => {
  expect(placedSymbols('a.py', text)).toBe(outline)
  expect(placedSymbols('a.py', text, 'all')).toBe(all)
})
