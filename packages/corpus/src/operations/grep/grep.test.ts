import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { foundBy, messageOf } from '../../../test/support/answers.ts'
import { corpusOf, corpusWith, tree } from '../../../test/support/trees.ts'
import type { GrepResult, LineHit, UncheckedOperation } from '../../corpus.ts'
import { literalFinder } from '../../finder/finder.ts'
import { createNeedle } from '../../finder/needle.ts'

describe('grep by text', () => {
  test('returns one hit per matching line in path and line order, with keys in a fixed order', async () => {
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

  test('is case-sensitive by default, and otherwise compares lower case without full case folding', async () => {
    const corpus = corpusWith({ a: 'Straße\nSTRASSE\nÉCOLE\nK\nDİŞ\nΟΔΟΣ\n' })
    const lines = async (pattern: string): Promise<number[]> =>
      (await corpus.grep({ pattern, case_sensitive: false })).hits.map(
        (hit) => (hit as LineHit).line,
      )
    expect(await foundBy(corpus, { pattern: 'école' })).toEqual([])
    expect(await lines('école')).toEqual([3])
    expect(await lines('STRASSE')).toEqual([2])
    expect(await lines('straße')).toEqual([1])
    expect(await lines('k')).toEqual([4])
    expect(await lines('dİş')).toEqual([5])
    expect(await lines('οδος')).toEqual([6])
    expect(await lines('ΟΔΟΣ')).toEqual([6])
  })

  test('treats LF, CRLF and CR as line ends and excludes them from the text of a hit', async () => {
    const corpus = corpusWith({ a: 'one\r\ntwo x\rthree x\n\nx four\u2028x' })
    expect(await foundBy(corpus, { pattern: 'x' })).toEqual([
      'a:2:two x',
      'a:3:three x',
      'a:5:x four\u2028x',
    ])
    expect(await foundBy(corpus, { pattern: 'one\r' })).toEqual([])
    expect(await foundBy(corpus, { pattern: 'one\ntwo' })).toEqual([])
  })

  test('finds invalid UTF-8 by its replacement character', async () => {
    const bytes = Buffer.concat([
      Buffer.from('a\0b needle '),
      Buffer.from([0xff, 0xfe]),
      Buffer.from(' x\n'),
    ])
    const corpus = corpusWith({ bin: bytes })
    expect(await foundBy(corpus, { pattern: 'needle' })).toEqual([
      'bin:1:a\0b needle \ufffd\ufffd x',
    ])
    expect(await foundBy(corpus, { pattern: '\ufffd x' })).toEqual([
      'bin:1:a\0b needle \ufffd\ufffd x',
    ])
    expect(await foundBy(corpus, { pattern: '\udcff' })).toEqual([])
  })

  test('finds the same lines as a search of each decoded line', () => {
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

  test('finds a needle at the same offset as Buffer.indexOf', () => {
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

  test('names a missing or invalid argument in its error', async () => {
    const grep = corpusWith({ a: 'x' }).grep as UncheckedOperation<GrepResult>
    expect(await messageOf(grep({}))).toBe('missing pattern')
    expect(await messageOf(grep({ pattern: '' }))).toBe('missing pattern')
    expect(await messageOf(grep({ pattern: 5 }))).toBe('pattern must be a string, got 5')
    expect(await messageOf(grep({ pattern: 'x', regex: 'true' }))).toMatch(/^regex must be true/)
    expect(await messageOf(grep({ pattern: 'x', context: -1 }))).toMatch(/^context must be 0/)
    expect(await messageOf(grep({ pattern: 'x', mode: 'z' }))).toMatch(/^mode must be one of/)
  })
})

describe('grep in large files', () => {
  test('searches them in parts with the answers of a complete search', async () => {
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
