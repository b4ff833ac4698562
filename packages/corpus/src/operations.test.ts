import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { createHash } from 'node:crypto'
import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { corpusOf, corpusWith, tree } from '../test/support/trees.ts'
import { openCorpus } from './index.ts'

const message = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    return (error as Error).message
  }
  return 'no error'
}

const sha = (text: string): string => `sha256:${createHash('sha256').update(text).digest('hex')}`

describe('read_file', () => {
  const five = 'l1\nl2\nl3\nl4\nl5\n'

  test('gives the first line when nothing else is asked for, with the keys in their order', async () => {
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
  ])('%j gives lines %i to %i', async (range, start, end, text, truncated) => {
    const result = await corpusWith({ 'a.txt': five }).read({ path: 'a.txt', ...range })
    expect([result.start_line, result.end_line, result.text, result.truncated]).toEqual([
      start,
      end,
      text,
      truncated,
    ])
    expect(result.metrics.lines_returned).toBe(text === '' ? 0 : end - start + 1)
  })

  test('an empty file has line numbers 1 and 0', async () => {
    const result = await corpusWith({ e: '' }).read({ path: 'e', end_line: 1000 })
    expect(result).toMatchObject({ start_line: 1, end_line: 0, total_lines: 0, text: '' })
    expect(result).toMatchObject({
      truncated: false,
      metrics: { bytes_read: 0, lines_returned: 0 },
    })
  })

  test('line ends of all kinds are line feeds in the answer, and a byte order mark stays', async () => {
    const corpus = corpusWith({ a: '\ufeffa\r\nb\rc\u2028d\n' })
    const result = await corpus.read({ path: 'a', end_line: 9 })
    expect(result).toMatchObject({ text: '\ufeffa\nb\nc\u2028d', total_lines: 3 })
    expect(result.metrics.bytes_read).toBe(9)
  })

  test('paths may be absolute; the answer has the resolved path', async () => {
    const root = tree({ 'd/a.txt': 'x' })
    symlinkSync('d/a.txt', path.join(root, 'link'))
    const corpus = corpusOf(`${root}/`)
    expect((await corpus.read({ path: path.join(root, 'd/a.txt') })).path).toBe('d/a.txt')
    expect((await corpus.read({ path: 'link' })).path).toBe('d/a.txt')
    expect((await corpus.read({ path: './d/../d//a.txt' })).path).toBe('d/a.txt')
  })

  test('what cannot be read is refused in known words with a relative path', async () => {
    const root = tree({ 'd/a.txt': 'x' })
    symlinkSync('loop', path.join(root, 'loop'))
    symlinkSync('/etc/passwd', path.join(root, 'out'))
    execFileSync('mkfifo', [path.join(root, 'fifo')])
    const corpus = corpusOf(root)
    const read = (asked: unknown): Promise<string> => message(corpus.read({ path: asked }))
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

  test('a slice carries its hash on request', async () => {
    const result = await corpusWith({ a: 'x\r\ny\n' }).read({ path: 'a', end_line: 2, hash: true })
    expect(result.sha256).toBe(sha('x\ny'))
  })

  test('a range of characters is cut like a string, over all line ends alike', async () => {
    const corpus = corpusWith({ a: 'é😀x\r\nsecond\r\nthird' })
    const result = await corpus.read({ path: 'a', start_char: 1, end_char: 8 })
    expect(result).toMatchObject({ text: '😀x\nseco', start_char: 1, end_char: 8, total_chars: 16 })
    expect(result).toMatchObject({ start_line: 1, end_line: 2, total_lines: 3, truncated: false })
    expect((await corpus.read({ path: 'a', start_char: 99 })).text).toBe('')
    expect((await corpus.read({ path: 'a', end_char: 2 })).text).toBe('é😀')
    expect((await corpus.read({ path: 'a', start_char: 4 })).text).toBe('second\nthird')
  })

  test('neighbouring ranges of bytes join without a gap or a broken character', async () => {
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

  test('two kinds of range at once are refused', async () => {
    const corpus = corpusWith({ a: 'x' })
    const words = 'ask for a range of lines, of characters or of bytes, not for two of them'
    expect(await message(corpus.read({ path: 'a', start_char: 0, end_byte: 2 }))).toBe(words)
    expect(await message(corpus.read({ path: 'a', start_char: 0, end_line: 2 }))).toBe(words)
  })

  test.each([{ end_line: 6 }, { start_char: 0 }, { start_byte: 0 }])(
    'pages of %j bounded by max_chars join to the whole',
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

  test('a page names the lines it is from', async () => {
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

  test('a cursor is refused for another request and when it is none', async () => {
    const corpus = corpusWith({ a: 'one\ntwo\n', b: 'x' })
    const { next_cursor: cursor } = await corpus.read({ path: 'a', end_line: 2, max_chars: 1 })
    expect(await message(corpus.read({ path: 'b', end_line: 2, cursor }))).toBe(
      'cursor belongs to another request',
    )
    expect(await message(corpus.read({ path: 'a', cursor: 'zzz' }))).toMatch(/^cursor is not one/)
  })
})

describe('peek', () => {
  test('gives both ends, overlapping on short files', async () => {
    const result = await corpusWith({ a: 'a\nb\nc\n' }).peek({ path: 'a' })
    expect(result).toEqual({
      path: 'a',
      total_lines: 3,
      head: { start_line: 1, end_line: 3, text: 'a\nb\nc' },
      tail: { start_line: 1, end_line: 3, text: 'a\nb\nc' },
      metrics: { time_ms: expect.any(Number), bytes_read: 6, files_scanned: 1 },
    })
  })

  test('no lines asked for and empty files have their own numbers', async () => {
    const corpus = corpusWith({ a: 'a\nb\nc\n', e: '' })
    const none = await corpus.peek({ path: 'a', head_lines: 0, tail_lines: 0 })
    expect(none.head).toEqual({ start_line: 1, end_line: 0, text: '' })
    expect(none.tail).toEqual({ start_line: 4, end_line: 3, text: '' })
    const empty = await corpus.peek({ path: 'e' })
    expect(empty.head).toEqual({ start_line: 0, end_line: 0, text: '' })
    expect(empty.tail).toEqual({ start_line: 0, end_line: 0, text: '' })
    const two = await corpus.peek({ path: 'a', head_lines: 1, tail_lines: 2, hash: true })
    expect(two.head).toEqual({ start_line: 1, end_line: 1, text: 'a', sha256: sha('a') })
    expect(two.tail).toEqual({ start_line: 2, end_line: 3, text: 'b\nc', sha256: sha('b\nc') })
    expect(await message(corpus.peek({ path: 'a', head_lines: -1 }))).toMatch(
      /head_lines must be 0/,
    )
  })

  test('pages give the head, then the tail', async () => {
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

describe('stat', () => {
  test('items come in request order, path first, repeats kept', async () => {
    const root = tree({ 'a.txt': 'héllo' })
    mkdirSync(path.join(root, 'd'))
    symlinkSync('a.txt', path.join(root, 'l'))
    utimesSync(path.join(root, 'a.txt'), 1_700_000_000.75, 1_700_000_000.75)
    const result = await corpusOf(root).stat({ path: 'd', paths: ['a.txt', 'zz', 'l', '.', 'd'] })
    expect(result.items[1]).toEqual({
      path: 'a.txt',
      exists: true,
      size: 6,
      mtime: 1_700_000_000.75,
      mtime_iso: '2023-11-14T22:13:20Z',
      is_file: true,
      is_dir: false,
    })
    expect(result.items[2]).toEqual({
      path: 'zz',
      exists: false,
      error: "[Errno 2] No such file or directory: 'zz'",
    })
    expect(result.items.map((item) => item.path)).toEqual(['d', 'a.txt', 'zz', 'a.txt', '.', 'd'])
    expect(result.items[0]).toMatchObject({ is_file: false, is_dir: true })
    expect(result.metrics).toMatchObject({ bytes_read: 0, files_scanned: 6 })
  })

  test('a time before 1970 is rounded down', async () => {
    const root = tree({ a: '' })
    const time = new Date(-1500)
    utimesSync(path.join(root, 'a'), time, time)
    const [item] = (await corpusOf(root).stat({ path: 'a' })).items
    expect(item).toMatchObject({ mtime: -1.5, mtime_iso: '1969-12-31T23:59:58Z' })
  })

  test('odd paths are errors of their own, one outside fails the request', async () => {
    const root = tree({ a: '' })
    symlinkSync('loop', path.join(root, 'loop'))
    const corpus = corpusOf(root)
    const { items } = await corpus.stat({ paths: ['loop', 'a\0', 'a/b', 'x'.repeat(300)] })
    expect(items.map((item) => ('error' in item ? item.error.slice(0, 10) : ''))).toEqual([
      '[Errno 40]',
      'embedded n',
      '[Errno 20]',
      '[Errno 36]',
    ])
    expect(await message(corpus.stat({ paths: ['a', '..'] }))).toBe('path outside root')
    expect(await message(corpus.stat({}))).toBe('missing path')
  })
})

describe('summary, chunks and read_many', () => {
  test('summary counts files, bytes, characters and lines, in all and by extension', async () => {
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

  test('chunks are cut at line ends, cover everything and can be read back', async () => {
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
    for (const chunk of chunks.filter((one) => one.path === 'a.txt')) {
      expect(chunk.start_line).toBe(next)
      expect(chunk.chars).toBeLessThanOrEqual(100)
      next = chunk.end_line + 1
      const { start_line, end_line, start_char, end_char } = chunk
      const byLine = await corpus.read({ path: chunk.path, start_line, end_line, hash: true })
      expect(byLine.sha256).toBe(chunk.sha256)
      const byChar = await corpus.read({ path: chunk.path, start_char, end_char, hash: true })
      expect(byChar.sha256).toBe(chunk.sha256)
    }
    expect(next).toBe(51)
  })

  test('a line longer than a chunk is cut inside, and ids hold while content does', async () => {
    const root = tree({ a: `short\n${'é'.repeat(250)}\nend\n`, b: 'ab\nab\nab\n' })
    const corpus = corpusOf(root)
    const first = await corpus.chunks({ max_chars: 100 })
    expect(first.chunks.map((one) => [one.start_line, one.chars])).toEqual([
      [1, 5],
      [2, 100],
      [2, 100],
      [2, 50],
      [3, 3],
      [1, 8],
    ])
    const text = await corpus.read({ path: 'a', start_char: 106, end_char: 206 })
    expect(text.text).toBe('é'.repeat(100))
    appendFileSync(path.join(root, 'b'), 'ab\n')
    const second = await corpus.chunks({ max_chars: 100 })
    expect(second.chunks.slice(0, 5)).toEqual(first.chunks.slice(0, 5))
    expect(second.chunks[5]?.id).not.toBe(first.chunks[5]?.id)
    const small = await corpus.chunks({ glob: 'b', max_chars: 2 })
    expect(new Set(small.chunks.map((one) => one.id)).size).toBe(4)
  })

  test('chunks come in pages of max', async () => {
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

  test('read_many gives each read its own result or error', async () => {
    const corpus = corpusWith({ a: 'a1\na2\n', b: 'b1\n' })
    const reads = [{ path: 'a', start_line: 2 }, { path: '../x' }, { path: 'b' }, 'b', {}]
    const result = await corpus.readMany({ reads })
    expect(result.results.map((one) => (one.ok ? one.result.text : one.error.message))).toEqual([
      'a2',
      'path outside root',
      'b1',
      'args must be an object',
      'missing path',
    ])
    expect(result.metrics).toMatchObject({ bytes_read: 9, files_scanned: 2, lines_returned: 2 })
    const [hashed] = (await corpus.readMany({ reads: [{ path: 'b' }], hash: true })).results
    expect(hashed).toMatchObject({ ok: true, result: { sha256: sha('b1') } })
    expect(await message(corpus.readMany({}))).toBe('missing reads')
    expect(await message(corpus.readMany({ reads: 'a' }))).toBe('reads must be a list, got "a"')
    const page = await corpus.readMany({ reads, max_chars: 10 })
    expect(page.results.length).toBe(1)
    const rest = await corpus.readMany({ reads, max_chars: 100_000, cursor: page.next_cursor })
    expect(rest.results.length).toBe(4)
  })
})

describe('one file as the root', () => {
  test('is the whole corpus', async () => {
    const root = tree({ 'big.log': 'one\ntwo\n', 'other.txt': 'one\n' })
    symlinkSync('big.log', path.join(root, 'link.log'))
    const corpus = corpusOf(path.join(root, 'link.log'))
    expect(corpus.root).toBe(path.join(root, 'big.log'))
    expect((await corpus.list()).files).toEqual(['big.log'])
    expect((await corpus.read({ path: 'big.log', start_line: 2 })).text).toBe('two')
    expect((await corpus.read({ path: '.' })).text).toBe('one')
    expect((await corpus.grep({ pattern: 'one' })).hits).toEqual([
      { path: 'big.log', line: 1, text: 'one' },
    ])
    expect((await corpus.stat({ path: '.' })).items[0]).toMatchObject({ is_file: true })
    expect(await message(corpus.read({ path: 'other.txt' }))).toBe('path outside root')
    expect(await message(corpus.stat({ path: '..' }))).toBe('path outside root')
    expect((await corpus.summary()).files).toBe(1)
  })
})

describe('opening', () => {
  test('a root that is not there is refused', () => {
    expect(() => openCorpus('/nonexistent-root')).toThrow(/cannot use \/nonexistent-root/)
  })

  test('the file system itself can be the root', async () => {
    const corpus = corpusOf('/')
    expect((await corpus.stat({ path: 'tmp' })).items[0]).toMatchObject({
      path: 'tmp',
      is_dir: true,
    })
    expect((await corpus.read({ path: 'etc/passwd' })).path).toBe('etc/passwd')
  })

  test('a request can be cancelled', async () => {
    const files = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, 'x\n']))
    const corpus = corpusWith(files)
    const abort = new AbortController()
    abort.abort()
    expect(await message(corpus.summary({}, { signal: abort.signal }))).toBe(
      'the request was cancelled',
    )
  })

  test('unreadable files fail alone', async () => {
    const root = tree({ a: 'x', b: 'x' })
    chmodSync(root, 0o755)
    chmodSync(path.join(root, 'a'), 0)
    const corpus = corpusOf(root)
    // Nothing is unreadable to the superuser, who therefore steps down for a moment.
    const isSuperuser = process.getuid?.() === 0
    if (isSuperuser) process.seteuid?.(65_534)
    try {
      expect((await corpus.grep({ pattern: 'x' })).hits.length).toBe(1)
      expect(await message(corpus.read({ path: 'a' }))).toBe("[Errno 13] Permission denied: 'a'")
    } finally {
      if (isSuperuser) process.seteuid?.(0)
    }
  })

  test('a file that grows is read as it is', async () => {
    const root = tree({ a: 'x\n' })
    const corpus = corpusOf(root)
    expect((await corpus.read({ path: 'a' })).total_lines).toBe(1)
    writeFileSync(path.join(root, 'a'), 'x\ny\n')
    expect((await corpus.read({ path: 'a' })).total_lines).toBe(2)
  })
})
