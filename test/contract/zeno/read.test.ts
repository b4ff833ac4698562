// read_file and peek: the text model, line numbers, caps, and character and byte ranges.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Client, Sandbox } from './sandbox.ts'
import { createSandbox } from './sandbox.ts'

const lines = (n: number): string =>
  Array.from({ length: n }, (_, index) => `l${index + 1}\n`).join('')
let box: Sandbox
let client: Client
beforeAll(() => {
  box = createSandbox({
    'ten.txt': lines(10),
    'open.txt': 'a\nb',
    'empty.txt': '',
    'feed.txt': '\n',
    'many.txt': lines(1000),
    'mac.txt': 'a\rb\r\nc\n\rd\n',
    'odd.txt': 'a\u2028b\u0085c\fd\ve\n',
    'bom.txt': '\ufeffx\n',
    'bad.bin': Buffer.from([
      0x61, 0xff, 0xfe, 0xe2, 0x82, 0x62, 0x0a, 0x00, 0x63, 0xf0, 0x9f, 0x98,
    ]),
    'astral.txt': '\u{1f600}x\u00e9\r\nzz\n',
    'wide.txt': `${'w'.repeat(300_000)}\nshort\n`,
  })
  client = box.server()
})
afterAll(() => box.remove())

const read = (path: string, args: object = {}) => client.ok('read_file', { path, ...args })
const peek = (path: string, args: object = {}) => client.ok('peek', { path, ...args })

describe('read_file by lines', () => {
  it('returns exactly the fields of the protocol', async () => {
    const result = await read('ten.txt', { start_line: 2, end_line: 3 })
    expect(Object.keys(result)).toEqual([
      'path',
      'start_line',
      'end_line',
      'total_lines',
      'truncated',
      'text',
      'metrics',
    ])
    expect(result).toMatchObject({
      path: 'ten.txt',
      start_line: 2,
      end_line: 3,
      total_lines: 10,
      truncated: false,
      text: 'l2\nl3',
      metrics: { bytes_read: 31, files_scanned: 1, lines_returned: 2 },
    })
  })

  it.each([
    [{}, 1, 1, 'l1', false],
    [{ start_line: 4 }, 4, 4, 'l4', false],
    [{ end_line: 2 }, 1, 2, 'l1\nl2', false],
    [{ start_line: 5, end_line: 3 }, 5, 5, 'l5', false],
    [{ start_line: 0, end_line: 1 }, 1, 1, 'l1', false],
    [{ start_line: 9, end_line: 50 }, 9, 10, 'l9\nl10', false],
    [{ start_line: 11 }, 11, 10, '', false],
    [{ start_line: 11, end_line: 5000 }, 11, 10, '', false],
    [{ start_line: 1, end_line: 5, max_lines: 2 }, 1, 2, 'l1\nl2', true],
    [{ start_line: 9, end_line: 1000 }, 9, 10, 'l9\nl10', true],
    [{ start_line: 1, end_line: 400 }, 1, 10, undefined, false],
  ])('%j returns the expected lines', async (args, start, end, text, truncated) => {
    const result = await read('ten.txt', args)
    expect(result).toMatchObject({ start_line: start, end_line: end, truncated, total_lines: 10 })
    if (text !== undefined) expect(result.text).toBe(text)
  })

  it('returns 400 lines by default', async () => {
    const result = await read('many.txt', { end_line: 1000 })
    expect(result).toMatchObject({ end_line: 400, truncated: true, total_lines: 1000 })
    expect(result.metrics).toMatchObject({ lines_returned: 400 })
    expect(await read('many.txt', { end_line: 1000, max_lines: 1000 })).toMatchObject({
      end_line: 1000,
    })
  })
})

describe('the text model of read_file', () => {
  it.each([
    ['empty.txt', 0, ''],
    ['feed.txt', 1, ''],
    ['open.txt', 2, 'a\nb'],
    ['mac.txt', 5, 'a\nb\nc\n\nd'],
    ['odd.txt', 1, 'a\u2028b\u0085c\fd\ve'],
    ['bom.txt', 1, '\ufeffx'],
    ['bad.bin', 2, 'a\ufffd\ufffd\ufffdb\n\u0000c\ufffd'],
  ])('counts in %s %i lines', async (path, total, text) => {
    expect(await read(path, { end_line: 99 })).toMatchObject({ total_lines: total, text })
  })

  it('gives an empty file start_line 1 and end_line 0', async () => {
    expect(await read('empty.txt')).toMatchObject({
      start_line: 1,
      end_line: 0,
      total_lines: 0,
      text: '',
    })
  })

  it('counts all characters of the file in bytes_read, CRLF as one', async () => {
    expect((await read('astral.txt')).metrics).toMatchObject({ bytes_read: 7 })
    expect((await read('bad.bin')).metrics).toMatchObject({ bytes_read: 9 })
    expect((await read('bom.txt')).metrics).toMatchObject({ bytes_read: 3 })
  })

  it('returns a long line in full', async () => {
    expect((await read('wide.txt')).text).toHaveLength(300_000)
  })
})

