// Compares the scanners with generated files whose key lines are known.
import * as fc from 'fast-check'
import { parse } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { scanJson } from './json-positions.ts'
import { lineOf, pathKey, pathText } from './positions.ts'
import type { KeyPath } from './shape.ts'
import { tomlPositions } from './toml-positions.ts'

type Tree = string | number | boolean | Tree[] | { [key: string]: Tree }
type Choose = (options: number) => number

const hostile = [
  '[fake]',
  'a = 1',
  '#',
  '"',
  "'",
  '"""x',
  "'''",
  '\\',
  '\n',
  ']',
  '}',
  ',',
  '{',
  '\t',
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...hostile), fc.string({ maxLength: 3 })), { maxLength: 5 })
  .map((parts) => parts.join(''))
const name = fc.oneof(
  fc.constantFrom('a', 'b', 'c', 'key-1', '__proto__', 'constructor', 'a.b', 'é "x"', '[s]', '0'),
  fc.string({ minLength: 1, maxLength: 4 }),
)
const { tree } = fc.letrec<{ tree: Tree; table: Record<string, Tree> }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small', maxDepth: 4 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.array(tie('tree'), { maxLength: 3 }),
    fc.array(tie('table'), { minLength: 1, maxLength: 3 }),
    tie('table'),
  ),
  table: fc
    .uniqueArray(fc.tuple(name, tie('tree')), { maxLength: 4, selector: ([key]) => key })
    .map((entries) => Object.fromEntries(entries) as Record<string, Tree>),
}))
const table = tree.filter((value) => isTable(value)) as fc.Arbitrary<Record<string, Tree>>
const choices = fc.infiniteStream(fc.nat(1000)).map((stream): Choose => {
  return (options) => (stream.next().value ?? 0) % options
})

function isTable(value: Tree | undefined): value is Record<string, Tree> {
  return typeof value === 'object' && !Array.isArray(value)
}

/** Generated text with the line of every key. */
class Page {
  text = ''
  readonly lines = new Map<string, number>()
  readonly choose: Choose
  constructor(choose: Choose) {
    this.choose = choose
  }
  note(path: KeyPath, always = false): void {
    const key = pathKey(path)
    if (always || !this.lines.has(key)) this.lines.set(key, this.text.split('\n').length)
  }
}

/** TOML in every equivalent style. */
class TomlPage extends Page {
  table(value: Record<string, Tree>, path: KeyPath): void {
    const later: (() => void)[] = []
    for (const [key, inner] of Object.entries(value)) {
      const at = [...path, key]
      const style = this.choose(3)
      const isTables =
        Array.isArray(inner) && inner.length > 0 && inner.every((item) => isTable(item))
      if (isTable(inner) && style === 0) later.push(() => this.section(inner, at))
      else if (isTable(inner) && style === 1 && Object.keys(inner).length > 0) {
        this.dotted(inner, at, path.length)
      } else if (isTables && style > 0) later.push(() => this.tables(inner as Tree[], at))
      else this.pair(at, path.length, inner)
    }
    for (const write of later) write()
  }

  section(value: Record<string, Tree>, path: KeyPath): void {
    this.blank()
    const names = path.filter((step) => typeof step === 'string')
    this.prefixes(path, path.length - 1)
    this.note(path, true)
    this.text += `[${names.map((step) => this.key(step)).join('.')}]`
    this.end()
    this.table(value, path)
  }

  tables(items: readonly Tree[], path: KeyPath): void {
    for (const [index, item] of items.entries()) {
      this.blank()
      const names = path.filter((step) => typeof step === 'string')
      this.prefixes(path, path.length)
      this.note([...path, index])
      this.text += `[[ ${names.map((step) => this.key(step)).join(' . ')} ]]`
      this.end()
      this.table(item as Record<string, Tree>, [...path, index])
    }
  }

  dotted(value: Record<string, Tree>, path: KeyPath, from: number): void {
    for (const [key, inner] of Object.entries(value)) this.pair([...path, key], from, inner)
  }

