// Lines of keys in TOML texts, by exact values.
import { describe, expect, it } from 'vitest'
import { lineCounter, lineOf, pathText } from './positions.ts'
import { tomlPositions } from './toml-positions.ts'

describe('the lines of a TOML text', () => {
  it.each<[string, Record<string, number>]>([
    ['', {}],
    ['a = 1', { '["a"]': 1 }],
    ['\ufeff\na = 1', { '["a"]': 2 }],
    ['\ufeffa = 1', { '["a"]': 1 }],
    ['\n \t\r\n# c = 1\n\ta\t=\t1 # d = 2\n', { '["a"]': 4 }],
    ['a.b = 1\na.c = 2', { '["a"]': 1, '["a","b"]': 1, '["a","c"]': 2 }],
    ['a\t. b = 1', { '["a"]': 1, '["a","b"]': 1 }],
    ['"a.b" = 1\n\'c"\' = 2', { '["a.b"]': 1, '["c\\""]': 2 }],
    ['"\\t\\"\\\\" = 1', { '["\\t\\"\\\\"]': 1 }],
    ['"\\b\\n\\f\\r\\e" = 1', { '["\\b\\n\\f\\r\\u001b"]': 1 }],
    ['"\\x41\\u00e9\\U0001F600" = 1', { '["Aé😀"]': 1 }],
    ["'\\x41' = 1", { '["\\\\x41"]': 1 }],
    ['"" = 1', { '[""]': 1 }],
    ['A-9_z = 1', { '["A-9_z"]': 1 }],
    [
      '[a]\nb = 1\n[a.c]\nd = 2',
      { '["a"]': 1, '["a","b"]': 2, '["a","c"]': 3, '["a","c","d"]': 4 },
    ],
    ['[a.b]\n[a]\nc = 1', { '["a"]': 2, '["a","b"]': 1, '["a","c"]': 3 }],
    ['[ a . "b" ]', { '["a"]': 1, '["a","b"]': 1 }],
    [
      '[[a]]\nb = 1\n[[a]]\nb = 2',
      { '["a"]': 1, '["a",0]': 1, '["a",0,"b"]': 2, '["a",1]': 3, '["a",1,"b"]': 4 },
    ],
    [
      '[[a]]\n[[a]]\n[a.b]\nc = 1',
      { '["a"]': 1, '["a",0]': 1, '["a",1]': 2, '["a",1,"b"]': 3, '["a",1,"b","c"]': 4 },
    ],
    [
      'a = [1,\n"x",\n[2\n]\n]',
      { '["a"]': 1, '["a",0]': 1, '["a",1]': 2, '["a",2]': 3, '["a",2,0]': 3 },
    ],
    ['a = []\nb = 1', { '["a"]': 1, '["b"]': 2 }],
    ['a = [ # ]\n1 # ,\n, # x\n]\nb = 1', { '["a"]': 1, '["a",0]': 2, '["b"]': 5 }],
    [
      'a = { b = 1, c.d = "}" }\ne = 2',
      { '["a"]': 1, '["a","b"]': 1, '["a","c"]': 1, '["a","c","d"]': 1, '["e"]': 2 },
    ],
    ['a = {}\nb = 1', { '["a"]': 1, '["b"]': 2 }],
    ['a = {\nb = 1,\n}\nc = 1', { '["a"]': 1, '["a","b"]': 2, '["c"]': 4 }],
    ['a = "x\\"#\\\\"\nb = 1', { '["a"]': 1, '["b"]': 2 }],
    ["a = '\\'\nb = 1", { '["a"]': 1, '["b"]': 2 }],
    ["a = '''\n\\'''\nb = 1", { '["a"]': 1, '["b"]': 3 }],
    ['a = """\n\\"""\n"""\nb = 1', { '["a"]': 1, '["b"]': 4 }],
    ['a = """x""""\nb = 1', { '["a"]': 1, '["b"]': 2 }],
    ['a = """x"""""\nb = 1', { '["a"]': 1, '["b"]': 2 }],
    ["a = ''''x'''''\nb = 1", { '["a"]': 1, '["b"]': 2 }],
    ['a = """"""\nb = 1', { '["a"]': 1, '["b"]': 2 }],
    ['a = ""\nb = 1', { '["a"]': 1, '["b"]': 2 }],
    ['a = 1979-05-27 07:32:00 # x\nb = 1', { '["a"]': 1, '["b"]': 2 }],
  ])('%j are %j', (text, lines) => {
    expect(Object.fromEntries(tomlPositions(text))).toEqual(lines)
  })

  it.each<[string, Record<string, number>]>([
    ['a = 1\n= 2\nb = 3', { '["a"]': 1 }],
    ['a = 1\nb 2\nc = 3', { '["a"]': 1, '["b"]': 2 }],
    ['a =\nb = 3', { '["a"]': 1 }],
    ['a = 1\n[b\nc = 3', { '["a"]': 1 }],
    ['[[a]\nb = 3', {}],
    ['a = [1 [2\nb = 3', { '["a"]': 1, '["a",0]': 1 }],
    ['a = { b = "x" c = 2 }', { '["a"]': 1, '["a","b"]': 1 }],
    ['a = "x\nb = 3', { '["a"]': 1 }],
    ['"a\nb" = 3', {}],
    ['a = """x', { '["a"]': 1 }],
    ['"\\U00110000" = 1', {}],
    ['"\\U0010FFFF" = 1', { '["\u{10ffff}"]': 1 }],
    ['"\\q" = 1', { '["q"]': 1 }],
  ])('%j, which is not TOML, end at the fault: %j', (text, lines) => {
    expect(Object.fromEntries(tomlPositions(text))).toEqual(lines)
  })

  it('end below a depth of 200 lists or tables and 201 names', () => {
    const count = (text: string): number => tomlPositions(text).size
    const lists = (depth: number) => `a = ${'['.repeat(depth)}1${']'.repeat(depth)}\nb = 1`
    expect([count(lists(199)), count(lists(200)), count(lists(201))]).toEqual([201, 202, 202])
    const tables = (depth: number) => `a = ${'{a='.repeat(depth)}1${'}'.repeat(depth)}\nb = 1`
    expect([count(tables(199)), count(tables(200)), count(tables(201))]).toEqual([201, 202, 202])
    const names = (dots: number) => `${'a.'.repeat(dots)}a = 1`
    expect([count(names(200)), count(names(201))]).toEqual([201, 0])
  })
})

