import { execFileSync } from 'node:child_process'
import { linkSync, symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { foundBy } from '../../test/support/answers.ts'
import { corpusOf, corpusWith, tree } from '../../test/support/trees.ts'
import type { GrepArgs, LineHit } from '../corpus.ts'

describe('grep and its selection of files', () => {
  test('returns no hits and truncated with max_files 0', async () => {
    const corpus = corpusWith({ 'a.txt': 'needle' })
    const result = await corpus.grep({ pattern: 'needle', max_files: 0 })
    expect(result).toMatchObject({ hits: [], truncated: true })
  })

  test('accepts globs, exact paths and folders as paths, and one string as one entry', async () => {
    const corpus = corpusWith({ 'src/a.py': 'x', 'src/b.ts': 'x', 'top.py': 'x', 'lib/c.py': 'x' })
    expect(await foundBy(corpus, { pattern: 'x', paths: 'src/*.py' })).toEqual(['src/a.py:1:x'])
    expect(await foundBy(corpus, { pattern: 'x', paths: ['top.py', 'lib'] })).toEqual([
      'lib/c.py:1:x',
      'top.py:1:x',
    ])
    expect((await foundBy(corpus, { pattern: 'x', paths: ['**/*.py'] })).length).toBe(3)
    expect(await foundBy(corpus, { pattern: 'x', paths: ['nothing'] })).toEqual([])
    expect((await foundBy(corpus, { pattern: 'x', exclude_globs: '*.ts' })).length).toBe(3)
  })

  test('applies paths before max_files, and reports scan_limited if files are left', async () => {
    const corpus = corpusWith({ 'a.txt': 'x', 'b.txt': 'x', 'z.txt': 'x' })
    const exact = await corpus.grep({ pattern: 'x', paths: ['z.txt'], max_files: 1 })
    expect(exact.hits.length).toBe(1)
    expect(exact.scan_limited).toBeUndefined()
    const capped = await corpus.grep({ pattern: 'x', max_files: 2 })
    expect(capped).toMatchObject({ truncated: false, scan_limited: true })
    expect(capped.hits.map((hit) => hit.path)).toEqual(['a.txt', 'b.txt'])
    expect(capped.metrics.files_scanned).toBe(2)
  })

  test('skips and counts files larger than max_bytes, and searches files of that size', async () => {
    const corpus = corpusWith({ a: 'x234\n', b: 'x2345\n', c: 'x' })
    const result = await corpus.grep({ pattern: 'x', max_bytes: 5 })
    expect(result.hits.map((hit) => hit.path)).toEqual(['a', 'c'])
    expect(result).toMatchObject({ skipped_large: 1, metrics: { files_scanned: 3, bytes_read: 6 } })
  })

  test('searches links to files inside the root under their own name, and skips other links', async () => {
    const root = tree({ 'd/a.txt': 'needle\n' })
    symlinkSync('d/a.txt', path.join(root, 'link.txt'))
    symlinkSync('d', path.join(root, 'folder-link'))
    symlinkSync('/etc/passwd', path.join(root, 'outside'))
    symlinkSync('nowhere', path.join(root, 'dangling'))
    symlinkSync('loop', path.join(root, 'loop'))
    execFileSync('mkfifo', [path.join(root, 'fifo')])
    symlinkSync('fifo', path.join(root, 'fifo-link'))
    const corpus = corpusOf(root)
    expect(await foundBy(corpus, { pattern: 'needle' })).toEqual([
      'd/a.txt:1:needle',
      'link.txt:1:needle',
    ])
    expect(await foundBy(corpus, { pattern: 'root:' })).toEqual([])
    expect((await corpus.grep({ pattern: 'zzz' })).metrics.files_scanned).toBe(7)
  })

  test('neither searches nor lists omitted files under any of their names', async () => {
    const root = tree({ 'x.txt': 'needle', 'logs/trace.jsonl': 'needle' })
    symlinkSync('logs/trace.jsonl', path.join(root, 'alias'))
    symlinkSync('../alias', path.join(root, 'logs/alias-of-alias'))
    linkSync(path.join(root, 'logs/trace.jsonl'), path.join(root, 'twin'))
    symlinkSync('twin', path.join(root, 'twin-alias'))
    const corpus = corpusOf(root, { omit: [path.join(root, 'logs/trace.jsonl')] })
    expect(await foundBy(corpus, { pattern: 'needle' })).toEqual(['x.txt:1:needle'])
    expect((await corpus.list()).files).toEqual(['x.txt'])
    expect((await corpus.read({ path: 'logs/trace.jsonl' })).text).toBe('needle')
  })
})

describe('grep and its limits', () => {
  test('reports truncated as soon as max_hits is reached, even if no hit is left out', async () => {
    const corpus = corpusWith({ a: 'x\nx\n', b: 'x\n', c: 'x\n' })
    expect(await corpus.grep({ pattern: 'x', max_hits: 4 })).toMatchObject({ truncated: true })
    expect(await corpus.grep({ pattern: 'x', max_hits: 5 })).toMatchObject({ truncated: false })
    const two = await corpus.grep({ pattern: 'x', max_hits: 2 })
    expect(two).toMatchObject({ truncated: true, metrics: { hits: 2, files_scanned: 1 } })
    const none = await corpus.grep({ pattern: 'x', max_hits: 0 })
    expect(none).toMatchObject({ hits: [], truncated: true, metrics: { files_scanned: 0 } })
  })

  test('returns a context of the hit line and up to N lines before and after', async () => {
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

  test('returns the same context for LF, CRLF and CR', async () => {
    const corpus = corpusWith({ a: 'a\rb\r\nneedle\n\nc\r\n' })
    const { hits } = await corpus.grep({ pattern: 'needle', context: 9 })
    expect((hits[0] as LineHit).context).toEqual(
      ['a', 'b', 'needle', '', 'c'].map((text, index) => ({ line: index + 1, text })),
    )
  })

  test('cuts a long line around the match and adds the columns', async () => {
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
    // A larger value is reduced to 2,000.
    expect([...(wide.hits[0] as LineHit).text].length).toBe(2000)
  })

  test('returns one entry per file in the modes count and files', async () => {
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

  test('returns the hits found before the deadline, marked as partial', async () => {
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

  test.each<Partial<GrepArgs>>([
    {},
    { mode: 'count' },
    { mode: 'files' },
    { regex: true },
    { context: 1 },
  ])('returns pages for %j that join to the complete answer', async (extra) => {
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
  })
})
