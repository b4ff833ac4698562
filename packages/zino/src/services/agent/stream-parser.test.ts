import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Segment } from './stream-parser.ts'
import { StreamParser } from './stream-parser.ts'

function parse(...pieces: string[]): Segment[] {
  const parser = new StreamParser()
  return merged([...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()])
}

/** Merges adjacent text segments: text may be split anywhere. */
function merged(segments: Segment[]): Segment[] {
  const out: Segment[] = []
  for (const segment of segments) {
    const last = out.at(-1)
    if (segment.kind === 'text' && last?.kind === 'text') last.text += segment.text
    else out.push({ ...segment })
  }
  return out
}

const text = (value: string): Segment => ({ kind: 'text', text: value })
const tool = (content: string): Segment => ({ kind: 'block', tag: 'tool_call', content })
const task = (content: string): Segment => ({ kind: 'block', tag: 'task', content })

describe('the stream parser', () => {
  it.each([
    'a < b',
    '<b>bold</b>',
    '<tool_calls>x</tool_calls>',
    '<Task>x</Task>',
    '< task>x',
    '<task >x',
    '<task name="a">x',
    '</tool_call>',
    'x</task>y',
    '<<<',
  ])('leaves %j as text', (input) => {
    expect(parse(input)).toEqual([text(input)])
    expect(parse(...input)).toEqual([text(input)])
  })

  it.each<[string, Segment[]]>([
    ['<tool_call>a</tool_call>', [tool('a')]],
    ['x<task>\n{}\n</task>y', [text('x'), task('\n{}\n'), text('y')]],
    ['<task>1</task><tool_call>2</tool_call>', [task('1'), tool('2')]],
    ['<<tool_call>a</tool_call>', [text('<'), tool('a')]],
    ['<t<task>a</task>', [text('<t'), task('a')]],
    ['<tool_<tool_call>a</tool_call>', [text('<tool_'), tool('a')]],
    ['<task><tool_call>a</tool_call></task>', [task('<tool_call>a</tool_call>')]],
    ['<tool_call><task>a</task></tool_call>', [tool('<task>a</task>')]],
    ['<task>a<task>b</task>c</task>', [task('a<task>b'), text('c</task>')]],
    ['<tool_call></tool_call>', [tool('')]],
    ['<tool_call></tool_call</tool_call>', [tool('</tool_call')]],
  ])('parses %j, in one piece and by single characters', (input, segments) => {
    expect(parse(input)).toEqual(segments)
    expect(parse(...input)).toEqual(segments)
  })

  it.each(['<', '<tool_cal', 'abc<tas', '<tool_call>', '<task>{"skill"', '<task>a</tas'])(
    'returns %j as text when the stream ends there',
    (input) => {
      expect(parse(input)).toEqual([text(input)])
      expect(parse(...input)).toEqual([text(input)])
    },
  )

  it('never delays text that cannot become a tag', () => {
    const parser = new StreamParser()
    expect(parser.push('hello <b')).toEqual([text('hello <b')])
    expect(parser.push('x < y <tas')).toEqual([text('x < y ')])
    expect(parser.push('ty')).toEqual([text('<tasty')])
  })

  it('gives the same result however the text is cut', () => {
    const part = fc.constantFrom(
      ...['<', '>', '</', 't', 'tool_call', 'task', '<task>', '</task>', 'a', ' ', '😀'],
      ...['<tool_call>', '</tool_call>', '{"x":1}', '\n', '<tool_', '<ta', '</tool_cal'],
    )
    const input = fc.array(part, { maxLength: 30 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(input, fc.array(fc.nat(), { maxLength: 30 }), (whole, cuts) => {
        const at = [0, ...cuts.map((cut) => cut % (whole.length + 1)), whole.length]
        at.sort((a, b) => a - b)
        const pieces = at.slice(1).map((end, i) => whole.slice(at[i], end))
        expect(parse(...pieces)).toEqual(parse(whole))
        const back = parse(...pieces).map((segment) =>
          segment.kind === 'text'
            ? segment.text
            : `<${segment.tag}>${segment.content}</${segment.tag}>`,
        )
        expect(back.join('')).toBe(whole)
      }),
      { numRuns: 500 },
    )
  })

  it.each([1, 7, 4096])(
    'parses a block of 1 MB in pieces of %d characters in linear time',
    (size) => {
      const content = '<'.repeat(500_000) + 'x'.repeat(500_000)
      const parser = new StreamParser()
      const input = `<tool_call>${content}</tool_call>`
      const segments: Segment[] = []
      const began = process.cpuUsage()
      for (let at = 0; at < input.length; at += size) {
        segments.push(...parser.push(input.slice(at, at + size)))
      }
      // Rescanning the block with every piece takes about 30 s.
      expect(process.cpuUsage(began).user / 1000).toBeLessThan(5000)
      expect(segments).toEqual([tool(content)])
    },
  )

  it('parses 1 MB of opening brackets in linear time', () => {
    const parser = new StreamParser()
    const began = process.cpuUsage()
    const segments = [...parser.push('<tool_'.repeat(170_000)), ...parser.end()]
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(3000)
    expect(merged(segments)).toEqual([text('<tool_'.repeat(170_000))])
  })
})
