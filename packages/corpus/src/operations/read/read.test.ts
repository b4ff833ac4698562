import { execFileSync } from 'node:child_process'
import { symlinkSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { messageOf, sha256 } from '../../../test/support/answers.ts'
import { corpusOf, corpusWith, tree } from '../../../test/support/trees.ts'
import type { ReadResult, UncheckedOperation } from '../../corpus.ts'

describe('read_file', () => {
  const five = 'l1\nl2\nl3\nl4\nl5\n'

  test('returns the first line by default, with the fields in their fixed order', async () => {
    const result = await corpusWith({ 'a.txt': five }).read({ path: 'a.txt' })
    expect(result).toEqual({
      path: 'a.txt',
      start_line: 1,
      end_line: 1,
      total_lines: 5,
      truncated: false,
      text: 'l1',
      metrics: { time_ms: expect.any(Number), bytes_read: 15, files_scanned: 1, lines_returned: 1 },
    })
    expect(Object.keys(result).join()).toBe(
      'path,start_line,end_line,total_lines,truncated,text,metrics',
    )
  })

  test.each([
    [{ start_line: 2, end_line: 4 }, 2, 4, 'l2\nl3\nl4', false],
    [{ start_line: 0, end_line: 2 }, 1, 2, 'l1\nl2', false],
    [{ start_line: -3 }, 1, 1, 'l1', false],
    [{ start_line: 3, end_line: 1 }, 3, 3, 'l3', false],
    [{ start_line: 4, end_line: 99 }, 4, 5, 'l4\nl5', false],
    [{ start_line: 1, end_line: 3, max_lines: 2 }, 1, 2, 'l1\nl2', true],
    [{ start_line: 4, end_line: 500 }, 4, 5, 'l4\nl5', true],
    [{ start_line: 1, end_line: 5, max_lines: 5 }, 1, 5, 'l1\nl2\nl3\nl4\nl5', false],
    [{ start_line: 9, end_line: 999 }, 9, 5, '', false],
    [{ start_line: 2, max_lines: 0 }, 2, 1, '', true],
    [{ start_line: '2', end_line: 2.9 }, 2, 2, 'l2', false],
    [{ start_line: null, end_line: null, max_lines: null }, 1, 1, 'l1', false],
  ])('returns for %j the lines %i to %i', async (range, start, end, text, truncated) => {
    const read = corpusWith({ 'a.txt': five }).read as UncheckedOperation<ReadResult>
    const result = await read({ path: 'a.txt', ...range })
    expect([result.start_line, result.end_line, result.text, result.truncated]).toEqual([
      start,
      end,
      text,
      truncated,
    ])
    expect(result.metrics.lines_returned).toBe(text === '' ? 0 : end - start + 1)
  })

  test('returns line numbers 1 and 0 for an empty file', async () => {
    const result = await corpusWith({ e: '' }).read({ path: 'e', end_line: 1000 })
    expect(result).toMatchObject({ start_line: 1, end_line: 0, total_lines: 0, text: '' })
    expect(result).toMatchObject({
      truncated: false,
      metrics: { bytes_read: 0, lines_returned: 0 },
    })
  })

  test('converts all line ends to line feeds and preserves a byte order mark', async () => {
    const corpus = corpusWith({ a: '\ufeffa\r\nb\rc\u2028d\n' })
    const result = await corpus.read({ path: 'a', end_line: 9 })
    expect(result).toMatchObject({ text: '\ufeffa\nb\nc\u2028d', total_lines: 3 })
    expect(result.metrics.bytes_read).toBe(9)
  })

  test('accepts absolute paths and returns the resolved path', async () => {
    const root = tree({ 'd/a.txt': 'x' })
    symlinkSync('d/a.txt', path.join(root, 'link'))
    const corpus = corpusOf(`${root}/`)
    expect((await corpus.read({ path: path.join(root, 'd/a.txt') })).path).toBe('d/a.txt')
    expect((await corpus.read({ path: 'link' })).path).toBe('d/a.txt')
    expect((await corpus.read({ path: './d/../d//a.txt' })).path).toBe('d/a.txt')
  })

  test('reports unreadable files with the documented messages and a relative path', async () => {
    const root = tree({ 'd/a.txt': 'x' })
    symlinkSync('loop', path.join(root, 'loop'))
    symlinkSync('/etc/passwd', path.join(root, 'out'))
    execFileSync('mkfifo', [path.join(root, 'fifo')])
    const corpus = corpusOf(root)
    const readFile = corpus.read as UncheckedOperation<ReadResult>
    const read = (path: unknown): Promise<string> => messageOf(readFile({ path }))
    expect(await read('nope')).toBe("[Errno 2] No such file or directory: 'nope'")
    expect(await read(path.join(root, 'nope'))).toBe("[Errno 2] No such file or directory: 'nope'")
    expect(await read('d')).toBe("[Errno 21] Is a directory: 'd'")
    expect(await read('loop')).toBe("[Errno 40] Too many levels of symbolic links: 'loop'")
    expect(await read('fifo')).toBe("Not a regular file: 'fifo'")
    expect(await read('out')).toBe('path outside root')
    expect(await read('../x')).toBe('path outside root')
    expect(await read('/etc/passwd')).toBe('path outside root')
    expect(await read(`${root}-sibling/x`)).toBe('path outside root')
    expect(await read('a\0b')).toBe('embedded null byte')
    expect(await read('')).toBe('missing path')
    expect(await read(undefined)).toBe('missing path')
    expect(await read(7)).toBe('path must be a string, got 7')
    expect(await read("it's")).toBe(`[Errno 2] No such file or directory: "it's"`)
    expect(await read('~')).toMatch(/^\[Errno 2\]/)
    expect(await read('%2e%2e/x')).toMatch(/^\[Errno 2\]/)
  })

  test('adds the hash of a slice on request', async () => {
    const result = await corpusWith({ a: 'x\r\ny\n' }).read({ path: 'a', end_line: 2, hash: true })
    expect(result.sha256).toBe(sha256('x\ny'))
  })

  test('slices characters like a string and counts every line end as one', async () => {
    const corpus = corpusWith({ a: 'é😀x\r\nsecond\r\nthird' })
    const result = await corpus.read({ path: 'a', start_char: 1, end_char: 8 })
    expect(result).toMatchObject({ text: '😀x\nseco', start_char: 1, end_char: 8, total_chars: 16 })
    expect(result).toMatchObject({ start_line: 1, end_line: 2, total_lines: 3, truncated: false })
    expect((await corpus.read({ path: 'a', start_char: 99 })).text).toBe('')
    expect((await corpus.read({ path: 'a', end_char: 2 })).text).toBe('é😀')
    expect((await corpus.read({ path: 'a', start_char: 4 })).text).toBe('second\nthird')
  })

  test.each(['char', 'byte'])('ends a range of %ss after max_lines lines', async (unit) => {
    const corpus = corpusWith({ a: 'é1\r\n2\r3\n\n5' })
    const read = async (args: object) => {
      const { text, truncated, next_cursor, metrics } = await corpus.read({ path: 'a', ...args })
      return { text, truncated, goesOn: next_cursor !== undefined, lines: metrics.lines_returned }
    }
    const from = { [`start_${unit}`]: 0 }
    const some = { truncated: true, goesOn: true }
    expect(await read({ ...from, max_lines: 0 })).toEqual({ text: '', lines: 0, ...some })
    expect(await read({ ...from, max_lines: 1 })).toEqual({ text: 'é1\n', lines: 1, ...some })
    expect(await read({ ...from, max_lines: 4 })).toEqual({
      text: 'é1\n2\n3\n\n',
      lines: 4,
      ...some,
    })
    const all = { text: 'é1\n2\n3\n\n5', truncated: false, goesOn: false, lines: 5 }
    expect(await read({ ...from, max_lines: 5 })).toEqual(all)
    expect(await read(from)).toEqual(all)
    let joined = ''
    for (let cursor: string | undefined = ''; cursor !== undefined;) {
      const page = await corpus.read({ path: 'a', ...from, max_lines: 2, cursor })
      joined += page.text
      cursor = page.next_cursor
    }
    expect(joined).toBe(all.text)
  })

  test('returns adjacent byte ranges that join without a gap or a split character', async () => {
    const text = 'é😀x\r\nß€y\n'
    const corpus = corpusWith({ a: text })
    const total = Buffer.byteLength(text)
    for (const step of [1, 2, 3, 5]) {
      let joined = ''
      for (let at = 0; at < total; at += step) {
        const range = { path: 'a', start_byte: at, end_byte: at + step }
        joined += (await corpus.read(range)).text
      }
      expect(joined).toBe(text.replaceAll('\r\n', '\n'))
    }
    expect(await corpus.read({ path: 'a', start_byte: 0 })).toMatchObject({ total_bytes: total })
  })

  test('rejects two kinds of range in one request', async () => {
    const corpus = corpusWith({ a: 'x' })
    const words = 'ask for a range of lines, of characters or of bytes, not for two of them'
    expect(await messageOf(corpus.read({ path: 'a', start_char: 0, end_byte: 2 }))).toBe(words)
    expect(await messageOf(corpus.read({ path: 'a', start_char: 0, end_line: 2 }))).toBe(words)
  })

  test.each([{ end_line: 6 }, { start_char: 0 }, { start_byte: 0 }])(
    'returns pages of %j by max_chars that join to the complete text',
    async (range) => {
      const text = 'one\r\ntwo é\n\nlong 😀😀😀😀 line\nfive\nsix\n'
      const corpus = corpusWith({ a: text })
      const whole = await corpus.read({ path: 'a', ...range })
      for (const max_chars of [1, 2, 3, 7, 100]) {
        let joined = ''
        let cursor: string | undefined
        do {
          const page = await corpus.read({ path: 'a', ...range, max_chars, cursor })
          expect([...page.text].length).toBeLessThanOrEqual(Math.max(2, max_chars))
          expect(page.truncated).toBe(page.next_cursor !== undefined)
          joined += page.text
          cursor = page.next_cursor
        } while (cursor !== undefined)
        expect(joined).toBe(whole.text)
      }
    },
  )

  test('returns the line numbers of each page', async () => {
    const corpus = corpusWith({ a: 'one\ntwo\nthree\n' })
    const first = await corpus.read({ path: 'a', end_line: 3, max_chars: 5 })
    expect(first).toMatchObject({ text: 'one\nt', start_line: 1, end_line: 2, truncated: true })
    const second = await corpus.read({
      path: 'a',
      end_line: 3,
      max_chars: 99,
      cursor: first.next_cursor,
    })
    expect(second).toMatchObject({
      text: 'wo\nthree',
      start_line: 2,
      end_line: 3,
      truncated: false,
    })
    const empty = await corpus.read({ path: 'a', end_line: 3, max_chars: 0 })
    expect(empty).toMatchObject({ text: '', truncated: true, metrics: { lines_returned: 0 } })
  })

  test('rejects the cursor of another request and an invalid cursor', async () => {
    const corpus = corpusWith({ a: 'one\ntwo\n', b: 'x' })
    const { next_cursor: cursor } = await corpus.read({ path: 'a', end_line: 2, max_chars: 1 })
    expect(await messageOf(corpus.read({ path: 'b', end_line: 2, cursor }))).toBe(
      'cursor belongs to another request',
    )
    expect(await messageOf(corpus.read({ path: 'a', cursor: 'zzz' }))).toMatch(/^cursor is not one/)
  })
})

describe('peek', () => {
  test('returns both ends of a file, which overlap in short files', async () => {
    const result = await corpusWith({ a: 'a\nb\nc\n' }).peek({ path: 'a' })
    expect(result).toEqual({
      path: 'a',
      total_lines: 3,
      head: { start_line: 1, end_line: 3, text: 'a\nb\nc' },
      tail: { start_line: 1, end_line: 3, text: 'a\nb\nc' },
      metrics: { time_ms: expect.any(Number), bytes_read: 6, files_scanned: 1 },
    })
  })

  test('returns distinct line numbers for empty ends and empty files', async () => {
    const corpus = corpusWith({ a: 'a\nb\nc\n', e: '' })
    const none = await corpus.peek({ path: 'a', head_lines: 0, tail_lines: 0 })
    expect(none.head).toEqual({ start_line: 1, end_line: 0, text: '' })
    expect(none.tail).toEqual({ start_line: 4, end_line: 3, text: '' })
    const empty = await corpus.peek({ path: 'e' })
    expect(empty.head).toEqual({ start_line: 0, end_line: 0, text: '' })
    expect(empty.tail).toEqual({ start_line: 0, end_line: 0, text: '' })
    const two = await corpus.peek({ path: 'a', head_lines: 1, tail_lines: 2, hash: true })
    expect(two.head).toEqual({ start_line: 1, end_line: 1, text: 'a', sha256: sha256('a') })
    expect(two.tail).toEqual({ start_line: 2, end_line: 3, text: 'b\nc', sha256: sha256('b\nc') })
    expect(await messageOf(corpus.peek({ path: 'a', head_lines: -1 }))).toMatch(
      /head_lines must be 0/,
    )
  })

  test('returns pages of the head, then of the tail', async () => {
    const corpus = corpusWith({ a: 'a1\nb2\nc3\nd4\ne5\n' })
    const request = { path: 'a', head_lines: 2, tail_lines: 2, max_chars: 4 }
    let head = ''
    let tail = ''
    let cursor: string | undefined
    do {
      const page = await corpus.peek({ ...request, cursor })
      head += page.head.text
      tail += page.tail.text
      cursor = page.next_cursor
    } while (cursor !== undefined)
    expect([head, tail]).toEqual(['a1\nb2', 'd4\ne5'])
  })
})