  pair(path: KeyPath, from: number, value: Tree): void {
    this.blank()
    this.bare(path, from, value)
    this.end()
  }

  bare(path: KeyPath, from: number, value: Tree): void {
    for (let length = from + 1; length <= path.length; length++) this.note(path.slice(0, length))
    const names = path.slice(from).map((step) => this.key(String(step)))
    this.text += `${names.join(['.', ' . '][this.choose(2)])} = `
    this.value(value, path)
  }

  prefixes(path: KeyPath, upTo: number): void {
    for (let length = 1; length <= upTo; length++) this.note(path.slice(0, length))
  }

  value(value: Tree, path: KeyPath): void {
    if (typeof value === 'string') this.text += this.string(value)
    else if (Array.isArray(value)) this.list(value, path)
    else if (isTable(value)) this.inline(value, path)
    else this.text += String(value)
  }

  list(value: readonly Tree[], path: KeyPath): void {
    this.text += '['
    for (const [index, item] of value.entries()) {
      this.gap()
      this.note([...path, index])
      this.value(item, [...path, index])
      this.gap()
      if (index < value.length - 1 || this.choose(2) === 0) this.text += ','
    }
    this.gap()
    this.text += ']'
  }

  inline(value: Record<string, Tree>, path: KeyPath): void {
    this.text += '{'
    for (const [index, [key, inner]] of Object.entries(value).entries()) {
      if (index > 0) this.text += ', '
      this.bare([...path, key], path.length, inner)
    }
    this.text += ' }'
  }

