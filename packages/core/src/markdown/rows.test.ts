// The rows of Markdown, by exact values and at every bound.
import { describe, expect, it } from 'vitest'
import type { Colours } from '../cli/colour.ts'
import { coloursFor } from '../cli/colour.ts'
import { CodeBlock, openingFence } from './code-block.ts'
import { MarkdownStream } from './markdown.ts'

const names = [
  'bold',
  'dim',
  'italic',
  'underline',
  'red',
  'green',
  'yellow',
  'blue',
  'magenta',
  'cyan',
]
const named = Object.fromEntries(
  names.map((name) => [name, (text: string) => `<${name}>${text}</>`]),
) as unknown as Colours
const plain = coloursFor({}, {})

function open(columns = 60, hasColour = true): MarkdownStream {
  return new MarkdownStream({ columns: () => columns, paint: hasColour ? named : plain, hasColour })
}

function rows(text: string, columns = 60, hasColour = true): string[] {
  const stream = open(columns, hasColour)
  return (stream.write(text) + stream.end()).split('\n').slice(0, -1)
}

const rule = `<dim>${'─'.repeat(40)}</>`

describe('a line', () => {
  it.each<[string, string[]]>([
    ['# H #', ['<bold>H</>']],
    ['###### Six ##', ['<bold>Six</>']],
    ['####### x', ['####### x']],
    ['#x', ['#x']],
    ['---', [rule]],
    ['* * *', [rule]],
    ['   ___', [rule]],
    ['--', ['--']],
    ['    ***', ['    ***']],
    ['> a', ['<dim>│</> a']],
    ['>b *c*', ['<dim>│</> b <italic>c</>']],
    ['>', ['<dim>│</>']],
    ['    > d', ['    > d']],
    ['- a', ['<yellow>•</> a']],
    ['+ a', ['<yellow>•</> a']],
    ['* **a**', ['<yellow>•</> <bold>a</>']],
    ['-   wide', ['<yellow>•</>   wide']],
    ['  10) x', ['  <yellow>10)</> x']],
    ['123456789. x', ['<yellow>123456789.</> x']],
    ['1234567890. x', ['1234567890. x']],
    ['-a', ['-a']],
    ['12.x', ['12.x']],
    ['~~s~~', ['~~s~~']],
    ['\\*x\\*', ['*x*']],
    ['**a *b* c**', ['<bold>a <italic>b</> c</>']],
    ['*a `b`*', ['<italic>a <cyan>b</></>']],
    ['[x](y "t")', ['x (<underline>y</>)']],
    ['[**b**](u)', ['<bold>b</> (<underline>u</>)']],
    ['[x]', ['[x]']],
    ['<http://a.b>', ['<underline><http://a.b></>']],
    ['http://a.b/c', ['<underline>http://a.b/c</>']],
    ['![i](u)', ['![i](u)']],
    ['&amp; x *y*', ['&amp; x <italic>y</>']],
    ['``a`b``', ['<cyan>a`b</>']],
    ['  indented *x*', ['  indented <italic>x</>']],
    ['\ttab *x*', ['\ttab <italic>x</>']],
    ['', []],
    ['  ', []],
    ['a\r', ['a']],
  ])('%j is shown as %j', (line, expected) => {
    expect(rows(line)).toEqual(expected)
  })

  it.each<[string, string[]]>([
    ['# H #', ['# H #']],
    ['> a', ['│ a']],
    ['- **a**', ['• **a**']],
    ['[x](y)', ['[x](y)']],
    ['---', ['─'.repeat(40)]],
    ['```js\nconst a\n```', ['  const a']],
  ])('%j is shown without colour as %j', (line, expected) => {
    expect(rows(line, 60, false)).toEqual(expected)
  })

  it.each([
    [41, '─'.repeat(40)],
    [40, '─'.repeat(39)],
    [22, '─'.repeat(21)],
    [21, '─'.repeat(20)],
    [20, '─'.repeat(20)],
    [1, '─'.repeat(20)],
  ])('that divides has in %i columns %s', (columns, expected) => {
    expect(rows('---', columns, false)).toEqual([expected])
  })

  it('of text is at most 120 columns wide, of code as wide as the terminal', () => {
    const x = (count: number) => 'x'.repeat(count)
    expect(rows(`${x(118)} y`, 200)).toEqual([`${x(118)} y`])
    expect(rows(`${x(119)} y`, 200)).toEqual([x(119), 'y'])
    const stream = open(200)
    stream.write(`\`\`\`\n${x(195)} y`)
    expect(stream.tail(9)).toEqual([`  ${x(195)} y`])
    stream.write('z')
    expect(stream.tail(9)).toEqual([`  ${x(195)}`, 'yz'])
  })

  it('continues under its indent, quote mark, list item or heading', () => {
    expect(rows('  one two three four five six', 21, false)).toEqual([
      '  one two three four',
      '  five six',
    ])
    expect(rows('> one two three four five six', 21, false)).toEqual([
      '│ one two three four',
      '│ five six',
    ])
    expect(rows('  12. one two three four', 21, false)).toEqual([
      '  12. one two three',
      '      four',
    ])
    expect(rows('# one two three four five', 21, false)).toEqual(['# one two three four', 'five'])
  })
})