describe('the line of a key', () => {
  const positions = new Map([
    ['["a"]', 2],
    ['["a","b"]', 5],
  ])
  it.each<[(string | number)[], number | undefined]>([
    [['a'], 2],
    [['a', 'b'], 5],
    [['a', 'b', 0, 'c'], 5],
    [['a', 'x'], 2],
    [['x'], undefined],
    [[], undefined],
  ])('%j is %s', (path, line) => {
    expect(lineOf(positions, path)).toBe(line)
  })

  it('is never that of the whole file', () => {
    expect(lineOf(new Map([['[]', 1]]), ['a'])).toBeUndefined()
  })
})

it.each<[(string | number)[], string]>([
  [[], ''],
  [['a'], 'a'],
  [['a', 'b-c_D9'], 'a.b-c_D9'],
  [[0], '[0]'],
  [['a', 0, 12, 'b'], 'a[0][12].b'],
  [['a b', ''], '"a b".""'],
  [['a\n"'], String.raw`"a\n\""`],
  [['n'.repeat(80)], 'n'.repeat(80)],
  [['n'.repeat(81)], `"${'n'.repeat(79)}…"`],
  [[` ${'n'.repeat(79)}`], `" ${'n'.repeat(79)}"`],
  [[` ${'n'.repeat(80)}`], `" ${'n'.repeat(78)}…"`],
])('the path %j as text is %s', (path, text) => {
  expect(pathText(path)).toBe(text)
})

it('a line counter counts the line breaks before an offset', () => {
  const lineAt = lineCounter('a\n\nb\nc')
  expect([0, 1, 2, 3, 4, 5, 6, 100].map((offset) => lineAt(offset))).toEqual([
    1, 1, 2, 3, 3, 4, 4, 4,
  ])
  expect(lineCounter('')(0)).toBe(1)
})
