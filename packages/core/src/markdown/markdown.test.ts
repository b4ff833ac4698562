import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Colours } from '../cli/colour.ts'
import { coloursFor } from '../cli/colour.ts'
import { styledWidth } from '../text/styled-text.ts'
import { MarkdownStream } from './markdown.ts'

const named = Object.fromEntries(
  [
    ...['bold', 'dim', 'italic', 'underline'],
    ...['red', 'green', 'yellow', 'blue', 'magenta', 'cyan'],
  ].map((name) => [name, (text: string) => `<${name}>${text}</>`]),
) as unknown as Colours

function render(text: string, options: { columns?: number; paint?: Colours } = {}): string[] {
  const { columns = 100, paint = named } = options
  const stream = new MarkdownStream({ columns: () => columns, paint, hasColour: true })
  return (stream.write(text) + stream.end()).split('\n').slice(0, -1)
}

function renderPlain(text: string, columns: number): string[] {
  const paint = coloursFor({ isTTY: false }, {})
  const stream = new MarkdownStream({ columns: () => columns, paint, hasColour: false })
  return (stream.write(text) + stream.end()).split('\n').slice(0, -1)
}

describe('a line of Markdown on a terminal', () => {
  it.each([
    ['plain', 'plain'],
    ['## Head `x`', '<bold>Head <cyan>x</></>'],
    ['a **b** *c* `d`', 'a <bold>b</> <italic>c</> <cyan>d</>'],
    ['- item', '<yellow>•</> item'],
    ['  2. item', '  <yellow>2.</> item'],
    ['> said', '<dim>│</> said'],
    ['[zee](http://x/y)', 'zee (<underline>http://x/y</>)'],
    ['snake_case_name and 2 * 3 * 4', 'snake_case_name and 2 * 3 * 4'],
    ['1 < 2 && "q"', '1 < 2 && "q"'],
  ])('%j is shown as %j', (line, styled) => {
    expect(render(line)).toEqual([styled])
  })

  it('is wrapped at spaces, with the indent of its list item', () => {
    expect(renderPlain('- one two three four five six seven', 24)).toEqual([
      '• one two three four',
      '  five six seven',
    ])
  })

  it('keeps its emphasis marks without colour', () => {
    expect(renderPlain('# Head\n**bold** `code`', 60)).toEqual(['# Head', '**bold** `code`'])
  })
})

describe('a code block', () => {
  it('is coloured by language, indented, and shown without its fences', () => {
    expect(render('```js\nconst a = "b" // c\n```\nend')).toEqual([
      '  <magenta>const</> a = <green>"b"</> <dim>// c</>',
      'end',
    ])
  })

  it('keeps the colour of a comment that spans lines which arrive one by one', () => {
    const stream = new MarkdownStream({ columns: () => 80, paint: named, hasColour: true })
    const pieces = ['```c\n', '/* one\n', 'two */\n', 'int x;\n', '```\n']
    expect(pieces.map((piece) => stream.write(piece)).join('')).toBe(
      '  <dim>/* one</>\n  <dim>two */</>\n  <cyan>int</> x;\n',
    )
  })

  it('ends only with a fence of at least the same length', () => {
    expect(render('````\n```\nx\n````\n# h')).toEqual([
      '  <cyan>```</>',
      '  <cyan>x</>',
      '<bold>h</>',
    ])
  })

  it('inside a list item loses the indent of its fence', () => {
    expect(render('1. do\n   ```\n   x\n     y\n   ```')).toEqual([
      '<yellow>1.</> do',
      '  <cyan>x</>',
      '  <cyan>  y</>',
    ])
  })
})

describe('a table', () => {
  const table = '| a | count |\n|---|---:|\n| one | 1 |\n| `x|y` and more words here | 22 |\n'

  it('is drawn with aligned columns', () => {
    expect(renderPlain(table.replace('`x|y`', 'x'), 60)).toEqual([
      '┌───────────────────────┬───────┐',
      '│ a                     │ count │',
      '├───────────────────────┼───────┤',
      '│ one                   │     1 │',
      '│ x and more words here │    22 │',
      '└───────────────────────┴───────┘',
    ])
  })

  it('fits a narrow terminal by wrapping cells', () => {
    const rows = renderPlain(table.replace('`x|y`', 'x'), 26)
    for (const row of rows) expect(styledWidth(row)).toBeLessThan(26)
    expect(rows.join('\n')).toContain('│ x and more')
  })

  it('with more columns than fit becomes one line per cell', () => {
    const head = `|${'h|'.repeat(30)}\n|${'-|'.repeat(30)}\n|${'v|'.repeat(30)}\n`
    expect(renderPlain(head, 40)[0]).toBe('h: v')
  })

  it('is shown as its tail while it arrives', () => {
    const stream = new MarkdownStream({ columns: () => 60, paint: named, hasColour: true })
    expect(stream.write('|a|b|\n|-|-|\n|1|')).toBe('')
    expect(stream.tail(10).join('\n')).toContain('┌')
  })

  it('needs a delimiter row: other lines with a bar are text', () => {
    expect(renderPlain('a | b\nc | d\n', 60)).toEqual(['a | b', 'c | d'])
  })
})

describe('MarkdownStream', () => {
  it('prints the same rows for every split of a text', () => {
    const text =
      '# T\n\npara *x*\n\n```js\nlet a = `b\nc`\n```\n\n|a|b|\n|-|-|\n|1|2|\n\n- x\n\nend'
    const expected = render(text)
    fc.assert(
      fc.property(fc.array(fc.nat(text.length)), (cuts) => {
        const stream = new MarkdownStream({ columns: () => 100, paint: named, hasColour: true })
        const places = [0, ...cuts.sort((a, b) => a - b), text.length]
        const pieces = places.slice(1).map((end, index) => text.slice(places[index], end))
        const shown = pieces.map((piece) => stream.write(piece)).join('') + stream.end()
        expect(shown.split('\n').slice(0, -1)).toEqual(expected)
      }),
    )
  })

  it('never prints a row of text wider than the terminal, and drops control characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => {
        const rows = renderPlain(`${text.replaceAll('`', '')}\u001b[2J`, 40)
        for (const row of rows) expect(styledWidth(row)).toBeLessThanOrEqual(40)
        expect(rows.join('')).not.toContain('\u001b')
      }),
    )
  })

  it('shows a line without an end in pieces', () => {
    const stream = new MarkdownStream({ columns: () => 80, paint: named, hasColour: true })
    const rows = stream.write('word '.repeat(20_000))
    expect(rows.length).toBeGreaterThan(80_000)
    expect(stream.tail(5).length).toBeLessThanOrEqual(5)
  })

  it.each([
    ['table rows', `|a|b|\n|-|-|\n${'| one | two |\n'.repeat(20_000)}`],
    ['emphasis marks', '*a **b _c '.repeat(20_000)],
    ['brackets', '[a]('.repeat(50_000)],
    ['code lines', `\`\`\`js\n${'const a = "b" // c\n'.repeat(10_000)}`],
    ['backticks', '`'.repeat(200_000)],
  ])('shows 200 KB of %s within five seconds', (_name, text) => {
    const start = performance.now()
    const stream = new MarkdownStream({ columns: () => 80, paint: named, hasColour: true })
    for (let at = 0; at < text.length; at += 4096) {
      stream.write(text.slice(at, at + 4096))
      stream.tail(20)
    }
    stream.end()
    expect(performance.now() - start).toBeLessThan(5000)
  })
})