describe('blank lines', () => {
  it.each<[string, string[]]>([
    ['\n\na\n\n\n\nb\n\n', ['a', '', 'b', '']],
    ['a\n \n\t\nb', ['a', '', 'b']],
    ['a\n\n```\nx\n```\n\n\nb', ['a', '', '  <cyan>x</>', '', 'b']],
    ['```\nx\n```\n\nb', ['  <cyan>x</>', '', 'b']],
    ['\n```\n\n\n```', ['  <cyan></>', '  <cyan></>']],
    ['a | b\n\n\nc', ['a | b', '', 'c']],
  ])('in %j: %j', (text, expected) => {
    expect(rows(text)).toEqual(expected)
  })

  it('at the start of a new text are dropped again', () => {
    const stream = open()
    expect(stream.write('a\n') + stream.end()).toBe('a\n')
    expect(stream.write('\nb\n') + stream.end()).toBe('b\n')
    expect(stream.write('```\nx\n') + stream.end()).toBe('  <cyan>x</>\n')
    expect(stream.write('\n*b*\n') + stream.end()).toBe('<italic>b</>\n')
  })
})

describe('a text that arrives in pieces', () => {
  it('is empty until it has a line or a table', () => {
    const stream = open()
    expect(stream.isEmpty()).toBe(true)
    stream.write('a')
    expect(stream.isEmpty()).toBe(false)
    stream.write('\n')
    expect(stream.isEmpty()).toBe(true)
    stream.write('a | b\n')
    expect(stream.isEmpty()).toBe(false)
    stream.end()
    expect(stream.isEmpty()).toBe(true)
  })

  it('shows the unfinished line as its tail', () => {
    const stream = open(21)
    stream.write('one two three four five six')
    expect(stream.tail(9)).toEqual(['one two three four', 'five six'])
    expect(stream.tail(1)).toEqual(['five six'])
    stream.write('\n```js')
    expect(stream.tail(9)).toEqual([])
    stream.write('\n*x*')
    expect(stream.tail(9)).toEqual(['  *x*'])
  })

  it('shows one line that may start a table, then the drawn table and its unfinished row', () => {
    const stream = open(60, false)
    stream.write('a | b\n')
    expect(stream.tail(9)).toEqual(['a | b'])
    stream.write('-|-\n')
    expect(stream.tail(9)).toEqual(['┌───┬───┐', '│ a │ b │', '├───┼───┤', '└───┴───┘'])
    stream.write('1|')
    expect(stream.tail(2)).toEqual(['└───┴───┘', '1|'])
  })

  it('shows a table of more than 30 lines in its raw form', () => {
    const stream = open(60, false)
    stream.write(`|a|\n|-|\n${'|1|\n'.repeat(28)}`)
    expect(stream.tail(99)).toHaveLength(32)
    expect(stream.tail(1)).toEqual(['└───┘'])
    stream.write('|2|\n')
    expect(stream.tail(99)).toEqual(['|-|', ...Array.from({ length: 28 }, () => '|1|'), '|2|'])
  })

  it('draws a table at its line 500', () => {
    const stream = open(60, false)
    expect(stream.write(`|a|\n|-|\n${'|1|\n'.repeat(497)}`)).toBe('')
    expect(stream.write('|2|\n').split('\n')).toHaveLength(503)
    expect(stream.isEmpty()).toBe(true)
    expect(stream.write('|3|\nx\n')).toBe('|3|\nx\n')
  })

  it('shows a line above 4096 characters in pieces, cut at a space in its second half', () => {
    const x = (count: number) => 'x'.repeat(count)
    const shown = (text: string) => open(60, false).write(text).replaceAll('\n', '').length
    expect([shown(x(4096)), shown(x(4097))]).toEqual([0, 4096])
    expect(shown(`${x(2048)} ${x(2048)}`)).toBe(4096 - 1)
    expect(shown(`${x(2049)} ${x(2047)}`)).toBe(2049)
    expect(shown(`${x(4096)} ${x(2047)}`)).toBe(4096)
    const stream = open(60, false)
    stream.write(`${x(4096)}   y`)
    expect(stream.tail(1)).toEqual(['y'])
  })

  it('shows a line of code above 65,536 characters in pieces', () => {
    const shown = (count: number) => open().write(`\`\`\`\n${'x'.repeat(count)}`)
    expect(shown(65_536)).toBe('')
    expect(shown(65_537)).toBe(`  <cyan>${'x'.repeat(65_536)}</>\n`)
    const stream = open(60)
    stream.write(`\`\`\`\n${'x'.repeat(5000)}`)
    expect(stream.tail(999).join('').trim()).toBe('x'.repeat(4096))
  })
})

