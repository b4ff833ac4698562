import type { Block, Inline } from '@zee/web/data'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { markdownBlocks } from './markdown.ts'

/** All text and all link addresses of a tree. */
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

describe('markdownBlocks', () => {
  it('parses headings, lists, tasks, tables, code, quotes and rules', () => {
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

  it('keeps inline and block HTML as text', () => {
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
  ])('creates no link to %s', (address) => {
    const tree = markdownBlocks(`[text](${address}) and <${address}>`)
    expect(contentsOf(tree).links).toEqual([])
    expect(contentsOf(tree).texts).toContain(address)
  })

  it.each(['https://example.com/a?b=c', 'http://example.com/', 'mailto:a@example.com'])(
    'creates a link to %s',
    (address) => {
      expect(contentsOf(markdownBlocks(`[text](${address})`)).links).toEqual([address])
    },
  )

  it('replaces an image by its description', () => {
    expect(inlineOf('![a cat](https://example.com/cat.png)')).toEqual([
      { type: 'text', text: 'a cat' },
    ])
  })

  it('decodes character references', () => {
    const text = 'a &lt;b&gt; &amp; &#65; &#x42; &unknown; &amp;lt;'
    expect(contentsOf(markdownBlocks(text)).texts).toBe('a <b> & A B &unknown; &lt;')
  })

  it('never throws and creates only http, https and mailto links', () => {
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

  it('survives 5000 nested quotes', () => {
    const text = `${'> '.repeat(5000)}deep`
    expect(contentsOf(markdownBlocks(text)).texts).toContain('deep')
  })
})
