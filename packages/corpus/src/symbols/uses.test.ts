import { describe, expect, test } from 'vitest'
import { classifyUses } from './uses.ts'

function uses(file: string, text: string, name: string): string {
  const kinds = classifyUses(file, Buffer.from(text), name)
  return [...kinds].map(([line, kind]) => `${line} ${kind}`).join(', ')
}

const rows: [file: string, text: string, name: string, found: string][] = [
  ['a.ts', 'name()', 'name', '1 call'],
  [
    'a.ts',
    'name ()\nname\t(\nname        (\nname         (',
    'name',
    '1 call, 2 call, 3 call, 4 other',
  ],
  [
    'a.ts',
    'name<T>()\nname<A, b.C[]>()\nname<(>()\nname<T> ()',
    'name',
    '1 call, 2 call, 3 other, 4 call',
  ],
  ['a.rs', 'name!()\nname!["a"]\nname !()', 'name', '1 call, 2 other, 3 other'],
  ['a.ts', 'name\nname.x\nname = 1\n(name)', 'name', '1 other, 2 other, 3 other, 4 other'],
  ['a.ts', 'function name() {}\nname()', 'name', '1 definition, 2 call'],
  ['a.ts', 'function name() { name() }\nconst a = name() + name', 'name', '1 definition, 2 call'],
  ['a.ts', 'class A { name() { other() } }', 'name', '1 definition'],
  ['a.ts', 'const name = 1, b = name()', 'name', '1 definition'],
  ['a.ts', 'let x = name; function name() {}', 'name', '1 definition'],
  [
    'a.ts',
    '// name()\n/* name */\n"name"\n`name`\nname()',
    'name',
    '1 other, 2 other, 3 other, 4 other, 5 call',
  ],
  ['a.ts', 'rename()\nnames()\n_name()\nname_()\nname1()\n1name\nénameé\nname', 'name', '8 other'],
  ['a.ts', 'this.#name()\na.name()\n#name', 'name', '1 other, 2 call, 3 other'],
  ['a.ts', '#name\nthis.#name', '#name', '1 other, 2 other'],
  ['a.ts', 'x#name()', '#name', '1 call'],
  ['a.ts', 'import { name } from "./name.ts"\nname()', 'name', '1 import, 2 call'],
  [
    'a.ts',
    'import x from "./name.ts"\nimport y from "../name"\nimport z from "name"',
    'name',
    '1 other, 2 other, 3 import',
  ],
  [
    'a.ts',
    'import x from \'./a/name\'\nimport y from `../a/name`\nimport z from ".../name"',
    'name',
    '1 other, 2 other, 3 import',
  ],
  [
    'a.ts',
    'import a, {\n  b,\n  name\n} from "x"; name()\nname()',
    'name',
    '3 import, 4 import, 5 call',
  ],
  ['a.ts', 'import {\n  name', 'name', '2 import'],
  [
    'a.ts',
    'import a from "b"\nname()\nimport name from "c"\nname()',
    'name',
    '2 call, 3 import, 4 call',
  ],
  [
    'a.ts',
    'export { name }\nexport { name } from "x"\nexport * as name from "y"\nexport type { name } from "z"',
    'name',
    '1 other, 2 import, 3 import, 4 import',
  ],
  [
    'a.ts',
    'const { name } = require("x")\nlet name2 = require("name")\nvar name = require ("y")\nconst name = other("z")',
    'name',
    '1 definition, 2 import, 3 definition, 4 definition',
  ],
  ['a.ts', 'import("name")\nconst a = name', 'name', '1 import, 2 other'],
  ['a.ts', '// import name\nimport name from "a"', 'name', '1 other, 2 import'],
  ['a.ts', 'const a = "import name"\n  import name', 'name', '1 other, 2 import'],
  ['a.ts', 'important(name)\nfrom name import other', 'name', '1 other, 2 import'],
  [
    'a.py',
    'from a import name\nfrom b import (\n  c,\n  name,\n)\nname()\nimport name, other\nfrom name import x',
    'name',
    '1 import, 4 import, 6 call, 7 import, 8 import',
  ],
  ['a.py', '"""\nimport name\n"""\nimport name', 'name', '2 other, 4 import'],
  [
    'a.py',
    'def name(): pass\n  name()\nclass B: name = name()',
    'name',
    '1 definition, 2 call, 3 call',
  ],
  [
    'a.rs',
    'use a::name;\npub use b::{c, name};\npub(crate) use name::d;\nuse e::{\n  name\n};\nname();',
    'name',
    '1 import, 2 import, 3 import, 5 import, 7 call',
  ],
  ['a.rs', 'fn a() { name::<u8>(); name::b() }', 'name', '1 other'],
  ['a.cs', 'using name;\nusing A = name.B;', 'name', '1 import, 2 import'],
  [
    'a.c',
    '#include "name.h"\n#include "./name.h"\n# include <name>\n#import "name"\n  #include "../name"\nname();',
    'name',
    '1 import, 2 import, 3 import, 4 import, 5 import, 6 call',
  ],
  ['a.c', '#define name 1\nint a = name;\n#if name\n#endif', 'name', '1 other, 2 other, 3 other'],
  [
    'a.rb',
    "require 'name'\nrequire_relative './name'\nname\nname(1)",
    'name',
    '1 import, 2 other, 3 other, 4 call',
  ],
  [
    'a.go',
    'import "name"\nimport (\n\t"a/name"\n\tname "b"\n)\nname()',
    'name',
    '1 import, 3 import, 4 import, 6 call',
  ],
  [
    'a.java',
    'import a.name;\nimport static b.name.*;\nclass A { int name; void b() { name(); } }',
    'name',
    '1 import, 2 import, 3 definition',
  ],
  ['a.kt', 'import a.name\nval name = 1', 'name', '1 import, 2 definition'],
  ['a.md', 'import name\nname()', 'name', '1 other, 2 other'],
  ['a.txt', 'name()\nclass name {', 'name', '1 call, 2 definition'],
  ['a.php', 'use A\\name;\n<?php\nuse B\\name;\nname();', 'name', '1 other, 3 import, 4 call'],
  ['A.java', 'class name { name() {} }\nnew name()', 'name', '1 definition, 2 call'],
  [
    'a.cpp',
    'void A::name() {}\nA::name();\nnamespace a::name {}',
    'name',
    '1 definition, 2 call, 3 definition',
  ],
  [
    'a.cs',
    'namespace A.name { }\nnamespace name.A { }\nnamespace A.xname { }',
    'name',
    '1 definition, 2 other',
  ],
  ['a.cs', 'namespace A.name { }', 'A.name', '1 definition'],
  ['a.java', 'package a.b.name;\npackage name.c;', 'name', '1 definition, 2 other'],
  ['a.kt', 'package a.b.name', 'b.name', '1 definition'],
  ['a.cpp', 'namespace a { void b::name() {} }', 'b::name', '1 definition'],
  ['a.ts', 'class A { #name() {} }', 'name', '1 other'],
  ['a.ts', 'class A { #name() {} }', 'A#name', ''],
  ['a.rb', 'def name; end\nname\ndef name?; end', 'name', '1 definition, 2 other, 3 other'],
  ['a.rb', 'def name?; end\nname?', 'name?', '1 definition, 2 other'],
  ['a.ts', 'naname name', 'name', '1 other'],
  ['a.ts', 'aaa aa a', 'aa', '1 other'],
  ['a.ts', '.name.name', '.name', '1 other'],
  ['a.ts', 'name.\nxname.', 'name.', '1 other'],
  ['a.ts', 'élan()\nxélan()\nélané', 'élan', '1 call'],
  ['a.ts', '', 'name', ''],
  ['a.ts', 'other', 'name', ''],
  ['a.ts', 'name', 'name', '1 other'],
  ['a.ts', '\n\nname', 'name', '3 other'],
  ['a.ts', 'a\r\nname()\rname\n\r\nname()', 'name', '2 call, 3 other, 5 call'],
  ['a.ts', 'import {\r\n  name\r\n} from "x"\r\nname()\rname', 'name', '2 import, 4 call, 5 other'],
  [
    'a.ts',
    'name() // name\nname /* name() */ x\nfunction name() {} name',
    'name',
    '1 call, 2 other, 3 definition',
  ],
  [
    'a.ts',
    'export {\n  name\n}\nname()\nexport { a } from "b"; name()',
    'name',
    '2 other, 4 call, 5 import',
  ],
  ['a.ts', 'import { a, (name] } from "b"\nname', 'name', '1 import, 2 other'],
  ['a.ts', 'import a } from "b"\nname', 'name', '2 other'],
  [
    'a.ts',
    'import a from "b"\n\n\nname()\nimport c\nname\nimport name',
    'name',
    '4 call, 6 other, 7 import',
  ],
  [
    'a.ts',
    'let a = {}\nimport b from "c"\nconst name = 1\nimport name from "d"',
    'name',
    '3 definition, 4 import',
  ],
]

describe('the uses of a name', () => {
  test.each(rows)('in %s with the text %j: %j has %j', (file, text, name, found) => {
    expect(uses(file, text, name)).toBe(found)
  })

  test('an import ends after 400 lines', () => {
    const names = (count: number): string => `import {${'\n'.repeat(count)}name\n} from 'a'`
    expect(uses('a.ts', names(399), 'name')).toBe('400 import')
    expect(uses('a.ts', names(400), 'name')).toBe('401 other')
  })

  test('a call has at most 100 characters between the name and the parenthesis', () => {
    const call = (length: number): string => `name<${'a'.repeat(length)}>()`
    expect(uses('a.ts', call(80), 'name')).toBe('1 call')
    expect(uses('a.ts', call(81), 'name')).toBe('1 other')
  })

  test('the name of an imported file starts within 400 characters', () => {
    const line = (length: number): string => `import a from './${'b'.repeat(length - 4)}/name'`
    expect(uses('a.ts', line(400), 'name')).toBe('1 other')
    expect(uses('a.ts', line(401), 'name')).toBe('1 import')
  })
})