describe('a code block', () => {
  it.each([
    ['```', { indent: '', mark: '```', language: '' }],
    ['  ~~~~ JS x', { indent: '  ', mark: '~~~~', language: 'js' }],
    ['```ts {1,2}', { indent: '', mark: '```', language: 'ts' }],
    ['``', undefined],
    ['~~', undefined],
    ['x ```', undefined],
    ['``` a ` b', undefined],
  ])('opens with %j: %j', (line, fence) => {
    expect(openingFence(line)).toEqual(fence)
  })

  it.each([
    ['```', false],
    [' ````  ', false],
    ['``', true],
    ['```x', true],
    ['~~~', true],
    ['', true],
  ])('after ``` goes on after %j: %s', (line, goesOn) => {
    const block = new CodeBlock(
      { mark: '```', indent: '', language: '' },
      { paint: named, hasColour: true },
    )
    expect(block.add(line)).toBe(goesOn)
    expect(block.takeRows()).toEqual(goesOn ? [`  <cyan>${line}</>`] : [])
    expect(block.takeRows()).toEqual([])
  })

  it('removes the indent of its fence, or all of a smaller one', () => {
    const block = new CodeBlock(
      { mark: '~~~', indent: '   ', language: '' },
      { paint: named, hasColour: false },
    )
    for (const line of ['     a', '  b', 'c', '\td']) block.add(line)
    expect(block.takeRows()).toEqual(['  a', 'b', 'c', 'd'].map((line) => `  <cyan>${line}</>`))
  })

  it('is coloured with up to 40 lines before the new ones', () => {
    const colourAfter = (count: number) => {
      const fence = { mark: '```', indent: '', language: 'c' }
      const block = new CodeBlock(fence, { paint: named, hasColour: true })
      block.add('/*')
      for (let line = 1; line < count; line++) block.add('x')
      block.takeRows()
      block.add('int y')
      return block.takeRows()
    }
    expect(colourAfter(40)).toEqual(['  <dim>int y</>'])
    expect(colourAfter(41)).toEqual(['  <cyan>int</> y'])
  })

  it('is not coloured with a line above 2000 characters', () => {
    const shown = (length: number) => {
      const fence = { mark: '```', indent: '', language: 'c' }
      const block = new CodeBlock(fence, { paint: named, hasColour: true })
      block.add(`int ${'x'.repeat(length - 4)}`)
      return block.takeRows()
    }
    expect(shown(2000)).toEqual([`  <cyan>int</> ${'x'.repeat(1996)}`])
    expect(shown(2001)).toEqual([`  <cyan>int ${'x'.repeat(1997)}</>`])
  })
})
