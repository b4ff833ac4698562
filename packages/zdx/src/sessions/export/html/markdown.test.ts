import type { Block, Inline } from '@zee/web/data'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markdownBlocks } from './markdown.ts'

/** All text of a tree, and all addresses. */
function contentsOf(tree: unknown): { texts: string; links: string[] } {
  const links: string[] = []
  let texts = ''
  JSON.stringify(tree, (key, value: unknown) => {
    if (key === 'text' && typeof value === 'string') texts += value
    if (key === 'href' && typeof value === 'string') links.push(value)
    return value
  })
  return { texts, links }
}

function inlineOf(text: string): Inline[] {
  const [block] = markdownBlocks(text) as [Extract<Block, { type: 'paragraph' }>]
  return block.inline
}

describe('Markdown as a tree', () => {
  it('knows headings, lists, tasks, tables, code, quotes and rules', () => {
    const text =
      '# H\n\n- a\n- [x] b\n\n1. c\n\n|a|b|\n|-|-:|\n|1|2|\n\n```ts\nx\n```\n\n> q\n\n---'
    expect(markdownBlocks(text).map(({ type }) => type)).toEqual([
      'heading',
      'list',
      'list',
      'table',
      'code',
      'quote',
      'rule',
    ])
    expect(markdownBlocks(text)[1]).toMatchObject({ items: [{}, { checked: true }] })
  })

  it('takes HTML as text, in a line and as a block', () => {
    for (const html of ['a <b onclick="x()">b</b> c', '<script>alert(1)</script>', '<!-- x -->']) {
      expect(contentsOf(markdownBlocks(html)).texts).toBe(html)
    }
  })

  it.each([
    'javascript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'vbscript:x',
    '/relative',
    '//host',
  ])('makes no link to %s', (address) => {
    const tree = markdownBlocks(`[text](${address}) and <${address}>`)
    expect(contentsOf(tree).links).toEqual([])
    expect(contentsOf(tree).texts).toContain(address)
  })

  it.each(['https://example.com/a?b=c', 'http://example.com/', 'mailto:a@example.com'])(
    'links to %s',
    (address) => {
      expect(contentsOf(markdownBlocks(`[text](${address})`)).links).toEqual([address])
    },
  )

  it('shows the description of an image and fetches nothing', () => {
    expect(inlineOf('![a cat](https://example.com/cat.png)')).toEqual([
      { type: 'text', text: 'a cat' },
    ])
  })

  it('reads character references as the characters they stand for', () => {
    const text = 'a &lt;b&gt; &amp; &#65; &#x42; &unknown; &amp;lt;'
    expect(contentsOf(markdownBlocks(text)).texts).toBe('a <b> & A B &unknown; &lt;')
  })

  it('survives everything, and only ever links to the web or a mailbox', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        '[',
        '](',
        ')',
        '<',
        '>',
        '`',
        '*',
        '|',
        '\n',
        '> ',
        '- ',
        'javascript:',
        '&#106;',
        '![',
      ),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const { links } = contentsOf(markdownBlocks(pieces.join('')))
        for (const link of links) expect(link).toMatch(/^(https?|mailto):/)
      }),
    )
  })

  it('is not undone by what nests without end', () => {
    const text = `${'> '.repeat(5000)}deep`
    expect(contentsOf(markdownBlocks(text)).texts).toContain('deep')
  })
})