describe('peek', () => {
  it('returns head and tail, overlapping on short files, without truncated', async () => {
    const result = await peek('ten.txt')
    expect(Object.keys(result)).toEqual(['path', 'total_lines', 'head', 'tail', 'metrics'])
    const whole = { start_line: 1, end_line: 10, text: lines(10).trimEnd() }
    expect(result).toMatchObject({ path: 'ten.txt', total_lines: 10, head: whole, tail: whole })
    const far = await peek('many.txt')
    expect(far).toMatchObject({
      head: { start_line: 1, end_line: 60 },
      tail: { start_line: 941, end_line: 1000 },
    })
  })

  it.each([
    [{ head_lines: 2, tail_lines: 3 }, [1, 2, 'l1\nl2'], [8, 10, 'l8\nl9\nl10']],
    [{ head_lines: 0 }, [1, 0, ''], [1, 10, undefined]],
    [{ tail_lines: 0 }, [1, 10, undefined], [11, 10, '']],
  ])('%j returns the expected line numbers', async (args, head, tail) => {
    const result = await peek('ten.txt', args)
    for (const [name, [start, end, text]] of [
      ['head', head],
      ['tail', tail],
    ] as const) {
      expect(result[name]).toMatchObject({ start_line: start, end_line: end })
      if (text !== undefined) expect(result[name]).toMatchObject({ text })
    }
  })

  it('returns zeros for an empty file', async () => {
    const none = { start_line: 0, end_line: 0, text: '' }
    expect(await peek('empty.txt')).toMatchObject({ total_lines: 0, head: none, tail: none })
  })
})

describe('slice hashes', () => {
  const sha = (text: string) => `sha256:${createHash('sha256').update(text).digest('hex')}`

  it('are added with hash: true and cover the returned text', async () => {
    const result = await read('ten.txt', { start_line: 2, end_line: 3, hash: true })
    expect(result.sha256).toBe(sha('l2\nl3'))
    const both = await peek('ten.txt', { head_lines: 1, tail_lines: 1, hash: true })
    expect(both).toMatchObject({ head: { sha256: sha('l1') }, tail: { sha256: sha('l10') } })
    const { hits } = await client.ok('grep', { pattern: 'l7', paths: ['ten.txt'], hash: true })
    expect(hits).toMatchObject([{ sha256: sha('l7') }])
  })

  it('are added to every slice with --hash, except for hash: false', async () => {
    const always = box.server(['--hash'])
    expect(await always.ok('read_file', { path: 'ten.txt' })).toMatchObject({ sha256: sha('l1') })
    const { head } = await always.ok('peek', { path: 'ten.txt', head_lines: 1 })
    expect(head).toMatchObject({ sha256: sha('l1') })
    const many = await always.ok('read_many', { reads: [{ path: 'ten.txt' }] })
    expect(many.results).toMatchObject([{ result: { sha256: sha('l1') } }])
    expect(await always.ok('read_file', { path: 'ten.txt', hash: false })).not.toHaveProperty(
      'sha256',
    )
    expect(await client.ok('read_file', { path: 'ten.txt' })).not.toHaveProperty('sha256')
  })
})

describe('read_file ranges', () => {
  it('of characters are 0-based and end-exclusive, and adjacent ranges join without a gap', async () => {
    const text = '\u{1f600}x\u00e9\nzz\n'
    const points = [...text]
    for (let start = 0; start <= points.length; start++) {
      for (let end = start; end <= points.length; end++) {
        const result = await read('astral.txt', { start_char: start, end_char: end })
        expect(result.text).toBe(points.slice(start, end).join(''))
      }
    }
    const result = await read('astral.txt', { start_char: 4, end_char: 6 })
    expect(result).toMatchObject({ start_line: 2, start_char: 4, end_char: 6, total_chars: 7 })
  })

  it('of bytes are moved back to a character boundary', async () => {
    const size = Buffer.byteLength('\u{1f600}x\u00e9\r\nzz\n')
    let joined = ''
    for (let at = 0; at < size; at++) {
      joined += String((await read('astral.txt', { start_byte: at, end_byte: at + 1 })).text)
    }
    expect(joined).toBe('\u{1f600}x\u00e9\nzz\n')
    expect(await read('ten.txt', { start_byte: 3, end_byte: 5 })).toMatchObject({
      text: 'l2',
      total_bytes: 31,
    })
  })

  it('of characters and bytes in one request are an error', async () => {
    expect(
      await client.fails('read_file', { path: 'ten.txt', start_char: 0, start_byte: 0 }),
    ).toMatch(/not for two/)
  })
})
