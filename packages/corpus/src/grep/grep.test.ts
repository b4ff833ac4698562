import { execFileSync } from 'node:child_process'
import { linkSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { corpusOf, corpusWith, put, tree } from '../../test/support/trees.ts'
import type { Corpus, LineHit } from '../index.ts'
import { literalFinder } from './literal.ts'
import { createNeedle } from './needle.ts'

const message = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    return (error as Error).message
  }
  return 'no error'
}

/** Hits as `path:line:text`. */
async function found(corpus: Corpus, args: object): Promise<string[]> {
  const { hits } = await corpus.grep(args)
  return hits.map((hit) => ('line' in hit ? `${hit.path}:${hit.line}:${hit.text}` : hit.path))
}

describe('grep by text', () => {
  test('gives one hit per matching line in path and line order, with keys in their order', async () => {
    const corpus = corpusWith({
      'b.txt': 'x\nneedle needle\n',
      'a/c.txt': 'needle',
      'a.txt': 'no\nneedle\n',
    })
    const result = await corpus.grep({ pattern: 'needle' })
    expect(result).toEqual({
      hits: [
        { path: 'a.txt', line: 2, text: 'needle' },
        { path: 'a/c.txt', line: 1, text: 'needle' },
        { path: 'b.txt', line: 2, text: 'needle needle' },
      ],
      truncated: false,
      metrics: { time_ms: expect.any(Number), bytes_read: 32, files_scanned: 3, hits: 3 },
    })
    expect(Object.keys(result).join()).toBe('hits,truncated,metrics')
    expect(Object.keys(result.metrics).join()).toBe('time_ms,bytes_read,files_scanned,hits')
  })

  test('is case-sensitive unless told otherwise, and folds nothing beyond lower case', async () => {
    const corpus = corpusWith({ a: 'Straße\nSTRASSE\nÉCOLE\nK\nDİŞ\nΟΔΟΣ\n' })
    const lines = async (pattern: string): Promise<number[]> =>
      (await corpus.grep({ pattern, case_sensitive: false })).hits.map(
        (hit) => (hit as LineHit).line,
      )
    expect(await found(corpus, { pattern: 'école' })).toEqual([])
    expect(await lines('école')).toEqual([3])
    expect(await lines('STRASSE')).toEqual([2])
    expect(await lines('straße')).toEqual([1])
    expect(await lines('k')).toEqual([4])
    expect(await lines('dİş')).toEqual([5])
    expect(await lines('οδος')).toEqual([6])
    expect(await lines('ΟΔΟΣ')).toEqual([6])
  })

  test('line ends of all kinds separate lines and are in no text', async () => {
    const corpus = corpusWith({ a: 'one\r\ntwo x\rthree x\n\nx four\u2028x' })
    expect(await found(corpus, { pattern: 'x' })).toEqual([
      'a:2:two x',
      'a:3:three x',
      'a:5:x four\u2028x',
    ])
    expect(await found(corpus, { pattern: 'one\r' })).toEqual([])
    expect(await found(corpus, { pattern: 'one\ntwo' })).toEqual([])
  })

  test('bytes that are no text are found by their replacement and never disturb', async () => {
    const bytes = Buffer.concat([
      Buffer.from('a\0b needle '),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(' x\n'),
    ])
    const corpus = corpusWith({ bin: bytes })
    expect(await found(corpus, { pattern: 'needle' })).toEqual(['bin:1:a\0b needle \ufffd\ufffd x'])
    expect(await found(corpus, { pattern: '\ufffd x' })).toEqual([
      'bin:1:a\0b needle \ufffd\ufffd x',
    ])
    expect(await found(corpus, { pattern: '\udcff' })).toEqual([])
  })

  test('agrees with a search line by line', () => {
    const piece = fc.constantFrom(
      'a',
      'B',
      'b',
      'é',
      'É',
      '\n',
      '\r\n',
      '\r',
      '😀',
      'K',
      'İ',
      'ab',
      ' ',
    )
    const text = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(''))
    const needle = fc.array(fc.constantFrom('a', 'b', 'B', 'é', 'k', '😀', 'i'), {
      minLength: 1,
      maxLength: 3,
    })
    fc.assert(
      fc.property(text, needle, fc.boolean(), (content, parts, sensitive) => {
        const pattern = parts.join('')
        const lines = content.split(/\r\n|\r|\n/)
        if (lines.at(-1) === '') lines.pop()
        const lower = (one: string): string => (sensitive ? one : one.toLowerCase())
        const expected = lines.flatMap((line, n) =>
          lower(line).includes(lower(pattern)) ? [n + 1] : [],
        )
        const bytes = Buffer.from(content)
        const hits = literalFinder(pattern, sensitive)(bytes, Infinity)
        expect(hits.map((hit) => hit.line)).toEqual(expected)
        for (const hit of hits) {
          expect(bytes.toString('utf8', hit.start, hit.end)).toBe(lines[hit.line - 1])
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('a needle is found wherever it is', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'Q', '_'), maxLength: 60 })
    const word = fc.string({
      unit: fc.constantFrom('a', 'b', 'Q', '_'),
      minLength: 1,
      maxLength: 14,
    })
    fc.assert(
      fc.property(text, word, fc.nat(20), (content, pattern, from) => {
        const bytes = Buffer.from(content)
        const expected = bytes.indexOf(pattern, from)
        expect(createNeedle(Buffer.from(pattern)).find(bytes, from)).toBe(expected)
      }),
      { numRuns: 3000 },
    )
  })

  test('a missing or wrong argument is named', async () => {
    const corpus = corpusWith({ a: 'x' })
    expect(await message(corpus.grep({}))).toBe('missing pattern')
    expect(await message(corpus.grep({ pattern: '' }))).toBe('missing pattern')
    expect(await message(corpus.grep({ pattern: 5 }))).toBe('pattern must be a string, got 5')
    expect(await message(corpus.grep({ pattern: 'x', regex: 'true' }))).toMatch(
      /^regex must be true/,
    )
    expect(await message(corpus.grep({ pattern: 'x', context: -1 }))).toMatch(/^context must be 0/)
    expect(await message(corpus.grep({ pattern: 'x', mode: 'z' }))).toMatch(/^mode must be one of/)
  })
})

describe('what grep looks into', () => {
  test('paths are globs, exact paths or folders; one string is one entry', async () => {
    const corpus = corpusWith({ 'src/a.py': 'x', 'src/b.ts': 'x', 'top.py': 'x', 'lib/c.py': 'x' })
    expect(await found(corpus, { pattern: 'x', paths: 'src/*.py' })).toEqual(['src/a.py:1:x'])
    expect(await found(corpus, { pattern: 'x', paths: ['top.py', 'lib'] })).toEqual([
      'lib/c.py:1:x',
      'top.py:1:x',
    ])
    expect((await found(corpus, { pattern: 'x', paths: ['**/*.py'] })).length).toBe(3)
    expect(await found(corpus, { pattern: 'x', paths: ['nothing'] })).toEqual([])
    expect((await found(corpus, { pattern: 'x', exclude_globs: '*.ts' })).length).toBe(3)
  })

  test('paths are applied before max_files, and the cap is told', async () => {
    const corpus = corpusWith({ 'a.txt': 'x', 'b.txt': 'x', 'z.txt': 'x' })
    const exact = await corpus.grep({ pattern: 'x', paths: ['z.txt'], max_files: 1 })
    expect(exact.hits.length).toBe(1)
    expect(exact.scan_limited).toBeUndefined()
    const capped = await corpus.grep({ pattern: 'x', max_files: 2 })
    expect(capped).toMatchObject({ truncated: false, scan_limited: true })
    expect(capped.hits.map((hit) => hit.path)).toEqual(['a.txt', 'b.txt'])
    expect(capped.metrics.files_scanned).toBe(2)
  })

  test('files larger than max_bytes are skipped and counted; equal ones are searched', async () => {
    const corpus = corpusWith({ a: 'x234\n', b: 'x2345\n', c: 'x' })
    const result = await corpus.grep({ pattern: 'x', max_bytes: 5 })
    expect(result.hits.map((hit) => hit.path)).toEqual(['a', 'c'])
    expect(result).toMatchObject({ skipped_large: 1, metrics: { files_scanned: 3, bytes_read: 6 } })
  })

  test('links inside are searched under their own name; the rest is passed over', async () => {
    const root = tree({ 'd/a.txt': 'needle\n' })
    symlinkSync('d/a.txt', path.join(root, 'link.txt'))
    symlinkSync('d', path.join(root, 'folder-link'))
    symlinkSync('/etc/passwd', path.join(root, 'outside'))
    symlinkSync('nowhere', path.join(root, 'dangling'))
    symlinkSync('loop', path.join(root, 'loop'))
    execFileSync('mkfifo', [path.join(root, 'fifo')])
    symlinkSync('fifo', path.join(root, 'fifo-link'))
    const corpus = corpusOf(root)
    expect(await found(corpus, { pattern: 'needle' })).toEqual([
      'd/a.txt:1:needle',
      'link.txt:1:needle',
    ])
    expect(await found(corpus, { pattern: 'root:' })).toEqual([])
    expect((await corpus.grep({ pattern: 'zzz' })).metrics.files_scanned).toBe(7)
  })

  test('omitted files are neither searched nor listed, by any name', async () => {
    const root = tree({ 'x.txt': 'needle', 'logs/trace.jsonl': 'needle' })
    symlinkSync('logs/trace.jsonl', path.join(root, 'alias'))
    symlinkSync('../alias', path.join(root, 'logs/alias-of-alias'))
    linkSync(path.join(root, 'logs/trace.jsonl'), path.join(root, 'twin'))
    symlinkSync('twin', path.join(root, 'twin-alias'))
    const corpus = corpusOf(root, { omit: [path.join(root, 'logs/trace.jsonl')] })
    expect(await found(corpus, { pattern: 'needle' })).toEqual(['x.txt:1:needle'])
    expect((await corpus.list()).files).toEqual(['x.txt'])
    expect((await corpus.read({ path: 'logs/trace.jsonl' })).text).toBe('needle')
  })
})

describe('limits and context', () => {
  test('truncated as soon as max_hits is reached, also when there is no more', async () => {
    const corpus = corpusWith({ a: 'x\nx\n', b: 'x\n', c: 'x\n' })
    expect(await corpus.grep({ pattern: 'x', max_hits: 4 })).toMatchObject({ truncated: true })
    expect(await corpus.grep({ pattern: 'x', max_hits: 5 })).toMatchObject({ truncated: false })
    const two = await corpus.grep({ pattern: 'x', max_hits: 2 })
    expect(two).toMatchObject({ truncated: true, metrics: { hits: 2, files_scanned: 1 } })
    const none = await corpus.grep({ pattern: 'x', max_hits: 0 })
    expect(none).toMatchObject({ hits: [], truncated: true, metrics: { files_scanned: 0 } })
  })

  test('context holds the hit line and up to N lines before and after', async () => {
    const corpus = corpusWith({ a: 'x1\nx2\nl3\nl4\nl5\n' })
    const { hits } = await corpus.grep({ pattern: 'x', context: 2 })
    const lines = hits.map((hit) => (hit as LineHit).context?.map(({ line }) => line))
    expect(lines).toEqual([
      [1, 2, 3],
      [1, 2, 3, 4],
    ])
    expect(Object.keys(hits[0] as LineHit).join()).toBe('path,line,text,context')
    expect((hits[0] as LineHit).context?.[0]).toEqual({ line: 1, text: 'x1' })
  })

  test('context works over all line ends', async () => {
    const corpus = corpusWith({ a: 'a\rb\r\nneedle\n\nc\r\n' })
    const { hits } = await corpus.grep({ pattern: 'needle', context: 9 })
    expect((hits[0] as LineHit).context).toEqual(
      ['a', 'b', 'needle', '', 'c'].map((text, index) => ({ line: index + 1, text })),
    )
  })

  test('a long line is cut around the match and marked with columns', async () => {
    const long = `${'é'.repeat(5000)}needle${'z'.repeat(5000)}`
    const corpus = corpusWith({ a: `${long}\nshort needle\n` })
    for (const extra of [{}, { case_sensitive: false }, { regex: true }]) {
      const { hits } = await corpus.grep({ pattern: 'needle', ...extra, context: 1, hash: true })
      const [first, second] = hits as LineHit[]
      expect(first).toMatchObject({ text_truncated: true, column: 5001, text_column: 4751 })
      expect([...(first?.text ?? '')].length).toBe(1000)
      expect(first?.text).toContain('needle')
      expect(first?.context?.[0]).toMatchObject({
        line: 1,
        text: 'é'.repeat(1000),
        text_truncated: true,
      })
      expect(second).toMatchObject({ text: 'short needle' })
      expect(second).not.toHaveProperty('column')
      expect(first?.sha256).toMatch(/^sha256:[0-9a-f]{64}$/)
    }
    const wide = await corpus.grep({ pattern: 'needle', max_line_chars: 20_000 })
    expect((wide.hits[0] as LineHit).text).toBe(long)
  })

  test('modes count and files give one entry per file', async () => {
    const corpus = corpusWith({ a: 'x\nx x\ny\n', b: 'y\n', c: 'x' })
    const count = await corpus.grep({ pattern: 'x', mode: 'count' })
    expect(count).toMatchObject({
      hits: [
        { path: 'a', count: 2 },
        { path: 'c', count: 1 },
      ],
      count: 3,
    })
    expect(count.metrics.hits).toBe(2)
    expect(await corpus.grep({ pattern: 'x', mode: 'count', max_hits: 0 })).toMatchObject({
      hits: [],
      count: 3,
      truncated: true,
      metrics: { files_scanned: 3 },
    })
    const files = await corpus.grep({ pattern: 'x', mode: 'files' })
    expect(files.hits).toEqual([{ path: 'a' }, { path: 'c' }])
    expect(await corpus.grep({ pattern: 'x', mode: 'files', max_hits: 1 })).toMatchObject({
      hits: [{ path: 'a' }],
      truncated: true,
    })
    const regex = await corpus.grep({ pattern: '(x|y)*x', regex: true, mode: 'count' })
    expect(regex).toMatchObject({
      hits: [
        { path: 'a', count: 2 },
        { path: 'c', count: 1 },
      ],
      count: 3,
    })
  })

  test('a deadline gives what was found, marked as partial', async () => {
    const corpus = corpusWith({ a: 'x' })
    expect(await corpus.grep({ pattern: 'x', deadline_ms: 0 })).toMatchObject({
      hits: [],
      partial: true,
    })
    expect(await corpus.list({ deadline_ms: 0 })).toMatchObject({ partial: true })
    expect(await corpus.summary({ deadline_ms: 0 })).toMatchObject({ partial: true })
    const whole = await corpus.grep({ pattern: 'x', deadline_ms: 60_000 })
    expect(whole.partial).toBeUndefined()
  })

  test.each([{}, { mode: 'count' }, { mode: 'files' }, { regex: true }, { context: 1 }])(
    'pages of grep %j join to the whole answer',
    async (extra) => {
      const files = Object.fromEntries(
        Array.from({ length: 9 }, (_, n) => [
          `d${n % 3}/f${n}`,
          'needle 1\nno\nneedle 2\n'.repeat(n % 4),
        ]),
      )
      const corpus = corpusWith(files)
      const request = { pattern: 'needle', max_hits: 13, ...extra }
      const whole = await corpus.grep(request)
      for (const max_chars of [1, 60, 130, 100_000]) {
        const hits = []
        let cursor: string | undefined
        do {
          const page = await corpus.grep({ ...request, max_chars, cursor })
          hits.push(...page.hits)
          cursor = page.next_cursor
          if (cursor !== undefined) expect(page.truncated).toBe(true)
        } while (cursor !== undefined)
        expect(hits).toEqual(whole.hits)
      }
    },
  )
})

describe('grep by pattern', () => {
  test('searches each line for itself', async () => {
    const corpus = corpusWith({ a: 'def one():\r\n  pass\nclass Two(Base):\n', b: 'DEF x' })
    expect(await found(corpus, { pattern: '^(def|class)\\s+\\w+', regex: true })).toEqual([
      'a:1:def one():',
      'a:3:class Two(Base):',
    ])
    expect(await found(corpus, { pattern: '^def', regex: true, case_sensitive: false })).toEqual([
      'a:1:def one():',
      'b:1:DEF x',
    ])
    expect(await found(corpus, { pattern: '\\):$', regex: true })).toEqual([
      'a:1:def one():',
      'a:3:class Two(Base):',
    ])
  })

  test('finds the same in the worker as here', async () => {
    const content = Array.from(
      { length: 3000 },
      (_, n) => `line ${n} é ${n % 7 === 0 ? 'foo12' : ''}`,
    )
    const corpus = corpusWith({
      'a.txt': content.join('\n'),
      'b.txt': content.join('\r\n'),
      'c.txt': 'x',
    })
    const here = await corpus.grep({ pattern: 'foo12', max_hits: 5000 })
    const there = await corpus.grep({ pattern: '.*foo\\d+\\b', regex: true, max_hits: 5000 })
    expect(there.hits).toEqual(here.hits)
    expect({ ...there.metrics, time_ms: 0 }).toEqual({ ...here.metrics, time_ms: 0 })
    const capped = await corpus.grep({ pattern: '.*foo\\d+\\b', regex: true, max_hits: 3 })
    expect(capped.hits).toEqual(here.hits.slice(0, 3))
    expect(capped.metrics.files_scanned).toBe(1)
  })

  test('what is no pattern is refused in words', async () => {
    const corpus = corpusWith({ a: 'x' })
    expect(await message(corpus.grep({ pattern: '(', regex: true }))).toBe(
      'missing ), unterminated subpattern at position 0',
    )
    expect(await message(corpus.list({ regex: '[' }))).toBe(
      'unterminated character set at position 0',
    )
    expect((await corpus.list({ regex: '[', glob: '*' })).files).toEqual(['a'])
  })

  test('a hopeless pattern times out, and the next request works', async () => {
    const corpus = corpusOf(tree({ a: `${'a'.repeat(80)}!\n` }), { regexMs: 300 })
    expect(await message(corpus.grep({ pattern: '(?=(a+)+$)a', regex: true }))).toBe(
      'regex timed out after 300 ms',
    )
    expect(await found(corpus, { pattern: 'a+!', regex: true })).toHaveLength(1)
    put(corpus.root, { [`${'a'.repeat(80)}!`]: '' })
    expect(await message(corpus.list({ regex: '(a+)+$' }))).toBe('regex timed out after 300 ms')
    const partial = await corpus.grep({ pattern: '(?=(a+)+$)a', regex: true, deadline_ms: 200 })
    expect(partial).toMatchObject({ hits: [], partial: true })
    expect((await corpus.list({ regex: '(a+)+$', deadline_ms: 200 })).partial).toBe(true)
  })

  test('a pattern that looks hopeless and is regular takes one pass', async () => {
    const corpus = corpusOf(tree({ a: `${'a'.repeat(5000)}!\nb aaa\n` }), { regexMs: 5000 })
    expect(await found(corpus, { pattern: '(a+)+$', regex: true })).toHaveLength(1)
    expect(await found(corpus, { pattern: '(?i)(A|a|aa)+$', regex: true })).toHaveLength(1)
    expect(await found(corpus, { pattern: '(a{1,30}){1,30}!x', regex: true })).toEqual([])
  })

  test('timers run while a pattern does', async () => {
    const corpus = corpusOf(tree({ a: `${'a'.repeat(80)}!\n` }), { regexMs: 400 })
    const running = message(corpus.grep({ pattern: '(?=(a|a)*$)a', regex: true }))
    let ticks = 0
    const timer = setInterval(() => ticks++, 10)
    expect(await running).toBe('regex timed out after 400 ms')
    clearInterval(timer)
    expect(ticks).toBeGreaterThan(5)
  })
})

describe('large files', () => {
  test('are searched in parts with the same answers', async () => {
    const root = tree()
    const line = (n: number): string =>
      `line ${n} ${'x'.repeat(90)} é${n % 50_000 === 49_999 ? ' needle' : ''}`
    const text = Array.from({ length: 200_000 }, (_, n) => line(n)).join('\r\n')
    writeFileSync(path.join(root, 'big.log'), text)
    const corpus = corpusOf(root)
    const request = { max_bytes: 1e9, context: 1 }
    const plain = await corpus.grep({ pattern: 'needle', ...request })
    expect(plain.hits.map((hit) => (hit as LineHit).line)).toEqual([
      50_000, 100_000, 150_000, 200_000,
    ])
    expect((plain.hits[1] as LineHit).context?.map((one) => one.line)).toEqual([
      99_999, 100_000, 100_001,
    ])
    const regex = await corpus.grep({ pattern: '.*needle', regex: true, ...request })
    expect(regex.hits).toEqual(plain.hits)
    const lower = await corpus.grep({ pattern: 'NEEDLE', case_sensitive: false, ...request })
    expect(lower.hits).toEqual(plain.hits)
    const count = await corpus.grep({ pattern: 'x', mode: 'count', ...request })
    expect(count.count).toBe(200_000)
    expect(count.metrics.bytes_read).toBe([...text.replaceAll('\r\n', '\n')].length)
    const skipped = await corpus.grep({ pattern: 'needle' })
    expect(skipped).toMatchObject({ hits: [], skipped_large: 1, metrics: { files_scanned: 1 } })
    const some = await corpus.grep({ pattern: 'needle', ...request, max_hits: 2 })
    expect(some.hits).toEqual(plain.hits.slice(0, 2))
  })
})
