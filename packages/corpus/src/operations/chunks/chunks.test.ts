import { appendFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { messageOf, sha256 } from '../../../test/support/answers.ts'
import { corpusOf, corpusWith, tree } from '../../../test/support/trees.ts'
import type { ReadManyResult, UncheckedOperation } from '../../corpus.ts'

describe('summary, chunks and read_many', () => {
  test('summary counts files, bytes, characters and lines, in total and by extension', async () => {
    const root = tree({
      'a.ts': 'é\n',
      'd/b.ts': 'x\r\ny',
      'c.md': '# t\n',
      LICENSE: 'l\n',
      '.h/x': 'h',
    })
    const result = await corpusOf(root).summary({})
    expect(result).toMatchObject({ files: 4, bytes: 13, chars: 11, lines: 5 })
    expect(result.by_extension).toEqual({
      '.ts': { files: 2, bytes: 7, chars: 5, lines: 3 },
      '.md': { files: 1, bytes: 4, chars: 4, lines: 1 },
      '': { files: 1, bytes: 2, chars: 2, lines: 1 },
    })
    const page = await corpusOf(root).summary({ max_chars: 1 })
    expect(Object.keys(page.by_extension)).toEqual(['.ts'])
    const rest = await corpusOf(root).summary({ max_chars: 999, cursor: page.next_cursor })
    expect(Object.keys(rest.by_extension)).toEqual(['.md', ''])
    const some = await corpusOf(root).summary({ glob: '**/*.ts', max_files: 1 })
    expect(some).toMatchObject({ files: 1, scan_limited: true })
  })

  test('chunks end at line ends, cover every file and match read_file', async () => {
    const lines = Array.from({ length: 50 }, (_, n) => `line ${n} ${'x'.repeat(n)}`)
    const corpus = corpusWith({
      'a.txt': `${lines.join('\r\n')}\r\n`,
      'b.txt': 'same\nsame\nsame\nsame\n',
      e: '',
    })
    const { chunks, truncated } = await corpus.chunks({ max_chars: 100 })
    expect(truncated).toBe(false)
    expect(new Set(chunks.map((chunk) => chunk.id)).size).toBe(chunks.length)
    let next = 1
    expect(chunks.every(({ chars }) => chars <= 100)).toBe(true)
    const parts = chunks.flatMap((chunk) => chunk.parts)
    for (const part of parts.filter((one) => one.path === 'a.txt')) {
      expect(part.start_line).toBe(next)
      next = part.end_line + 1
      const { path, start_line, end_line, start_char, end_char } = part
      const byLine = await corpus.read({ path, start_line, end_line, hash: true })
      expect(byLine.sha256).toBe(part.sha256)
      const byChar = await corpus.read({ path, start_char, end_char, hash: true })
      expect(byChar.sha256).toBe(part.sha256)
    }
    expect(next).toBe(51)
  })

  test('chunks split a longer line, and their ids are stable while the content is', async () => {
    const root = tree({ a: `short\n${'é'.repeat(250)}\nend\n`, b: 'ab\nab\nab\n' })
    const corpus = corpusOf(root)
    const first = await corpus.chunks({ max_chars: 100 })
    const shape = first.chunks.map(({ parts }) =>
      parts.map((one) => [one.path, one.start_line, one.end_line, one.chars]),
    )
    expect(shape).toEqual([
      [['a', 1, 1, 5]],
      [['a', 2, 2, 100]],
      [['a', 2, 2, 100]],
      [
        ['a', 2, 3, 54],
        ['b', 1, 3, 8],
      ],
    ])
    const text = await corpus.read({ path: 'a', start_char: 106, end_char: 206 })
    expect(text.text).toBe('é'.repeat(100))
    appendFileSync(path.join(root, 'b'), 'ab\n')
    const second = await corpus.chunks({ max_chars: 100 })
    expect(second.chunks.slice(0, 3)).toEqual(first.chunks.slice(0, 3))
    expect(second.chunks[3]?.id).not.toBe(first.chunks[3]?.id)
    const small = await corpus.chunks({ glob: 'b', max_chars: 2 })
    expect(new Set(small.chunks.map((one) => one.id)).size).toBe(4)
  })

  test('chunks returns pages of at most `max` chunks', async () => {
    const corpus = corpusWith({ a: 'a\nb\nc\n', b: 'd\ne\n', c: 'f\n' })
    const whole = await corpus.chunks({ max_chars: 1 })
    const pages = []
    let cursor: string | undefined
    do {
      const page = await corpus.chunks({ max_chars: 1, max: 2, cursor })
      pages.push(...page.chunks)
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect(pages).toEqual(whole.chunks)
    expect(whole.chunks.length).toBe(6)
  })

  test('a chunk of many small files ends when its list of parts fills an answer', async () => {
    const names = Array.from({ length: 300 }, (_, n) => `folder/é${n}.txt`)
    const corpus = corpusWith(Object.fromEntries(names.map((name) => [name, `${name}\n`])))
    expect((await corpus.chunks({})).chunks.length).toBe(1)
    const paths: string[] = []
    let cursor: string | undefined
    do {
      const page = await corpus.chunks({ max_answer: 9400, cursor })
      expect(JSON.stringify(page.chunks).length).toBeLessThan(9400)
      paths.push(...page.chunks.flatMap(({ parts }) => parts.map((part) => part.path)))
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect(paths).toEqual((await corpus.list({})).files)
  })

  test('read_many returns a result or an error for each read', async () => {
    const corpus = corpusWith({ a: 'a1\na2\n', b: 'b1\n' })
    const reads = [{ path: 'a', start_line: 2 }, { path: '../x' }, { path: 'b' }, 'b', {}]
    const readMany = corpus.readMany as UncheckedOperation<ReadManyResult>
    const result = await readMany({ reads })
    expect(result.results.map((one) => (one.ok ? one.result.text : one.error.message))).toEqual([
      'a2',
      'path outside root',
      'b1',
      'args must be an object',
      'missing path',
    ])
    expect(result.metrics).toMatchObject({ bytes_read: 9, files_scanned: 2, lines_returned: 2 })
    const [hashed] = (await corpus.readMany({ reads: [{ path: 'b' }], hash: true })).results
    expect(hashed).toMatchObject({ ok: true, result: { sha256: sha256('b1') } })
    expect(await messageOf(readMany({}))).toBe('missing reads')
    expect(await messageOf(readMany({ reads: 'a' }))).toBe('reads must be a list, got "a"')
    const page = await readMany({ reads, max_chars: 10 })
    expect(page.results.length).toBe(1)
    const rest = await readMany({ reads, max_chars: 100_000, cursor: page.next_cursor })
    expect(rest.results.length).toBe(4)
  })
})
