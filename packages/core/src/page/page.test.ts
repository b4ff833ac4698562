import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillPage, pageJson, contentSecurityPolicy, pageUpdate, escapeJsonBytes } from './page.ts'

const viewer =
  `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; connect-src 'none'">` +
  '<title>@@zee:title@@</title><script type="application/json" id="zee-data">@@zee:data@@</script>' +
  '<script>code</script>@@zee:parts@@</body>'

/** Texts that contain HTML or JSON syntax or our placeholders. */
const texts = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '</script>',
    '<!--',
    '\u2028',
    '\u2029',
    '@@zee:data@@',
    '@@zee:parts@@',
    '$&',
    ']]>',
  ),
)

describe('data in a page', () => {
  it('round-trips and contains no HTML syntax', () => {
    fc.assert(
      fc.property(fc.jsonValue(), texts, (value, text) => {
        const json = pageJson({ value, text })
        expect(json).not.toMatch(/[<\u2028\u2029]/)
        expect(JSON.parse(json)).toEqual(JSON.parse(JSON.stringify({ value, text })))
      }),
    )
  })

  it('is also escaped when it comes as bytes', () => {
    fc.assert(
      fc.property(texts, texts, (one, two) => {
        const bytes = Buffer.from(JSON.stringify([one, two]))
        const safe = escapeJsonBytes(bytes).toString()
        expect(safe).not.toMatch(/[<\u2028\u2029]/)
        expect(JSON.parse(safe)).toEqual(JSON.parse(bytes.toString()))
      }),
    )
  })
})

describe('a page', () => {
  it('contains its title, data and parts in their elements for any texts', () => {
    fc.assert(
      fc.property(texts, texts, texts, (title, text, part) => {
        const page = { title, json: pageJson({ text }), parts: [pageJson([part])] }
        const html = fillPage(viewer, page).toString()
        const [, data = ''] = /id="zee-data">([^<]*)<\/script>/.exec(html) ?? []
        const [, first = ''] = /id="zee-part-0">([^<]*)<\/script>/.exec(html) ?? []
        expect(JSON.parse(data)).toEqual(JSON.parse(JSON.stringify({ text })))
        expect(JSON.parse(first)).toEqual(JSON.parse(JSON.stringify([part])))
        expect(html.match(/<script/g)).toHaveLength(3)
        expect(/<title>([^<]*)<\/title>/.exec(html)).not.toBeNull()
      }),
    )
  })

  it('may not connect as a file, and may connect to its own server when served', () => {
    const page = { title: 't', json: '{}' }
    expect(contentSecurityPolicy(fillPage(viewer, page))).toBe(
      "default-src 'none'; connect-src 'none'; frame-ancestors 'none'",
    )
    expect(contentSecurityPolicy(fillPage(viewer, page, { isLive: true }))).toContain(
      "connect-src 'self'",
    )
  })

  it('is updated by one JSON document', () => {
    const page = { title: 't', json: '{"a":1}', parts: ['[1]', Buffer.from('[2]')] }
    expect(JSON.parse(pageUpdate(page).toString())).toEqual({
      page: { a: 1 },
      parts: [[1], [2]],
    })
    expect(JSON.parse(pageUpdate({ title: 't', json: '0' }).toString())).toEqual({
      page: 0,
      parts: [],
    })
  })

  it('cannot be made from a file without placeholders', () => {
    expect(() => fillPage('<html>', { title: '', json: '{}' })).toThrow('build it again')
  })
})

describe('the whole page', () => {
  const page = { title: '<a & b>', json: '{"x":1}', parts: ['[1]', Buffer.from('[2]')] }

  it('has its title, data and parts in their places', () => {
    expect(fillPage(viewer, page).toString()).toBe(
      `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; connect-src 'none'">` +
        '<title>&lt;a &amp; b&gt;</title>' +
        '<script type="application/json" id="zee-data">{"x":1}</script><script>code</script>' +
        '<script type="application/json" id="zee-part-0">[1]</script>\n' +
        '<script type="application/json" id="zee-part-1">[2]</script>\n</body>',
    )
  })

  it('may connect to its server only if it is live', () => {
    const policyOf = (isLive?: boolean) =>
      contentSecurityPolicy(fillPage(viewer, page, isLive === undefined ? {} : { isLive }))
    const policy = "default-src 'none'; connect-src 'none'; frame-ancestors 'none'"
    expect([policyOf(), policyOf(false), policyOf(true)]).toEqual([
      policy,
      policy,
      policy.replace("connect-src 'none'", "connect-src 'self'"),
    ])
  })

  it('has a strict policy if the viewer states none in its first 2048 bytes', () => {
    const tag = '<meta http-equiv="Content-Security-Policy" content="x">'
    const none = "default-src 'none'; frame-ancestors 'none'"
    const policyAfter = (length: number) =>
      contentSecurityPolicy(Buffer.from(`${' '.repeat(length)}${tag}`))
    expect(contentSecurityPolicy(Buffer.from(''))).toBe(none)
    expect(policyAfter(0)).toBe("x; frame-ancestors 'none'")
    // The pattern needs all but the last character of the tag.
    expect(policyAfter(2048 - tag.length + 1)).toBe("x; frame-ancestors 'none'")
    expect(policyAfter(2048 - tag.length + 2)).toBe(none)
  })

  it('is updated by one text', () => {
    expect(pageUpdate(page).toString()).toBe('{"page":{"x":1},"parts":[[1],[2]]}')
    expect(pageUpdate({ title: '', json: '0' }).toString()).toBe('{"page":0,"parts":[]}')
  })

  it.each(['title', 'data', 'parts'])('needs the placeholder of its %s', (name) => {
    const damaged = viewer.replace(`@@zee:${name}@@`, '')
    expect(() => fillPage(damaged, page)).toThrow(
      new Error(`the viewer has no @@zee:${name}@@: build it again`),
    )
  })

  it('may start with its title', () => {
    const html = fillPage('@@zee:title@@@@zee:data@@@@zee:parts@@', { title: 'T', json: '1' })
    expect(html.toString()).toBe('T1')
  })
})

describe('escaped JSON', () => {
  it.each([
    ['a', 'a'],
    ['<', '\\u003c'],
    ['<<a<', '\\u003c\\u003ca\\u003c'],
    ['a\u2028b\u2029', 'a\\u2028b\\u2029'],
    ['\u2027\u202a>', '\u2027\u202a>'],
  ])('of %j is %j', (text, expected) => {
    expect(pageJson(text)).toBe(`"${expected}"`)
    expect(escapeJsonBytes(Buffer.from(text)).toString()).toBe(expected)
  })

  it('is the same buffer if there is nothing to escape', () => {
    const bytes = Buffer.from('plain')
    expect(escapeJsonBytes(bytes)).toBe(bytes)
  })
})