  key(step: string): string {
    const style = this.choose(3)
    if (style === 0 && /^[A-Za-z0-9_-]+$/.test(step)) return step
    // oxlint-disable-next-line no-control-regex
    if (style === 1 && !/['\u0000-\u001f\u007f]/.test(step)) return `'${step}'`
    return this.choose(2) === 0 ? this.basic(step) : this.escaped(step)
  }

  escaped(value: string): string {
    const codes = [...value].map((letter) => (letter.codePointAt(0) ?? 0).toString(16))
    return `"${codes.map((code) => `\\U${code.padStart(8, '0')}`).join('')}"`
  }

  string(value: string): string {
    const style = this.choose(4)
    // oxlint-disable-next-line no-control-regex
    const isPlain = !/[\u0000-\u0008\u000b-\u001f\u007f]/.test(value)
    if (style === 0 && isPlain && !/['\n]/.test(value)) return `'${value}'`
    if (style === 1 && isPlain && !/'''|'$/.test(value)) return `'''\n${value}'''`
    if (style === 2 && isPlain)
      return `"""\n${value.replace(/\\/g, '\\\\').replace(/"""/g, '""\\"')}"""`
    return this.basic(value)
  }

  basic(value: string): string {
    return JSON.stringify(value).replaceAll('\u007f', '\\u007f')
  }

  end(): void {
    this.text += ['\n', '  # [x] = "\n', '\r\n', '\n\n'][this.choose(4)]
  }

  blank(): void {
    this.text += ['', '# k = """\n', '\t', ' \n'][this.choose(4)]
  }

  gap(): void {
    this.text += ['', ' ', '\n', ' # ] } "\n  '][this.choose(4)]
  }
}

class JsonPage extends Page {
  value(value: Tree, path: KeyPath): void {
    if (typeof value !== 'object') {
      this.text += JSON.stringify(value)
      return
    }
    const isList = Array.isArray(value)
    this.text += isList ? '[' : '{'
    for (const [index, [key, inner]] of Object.entries(value).entries()) {
      if (index > 0) this.text += ','
      this.gap()
      const at = [...path, isList ? index : key]
      this.note(at)
      if (!isList) this.text += JSON.stringify(key)
      this.gap(isList)
      if (!isList) this.text += ':'
      this.gap(isList)
      this.value(inner, at)
      this.gap()
    }
    this.text += isList ? ']' : '}'
  }

  gap(skip = false): void {
    if (!skip) this.text += ['', ' ', '\n', '\r\n\t'][this.choose(4)]
  }
}

describe('the TOML scanner', () => {
  test('finds the line of every key and item in any style', () => {
    fc.assert(
      fc.property(table, choices, (value, choose) => {
        const page = new TomlPage(choose)
        page.table(value, [])
        parse(page.text)
        expect(Object.fromEntries(tomlPositions(page.text))).toEqual(Object.fromEntries(page.lines))
      }),
      { numRuns: 1000 },
    )
  })

  test('ignores keys inside multi-line strings', () => {
    const text = 'a = """\nb = 1\n[c]\n\\""" d = 2"""""\nb = \'\'\'\nc = 3\n\'\'\'\'\n[c]\nd = 4\n'
    expect(Object.fromEntries(tomlPositions(text))).toEqual({
      '["a"]': 1,
      '["b"]': 5,
      '["c"]': 8,
      '["c","d"]': 9,
    })
  })

  test('assigns a table below a list of tables to the last item', () => {
    const lines = ['[[a]]', '[[a.b]]', 'x = 1', '[[a]]', '[[a.b]]', '[[a.b]]', '[a.b.c]', 'y = 1']
    const positions = tomlPositions(lines.join('\n'))
    expect(lineOf(positions, ['a', 0, 'b', 0, 'x'])).toBe(3)
    expect(lineOf(positions, ['a', 1, 'b', 1, 'c', 'y'])).toBe(8)
  })

  test('neither throws nor hangs on any text', () => {
    fc.assert(
      fc.property(fc.oneof(text, fc.string(), fc.string({ unit: 'binary' })), (any) => {
        tomlPositions(any)
      }),
      { numRuns: 1000 },
    )
    for (const mark of ['[', '{a=', '[[', '"', 'a.', 'a=[', '\\U99999999', '"""']) {
      tomlPositions(mark.repeat(100_000))
      tomlPositions(`"${mark.repeat(1000)}" = 1`)
    }
  })
})

describe('the JSON scanner', () => {
  test('finds the line of every key and item', () => {
    fc.assert(
      fc.property(table, choices, (value, choose) => {
        const page = new JsonPage(choose)
        page.value(value, [])
        const { positions, failure, repeated } = scanJson(page.text)
        expect({ failure, repeated }).toEqual({ failure: undefined, repeated: [] })
        expect(Object.fromEntries(positions)).toEqual(Object.fromEntries(page.lines))
      }),
      { numRuns: 500 },
    )
  })

  test('refuses exactly what JSON.parse refuses', () => {
    const damaged = fc
      .tuple(
        tree,
        fc.nat(),
        fc.nat(3),
        fc.constantFrom('', ',', '"', '}', ']', '\\', '0', '-', '\n', '.'),
      )
      .map(([value, at, cut, extra]) => {
        const whole = JSON.stringify(value, null, 1)
        const place = at % (whole.length + 1)
        return whole.slice(0, place) + extra + whole.slice(place + cut)
      })
    fc.assert(
      fc.property(fc.oneof(damaged, fc.string()), (any) => {
        let isJson = true
        try {
          JSON.parse(any)
        } catch {
          isJson = false
        }
        expect(scanJson(any).failure === undefined).toBe(isJson)
      }),
      { numRuns: 3000 },
    )
  })
})

test('a key that is not in the file has the line of the key around it', () => {
  const positions = tomlPositions('[a]\nb = 1\n')
  expect(lineOf(positions, ['a', 'c'])).toBe(1)
  expect(lineOf(positions, ['z'])).toBeUndefined()
})

test('a path as text has dots and list indexes', () => {
  expect(pathText(['redaction', 'extraRules', 2, 'id'])).toBe('redaction.extraRules[2].id')
  expect(pathText(['a b', 'c'])).toBe('"a b".c')
})
