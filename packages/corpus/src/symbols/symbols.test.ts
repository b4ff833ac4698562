import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { corpusWith } from '../../test/support/trees.ts'
import { symbols } from '../../test/support/symbols.ts'
import type { Detail } from './sink.ts'
import { classifyUses } from './uses.ts'

const eleven = [
  ...['class A', '  struct B', 'enum C', 'protocol D', 'extension E', 'func f', 'def g'],
  ...['function h', 'interface I', 'type T', 'const k = ('],
]
const elevenFound = [
  ...[
    '1 class A',
    '2 struct B',
    '3 enum C',
    '4 protocol D',
    '5 extension E',
    '6 func f',
    '7 def g',
  ],
  ...['8 function h', '9 interface I', '10 type T', '11 const k'],
]

describe('extract_symbols', () => {
  test('returns kind, name and line under the documented keys', async () => {
    const corpus = corpusWith({
      'a.py': 'class A:\n    async def f(self): pass\n\ndef g(): pass\n',
    })
    const result = await corpus.symbols({ path: 'a.py' })
    expect(result).toEqual({
      path: 'a.py',
      symbols: [
        { kind: 'class', name: 'A', line: 1 },
        { kind: 'def', name: 'f', line: 2 },
        { kind: 'def', name: 'g', line: 4 },
      ],
      truncated: false,
      metrics: { time_ms: expect.any(Number), bytes_read: 52, files_scanned: 1, symbols: 3 },
    })
    expect(await corpus.symbols({ path: 'a.py', max_symbols: 3 })).toMatchObject({
      truncated: true,
    })
    const two = await corpus.symbols({ path: 'a.py', max_symbols: 2 })
    expect(two).toMatchObject({ truncated: true, metrics: { symbols: 2 } })
    expect(await corpus.symbols({ path: 'a.py', max_symbols: 0 })).toMatchObject({
      symbols: [],
      truncated: true,
    })
    const page = await corpus.symbols({ path: 'a.py', max_chars: 40 })
    const rest = await corpus.symbols({ path: 'a.py', max_chars: 400, cursor: page.next_cursor })
    expect([...page.symbols, ...rest.symbols]).toEqual(result.symbols)
  })

  test.each(['x.unknown', 'noextension', 'x.m', 'x.lua'])(
    'applies the eleven plain patterns to %s',
    (file) => {
      expect(symbols(file, eleven.join('\n'))).toEqual(elevenFound)
      expect(symbols(file, eleven.join('\r\n'))).toEqual(elevenFound)
      expect(symbols(file, eleven.join('\r'))).toEqual(elevenFound)
      expect(symbols(file, 'classA\nx class B\nconst a = 5\nclass\n')).toEqual([])
    },
  )

  test('applies the plain patterns in known languages to keywords that they do not handle', () => {
    expect(symbols('a.ts', 'struct B\nfunc f()\ndef g\nprotocol D')).toEqual([
      '1 struct B',
      '2 func f',
      '3 def g',
      '4 protocol D',
    ])
    expect(symbols('a.ts', 'enum C\n\n  interface I\ntype T')).toEqual([
      '1 enum C',
      '3 interface I',
      '4 type T',
    ])
    const list = 'import {\n  type A,\n  type B\n} from "b"\nexport { a,\n  type C\n  , b }\n'
    expect(symbols('a.ts', list)).toEqual([])
    expect(symbols('a.py', 'class A: pass\nfunction h\nconst k = (')).toEqual([
      '1 class A',
      '2 function h',
      '3 const k',
    ])
  })

  test('finds nothing in prose, and in loose text only lines that read like code', () => {
    const prose = 'type foo is what we call it\nclass struggle, a history\nfunction follows form'
    expect(symbols('a.md', `${prose}\nclass A {`)).toEqual([])
    expect(symbols('a.txt', prose)).toEqual([])
    expect(symbols('a.txt', eleven.join('\n'))).toEqual(elevenFound)
  })
})

describe('a scanner', () => {
  const extensions = [
    ...['ts', 'py', 'go', 'rs', 'java', 'kt', 'c', 'cpp', 'h', 'cs', 'swift', 'rb', 'php', 'scala'],
    ...['sh', 'x'],
  ]

  test('returns symbols in order and within the file for random input', () => {
    const pieces = [
      ...['class A', 'struct', 'impl', 'enum', 'interface', 'fun', 'def', 'function', 'type', '=>'],
      ...['{', '}', '(', ')', '[', ']', '<', '>', ';', ',', '=', '"', "'", '`', '${', '/*', '*/'],
      ...['//', '#', '::', '\n', '\r', ' ', 'x', 'é', '\\', '@', '<<EOF', 'EOF', '"""', "'''"],
      ...['#if', '#else\n', '\n#endif', '<?'],
    ]
    const text = fc
      .array(fc.constantFrom(...pieces), { maxLength: 60 })
      .map((parts) => parts.join(''))
    const details = fc.constantFrom<Detail>('outline', 'all')
    fc.assert(
      fc.property(text, fc.constantFrom(...extensions), details, (body, extension, detail) => {
        const found = symbols(`a.${extension}`, body, detail)
        const lines = found.map((one) => Number(one.split(' ')[0]))
        expect(lines).toEqual(lines.toSorted((a, b) => a - b))
        expect(Math.max(0, ...lines)).toBeLessThanOrEqual(body.split(/\r\n|\r|\n/).length)
      }),
      { numRuns: 3000 },
    )
  })
})

test('prose has no imports, calls or definitions', () => {
  const text = 'from name import other\nimport name\nname()\n'
  const kinds = classifyUses('notes.md', Buffer.from(text), 'name')
  expect([...kinds]).toEqual([1, 2, 3].map((line) => [line, 'other']))
})

test('imports over several lines end with their brackets', () => {
  const text =
    "import {\n  name,\n} from 'a'\nname()\nexport { name }\nexport {\n  name\n} from 'b'\n"
  const kinds = classifyUses('a.ts', Buffer.from(text), 'name')
  expect([...kinds].map(([line, kind]) => `${line} ${kind}`)).toEqual([
    ...['2 import', '4 call', '5 other', '7 import'],
  ])
})
