import { describe, expect, test } from 'vitest'
import { symbols } from '../../../test/support/symbols.ts'
import { corpusWith } from '../../../test/support/trees.ts'
import { SymbolSink } from '../sink.ts'

const extensions = 'ts py go rs java kt c h cpp cs swift rb php scala sh txt zig'.split(' ')

/** A definition at the start of a line, by extension. */
const definitions: Readonly<Record<string, string>> = {
  ts: 'class Last {}',
  py: 'class Last: pass',
  go: 'func Last() {}',
  rs: 'fn Last() {}',
  java: 'class Last {}',
  kt: 'class Last',
  c: 'void Last(void) {}',
  cpp: 'class Last {};',
  cs: 'class Last {}',
  swift: 'class Last {}',
  rb: 'class Last',
  php: 'class Last {}',
  scala: 'class Last',
  sh: 'Last() {',
  zig: 'class Last',
}
const languages = Object.keys(definitions)
const opening = (extension: string): string => (extension === 'php' ? '<?php ' : '')
const last = (extension: string): string => definitions[extension] as string

function namesIn(extension: string, text: string): string[] {
  return symbols(`a.${extension}`, text, 'all').map((one) => one.split(' ')[2] ?? '')
}

describe('a hostile file', () => {
  // Quadratic work would take a minute here instead of a second.
  test.each([
    ...['(', '{', '[', '<', '"', "'", '`', '`${', '/', '=/[', '/*', '\\"', '\\"\\\'', '\\"\\\n'],
    ...['class a{', 'class A<(', '<<A\n', '#if 1\n', '(;', '()', '@a ', '@a(', '@a\n', '    '],
    ...['struct A{', 'enum A{', 'fun <', ';fun <', 'impl<', 'template<', 'int f(', 'a::', '\0'],
    ...[
      'private\n',
      'export ',
      'type (\n',
      'var (\n',
      'const a=1\n,',
      '\r',
      '\r\n',
      'a.b=function',
    ],
  ])('of only %j is scanned in linear time', (piece) => {
    const text = piece.repeat(Math.ceil(40_000 / piece.length))
    for (const extension of extensions) {
      const lines = text.split(/\r\n|\r|\n/).length
      for (const detail of ['outline', 'all'] as const) {
        expect(symbols(`a.${extension}`, text, detail).length).toBeLessThanOrEqual(
          Math.max(lines, text.length / 2),
        )
      }
    }
  })

  test.each(['function', 'static', 'const a', 'class', 'a', '@a', 'enum', 'def', 'impl'])(
    'with only space after %j is scanned in linear time',
    (word) => {
      for (const extension of extensions) {
        for (const before of ['', 'class A {\n']) {
          expect(() =>
            symbols(`a.${extension}`, `${before}${word}${' '.repeat(200_000)}`, 'all'),
          ).not.toThrow()
        }
      }
    },
  )

  test.each(languages)(
    'with a line of a megabyte does not hide the definitions after it (%s)',
    (extension) => {
      const line = `x = "${'a'.repeat(1_000_000)}";`
      expect(namesIn(extension, `${opening(extension)}${line}\n${last(extension)}\n`)).toContain(
        'Last',
      )
    },
  )

  test.each(languages)(
    'with 100,000 nested brackets does not crash the scanner (%s)',
    (extension) => {
      const nested = `${'('.repeat(100_000)}${')'.repeat(100_000)};`
      expect(namesIn(extension, `${opening(extension)}${nested}\n${last(extension)}\n`)).toContain(
        'Last',
      )
    },
  )

  test.each([
    ['ts', '/* '],
    ['ts', 'x = `'],
    ['ts', 'x = `${ `'],
    ['py', 'x = """'],
    ['go', 'x = `'],
    ['rs', 'let x = r#"'],
    ['java', '/* '],
    ['kt', '/* /* */ '],
    ['cpp', 'x = R"a('],
    ['cs', 'x = @"'],
    ['swift', 'x = """'],
    ['rb', '=begin'],
    ['php', "<?php\n$x = '"],
    ['sh', 'x="'],
  ])('that ends inside a comment or string defines nothing there (%s: %s)', (extension, open) => {
    expect(namesIn(extension, `${open}\n${last(extension)}\n`)).not.toContain('Last')
  })

  test('with an unterminated here-document keeps its definitions', () => {
    expect(namesIn('sh', 'cat <<END\nLast() {\n')).toContain('Last')
    expect(namesIn('rb', 'x = <<~END\nclass Last\n')).toContain('Last')
  })

  test.each(languages)('has the same symbols with any line ends (%s)', (extension) => {
    const text = `${opening(extension)}\n\n  ${last(extension)}\n\n${last(extension)}\n`
    const expected = symbols(`a.${extension}`, text, 'all')
    expect(expected).not.toEqual([])
    for (const end of ['\r\n', '\r']) {
      expect(symbols(`a.${extension}`, text.replaceAll('\n', end), 'all')).toEqual(expected)
    }
  })

  test.each(languages)(
    'that starts with a byte order mark keeps the definition on its first line (%s)',
    (extension) => {
      const text = `${opening(extension)}${last(extension)}\n`
      expect(symbols(`a.${extension}`, `\ufeff${text}`, 'all')).toEqual(
        symbols(`a.${extension}`, text, 'all'),
      )
    },
  )

  test('with too many symbols is reported as truncated', () => {
    const sink = new SymbolSink('all')
    for (let at = 0; at < 2_000_000; at++) sink.add('field', 'a', at)
    expect(sink.isTruncated).toBe(false)
    sink.add('field', 'late', 0)
    expect(sink.isTruncated).toBe(true)
    expect(sink.finish('').some(({ name }) => name === 'late')).toBe(false)
  })

  test.each([
    ['ts', 'enum A {', '}'],
    ['rs', 'enum A {', '}'],
    ['c', 'enum A {', '};'],
    ['java', 'enum A {', '}'],
  ])(
    'with a list that is too long is reported as truncated (%s: %s)',
    async (extension, head, tail) => {
      const list = (length: number): string => `${head}${'a,'.repeat(length)}late${tail}\n`
      const corpus = corpusWith({ [`a.${extension}`]: list(500_000), [`b.${extension}`]: list(9) })
      const all = { detail: 'all', max_symbols: 9_000_000 } as const
      const short = await corpus.symbols({ path: `b.${extension}`, ...all })
      expect([short.truncated, short.symbols.at(-1)?.name]).toEqual([false, 'late'])
      const long = await corpus.symbols({ path: `a.${extension}`, ...all })
      expect([long.truncated, long.symbols.at(-1)?.name]).toEqual([true, 'a'])
    },
  )
})
