// grep: literal and regex search, the regex dialect, caps, context and deadlines.
import { symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Json, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

let box: Sandbox
let client: Client
beforeAll(() => {
  box = createSandbox({
    'a.txt': 'alpha\nbeta alpha\ngamma\nALPHA\n',
    'b/c.py': 'def alpha():\n    return "beta"\n',
    'b/d.md': '# Alpha\r\ntext\rmore alpha\n',
    'eight.txt': '1 x\n2 x\n3\n4\n5\n6 x\n7\n8\n',
    'uni.txt':
      'STRASSE\nstra\u00dfe\n\u0130stanbul\n\u00c9t\u00e9\nna\u00efve caf\u00e9\n\u{1f600}end\n\u0661\u0662\u0663\n',
    'nul.bin': Buffer.from('x\u0000needle\u0000y\nz\n'),
    '.hidden/h.txt': 'alpha\n',
    'node_modules/n.js': 'alpha\n',
  })
  client = box.server()
})
afterAll(() => box.remove())

const grep = (pattern: string, args: Json = {}) => client.ok('grep', { pattern, ...args })
const places = async (pattern: string, args: Json = {}) =>
  ((await grep(pattern, args)).hits as Json[]).map(
    ({ path, line }) => `${path as string}:${line as number}`,
  )

describe('literal grep', () => {
  it('returns each matching line once, in path and line order', async () => {
    const result = await grep('alpha')
    expect(result.hits).toEqual([
      { path: 'a.txt', line: 1, text: 'alpha' },
      { path: 'a.txt', line: 2, text: 'beta alpha' },
      { path: 'b/c.py', line: 1, text: 'def alpha():' },
      { path: 'b/d.md', line: 3, text: 'more alpha' },
    ])
    expect(result).toMatchObject({ truncated: false, metrics: { hits: 4, files_scanned: 6 } })
  })

  it('treats regex characters as text and never matches across lines', async () => {
    expect(await places('a.pha')).toEqual([])
    expect(await places('alpha()')).toEqual(['b/c.py:1'])
    expect(await places('alpha\nbeta')).toEqual([])
    expect(await places('# Alpha\r')).toEqual([])
  })

  it('lower-cases pattern and text without case folding if case_sensitive is false', async () => {
    const args = { case_sensitive: false }
    expect(await places('aLpHa', args)).toHaveLength(6)
    expect(await places('\u00c9T\u00c9', args)).toEqual(['uni.txt:4'])
    expect(await places('stra\u00dfe', args)).toEqual(['uni.txt:2'])
    expect(await places('strasse', args)).toEqual(['uni.txt:1'])
    expect(await places('i\u0307stanbul', args)).toEqual(['uni.txt:3'])
  })

  it('searches files with NUL bytes, and hidden files only with include_hidden', async () => {
    expect(await places('needle')).toEqual(['nul.bin:1'])
    expect(await places('alpha', { include_hidden: true })).toContain('.hidden/h.txt:1')
    expect(await places('alpha', { include_hidden: true })).not.toContain('node_modules/n.js:1')
  })

  it('reports links to files under the name of the link', async () => {
    const other = createSandbox({ 'real.txt': 'word\n' })
    symlinkSync('real.txt', path.join(other.root, 'also.txt'))
    const { hits } = await other.server().ok('grep', { pattern: 'word' })
    expect(hits).toMatchObject([{ path: 'also.txt' }, { path: 'real.txt' }])
    await other.remove()
  })
})

describe('grep file selection', () => {
  it.each([
    [['a.txt'], ['a.txt:1', 'a.txt:2']],
    [['b/*'], ['b/c.py:1', 'b/d.md:3']],
    [['**/*.{py,md}'], ['b/c.py:1', 'b/d.md:3']],
    [['b'], ['b/c.py:1', 'b/d.md:3']],
    [['b/'], ['b/c.py:1', 'b/d.md:3']],
    [['./a.txt'], []],
    [['nope'], []],
    [['[a].txt'], ['a.txt:1', 'a.txt:2']],
  ])('with paths %j searches the matching files', async (paths, found) => {
    expect(await places('alpha', { paths })).toEqual(found)
  })

  it('skips and counts files above max_bytes and searches files of exactly that size', async () => {
    const size = Buffer.byteLength('alpha\nbeta alpha\ngamma\nALPHA\n')
    const same = await grep('alpha', { paths: ['a.txt'], max_bytes: size })
    expect(same.hits).toHaveLength(2)
    const less = await grep('alpha', { paths: ['a.txt'], max_bytes: size - 1 })
    expect(less).toMatchObject({ hits: [], skipped_large: 1, metrics: { files_scanned: 1 } })
  })
})

describe('grep caps', () => {
  it('set truncated when max_hits is reached, even without further hits', async () => {
    expect(await grep('alpha', { max_hits: 4 })).toMatchObject({ truncated: true })
    expect(await grep('alpha', { max_hits: 5 })).toMatchObject({ truncated: false })
    const one = await grep('alpha', { max_hits: 1 })
    expect(one).toMatchObject({ truncated: true, metrics: { hits: 1, files_scanned: 1 } })
    expect(one.hits).toHaveLength(1)
  })

  it('limit an answer to 200 hits by default', async () => {
    const other = createSandbox({ 'many.txt': 'hit\n'.repeat(500) })
    const there = other.server()
    expect((await there.ok('grep', { pattern: 'hit' })).hits).toHaveLength(200)
    expect((await there.ok('grep', { pattern: 'hit', max_hits: 1000 })).hits).toHaveLength(500)
    await other.remove()
  })

  it('cut very long lines around the match and set text_truncated', async () => {
    const other = createSandbox({
      'min.js': `${'a'.repeat(1_000_000)}NEEDLE${'b'.repeat(900_000)}\nshort NEEDLE\n`,
    })
    const { hits } = await other.server().ok('grep', { pattern: 'NEEDLE', context: 1 })
    const [long, short] = hits as Json[]
    expect(long).toMatchObject({ line: 1, text_truncated: true, column: 1_000_001 })
    expect(String(long?.text)).toContain('NEEDLE')
    expect(JSON.stringify(hits).length).toBeLessThan(20_000)
    expect(short).toMatchObject({ line: 2, text: 'short NEEDLE' })
    expect(short).not.toHaveProperty('text_truncated')
    await other.remove()
  })
})

describe('grep context', () => {
  const around = async (context: number, pattern = 'x') =>
    (
      (await grep(pattern, { paths: ['eight.txt'], context })).hits as {
        context: { line: number }[]
      }[]
    ).map((hit) => hit.context.map(({ line }) => line))

  it('includes the hit line, stops at the file ends and repeats lines of close hits', async () => {
    expect(await around(1)).toEqual([
      [1, 2],
      [1, 2, 3],
      [5, 6, 7],
    ])
    expect(await around(2)).toEqual([
      [1, 2, 3],
      [1, 2, 3, 4],
      [4, 5, 6, 7, 8],
    ])
    expect(await around(100)).toEqual(Array.from({ length: 3 }, () => [1, 2, 3, 4, 5, 6, 7, 8]))
  })

  it('consists of line and text, and is absent for context 0', async () => {
    const { hits } = await grep('3', { paths: ['eight.txt'], context: 1 })
    expect(hits).toEqual([
      {
        path: 'eight.txt',
        line: 3,
        text: '3',
        context: [
          { line: 2, text: '2 x' },
          { line: 3, text: '3' },
          { line: 4, text: '4' },
        ],
      },
    ])
    expect((await grep('3', { paths: ['eight.txt'] })).hits).toEqual([
      { path: 'eight.txt', line: 3, text: '3' },
    ])
  })
})

describe('grep with regex', () => {
  const found = async (pattern: string, text: string): Promise<boolean> => {
    writeFileSync(path.join(box.root, 'subject.tmp'), text)
    return (await places(pattern, { regex: true, paths: ['subject.tmp'] })).length > 0
  }

  it.each([
    ['^alpha$', 'alpha\n', true],
    ['^beta', 'alpha\nbeta\n', true],
    ['a$', 'a\r\nb\n', true],
    ['(?i)ALPHA', 'alpha', true],
    ['(?P<n>a)(?P=n)', 'aa', true],
    ['(?P<n>a)(?P=n)', 'ab', false],
    ['\\Aab', 'ab', true],
    ['\\Ab', 'ab', false],
    ['b\\Z', 'ab', true],
    ['a(?=b)', 'ab', true],
    ['a(?!b)', 'ab', false],
    ['(?<=a)b', 'ab', true],
    ['(?<!a)b', 'ab', false],
    ['(a)\\1', 'aa', true],
    ['a++a', 'aaa', false],
    ['(?>a+)a', 'aaa', false],
    ['a+a', 'aaa', true],
    ['^.$', '\u{1f600}', true],
    ['\\bcaf\u00e9\\b', 'na\u00efve caf\u00e9 au', true],
    ['\\bve\\b', 'na\u00efve', false],
    ['^\\w+$', '\u00e9t\u00e9', true],
    ['^\\d+$', '\u0661\u0662\u0663', true],
    ['a\\sb', 'a\u00a0b', true],
    ['\\-\\_\\"\\\'\\#\\ \\@\\%', '-_"\'# @%', true],
    ['[\\-\\_]', '_', true],
    ['[[]', '[', true],
    ['[]]', ']', true],
    ['a{,2}b', 'aab', true],
    ['x{', 'x{', true],
    ['\\x41\\u0042', 'AB', true],
    ['(?x) a  b # comment', 'ab', true],
    ['(?s).', 'x', true],
    ['(?#note)a', 'a', true],
    ['(?:a|b)c', 'bc', true],
    ['\\.', 'x', false],
    ['[^a]', 'a', false],
  ])('%s in %j matches: %s', async (pattern, text, matches) => {
    expect(await found(pattern, text)).toBe(matches)
  })

  it('ignores case if case_sensitive is false', async () => {
    expect(await places('^ALPHA$', { regex: true, case_sensitive: false })).toEqual([
      'a.txt:1',
      'a.txt:4',
    ])
  })

  it.each([
    ['(', 'missing ), unterminated subpattern at position 0'],
    ['a)', 'unbalanced parenthesis at position 1'],
    ['[a', 'unterminated character set at position 0'],
    ['*a', 'nothing to repeat at position 0'],
    ['a**', 'multiple repeat at position 2'],
    ['(?P=x)', "unknown group name 'x' at position 4"],
  ])('rejects %s with the message %s', async (pattern, message) => {
    expect(await client.fails('grep', { pattern, regex: true })).toBe(message)
  })

  it('stops a catastrophic pattern at the deadline and answers the next request', async () => {
    const other = createSandbox({ 'evil.txt': `${'a'.repeat(50)}!\n`, 'ok.txt': 'fine\n' })
    const there = other.server()
    const began = Date.now()
    const pattern = '(?=((a+)+)$)x|(a|aa)+\\3$'
    there.send('grep', { pattern, regex: true, deadline_ms: 500 })
    there.send('grep', { pattern: 'fine' })
    expect(await there.next()).toMatchObject({ ok: true, result: { partial: true } })
    expect((await there.next()).result.hits).toHaveLength(1)
    expect(Date.now() - began).toBeLessThan(9000)
    const message = await there.fails('grep', { pattern, regex: true })
    expect(message).toMatch(/^regex timed out after \d+ ms$/)
    expect((await there.ok('grep', { pattern: 'fine' })).hits).toHaveLength(1)
    await other.remove()
  }, 60_000)
})

describe('grep modes and deadlines', () => {
  it('mode count returns lines per file and mode files only names', async () => {
    const count = await grep('alpha', { mode: 'count' })
    expect(count.hits).toEqual([
      { path: 'a.txt', count: 2 },
      { path: 'b/c.py', count: 1 },
      { path: 'b/d.md', count: 1 },
    ])
    expect(count.count).toBe(4)
    const { hits } = await grep('alpha', { mode: 'files' })
    expect(hits).toEqual([{ path: 'a.txt' }, { path: 'b/c.py' }, { path: 'b/d.md' }])
    expect(await client.fails('grep', { pattern: 'x', mode: 'both' })).toContain('mode')
  })

  it('deadline_ms returns the hits found so far with partial: true', async () => {
    const result = await grep('alpha', { deadline_ms: 0 })
    expect(result).toMatchObject({ partial: true, truncated: false })
    expect(await grep('alpha', { deadline_ms: 60_000 })).not.toHaveProperty('partial')
  })
})
