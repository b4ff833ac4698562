import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSseReader } from './sse.ts'

type Seen = [name: string | undefined, data: string]

function read(chunks: Uint8Array[]): Seen[] {
  const seen: Seen[] = []
  const reader = createSseReader((name, data) => seen.push([name, data]))
  for (const chunk of chunks) reader.feed(chunk)
  reader.end()
  return seen
}

const readText = (text: string): Seen[] => read([Buffer.from(text)])

describe('the server-sent events reader', () => {
  it('accepts LF, CRLF and CR as line ends', () => {
    const wanted: Seen[] = [
      ['a', '1'],
      [undefined, '2'],
    ]
    for (const end of ['\n', '\r\n', '\r']) {
      expect(readText(`event: a${end}data: 1${end}${end}data: 2${end}${end}`)).toEqual(wanted)
    }
  })

  it('skips comments, ids, retries and unknown fields', () => {
    expect(readText(': hello\nid: 1\nretry: soon\nfoo: bar\nlonely\ndata: x\n\n: bye\n\n')).toEqual(
      [[undefined, 'x']],
    )
  })

  it('accepts data without a space and joins several data lines', () => {
    expect(readText('data:{"a":\ndata: 1,\ndata:"b":2}\n\n')).toEqual([
      [undefined, '{"a":\n1,\n"b":2}'],
    ])
  })

  it('ends an event at a CR that is the last byte of a read', () => {
    const pieces = ['data: x\n\r', ' never ended'].map((text) => Buffer.from(text))
    expect(read(pieces)).toEqual([[undefined, 'x']])
  })

  it('ends the name of an event with the event', () => {
    expect(readText('event: a\ndata: 1\n\ndata: 2\n\nevent: b\n\ndata:\n\n')).toEqual([
      ['a', '1'],
      [undefined, '2'],
      [undefined, ''],
    ])
  })

  it('accepts empty reads at every place', () => {
    const pieces = ['', 'data: 1\r', '', '\n\r\n', ''].map((text) => Buffer.from(text))
    expect(read(pieces)).toEqual([[undefined, '1']])
  })

  it('skips a byte order mark', () => {
    expect(
      read([Buffer.from([0xef]), Buffer.from([0xbb, 0xbf]), Buffer.from('data: x\n\n')]),
    ).toEqual([[undefined, 'x']])
    expect(readText('\ufeffdata: x\n\n\ufeffdata: y\n\n')).toEqual([[undefined, 'x']])
  })

  it('drops a last event without its blank line', () => {
    expect(readText('data: 1\n\ndata: 2\n')).toEqual([[undefined, '1']])
    expect(readText('data: 1\n\ndata: 2')).toEqual([[undefined, '1']])
    expect(readText('data: 1\r\rdata: 2\r')).toEqual([[undefined, '1']])
  })

  it('accepts a last event without its blank line if isComplete says so', () => {
    const last = (text: string): Seen[] => {
      const seen: Seen[] = []
      const isComplete = (data: string): boolean => data === '[DONE]'
      const reader = createSseReader((name, data) => seen.push([name, data]), isComplete)
      reader.feed(Buffer.from(text))
      reader.end()
      return seen
    }
    for (const end of ['', '\n', '\r', '\r\n']) {
      expect(last(`data: 1\n\ndata: [DONE]${end}`)).toEqual([
        [undefined, '1'],
        [undefined, '[DONE]'],
      ])
    }
    expect(last('data: [DON')).toEqual([])
  })

  it('delivers an event as soon as its blank line arrives', () => {
    const seen: Seen[] = []
    const reader = createSseReader((name, data) => seen.push([name, data]))
    reader.feed(Buffer.from('data: now\r\n\r\n'))
    expect(seen).toEqual([[undefined, 'now']])
  })

  it('refuses an event of more than 32 MiB, as one line and as many', () => {
    const sizes: number[] = []
    const reader = () => createSseReader((_name, data) => sizes.push(data.length))
    const feed = (piece: Buffer, count: number) => {
      const { feed } = reader()
      feed(Buffer.from('data: '))
      for (let fed = 0; fed < count; fed++) feed(piece)
      feed(Buffer.from('\n\n'))
    }
    const mebibyte = Buffer.alloc(1 << 20, 'x')
    feed(mebibyte, 31)
    expect(sizes).toEqual([31 << 20])
    expect(() => feed(mebibyte, 32)).toThrow(/buffer/i)
    const line = Buffer.from(`${'x'.repeat((1 << 20) - 7)}\ndata: `)
    expect(() => feed(line, 33)).toThrow(/buffer/i)
    expect(sizes).toHaveLength(1)
  })

  it('reports the error field of llama.cpp as an error event', () => {
    expect(readText('error: {"code":500}\n\n')).toEqual([['error', '{"code":500}']])
  })

  it('yields the same events wherever the bytes are cut', () => {
    const line = fc.oneof(
      fc
        .string({ unit: 'grapheme', maxLength: 12 })
        .map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
      fc.constantFrom('', ': c', 'event: e', 'data:', 'data:x', 'id: 3', 'x'),
    )
    const end = fc.constantFrom('\n', '\r\n')
    fc.assert(
      fc.property(fc.array(fc.tuple(line, end)), fc.array(fc.nat(400)), (lines, cuts) => {
        const bytes = Buffer.from(lines.map(([text, end]) => text + end).join(''))
        const sorted = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length].sort(
          (a, b) => a - b,
        )
        const chunks = sorted.slice(1).map((to, n) => bytes.subarray(sorted[n], to))
        expect(read(chunks)).toEqual(read([bytes]))
      }),
    )
  })
})
