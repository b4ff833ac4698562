import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { AnswerReader } from './answer-reader.ts'
import type { AnswerHead } from '../head/head.ts'

interface Read {
  hints: AnswerHead[]
  heads: AnswerHead[]
  raw: string
  content: string
  state: [isComplete: boolean, isMalformed: boolean, hasBegun: boolean]
  rest: number
}

function read(bytes: Buffer, cuts: readonly number[], method = 'GET'): Read {
  const seen: Read = {
    hints: [],
    heads: [],
    raw: '',
    content: '',
    state: [false, false, false],
    rest: 0,
  }
  const reader = new AnswerReader(
    { method, mayUpgrade: true },
    {
      hint: (head) => seen.hints.push(head),
      begin: (head) => seen.heads.push(head),
      raw: (piece) => (seen.raw += piece.toString('latin1')),
      content: (piece) => (seen.content += piece.toString('latin1')),
    },
  )
  const places = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort(
    (a, b) => a - b,
  )
  let start = 0
  for (const end of places) {
    const chunk = bytes.subarray(start, end)
    start = end
    if (!reader.isComplete && !reader.isMalformed) seen.rest = chunk.length - reader.read(chunk)
    else seen.rest += chunk.length
  }
  seen.state = [reader.isComplete, reader.isMalformed, reader.hasBegun]
  // Bytes after a malformed part are ignored, and their number depends on the cuts.
  return reader.isMalformed ? { ...seen, raw: '', content: '', rest: 0 } : seen
}

const token = fc.stringMatching(/^[A-Za-z0-9-]{1,12}$/)
const value = fc.stringMatching(/^[!-~ \t]{0,30}$/)
const fields = fc.array(fc.tuple(fc.constantFrom('X-A', 'Via', 'Server', 'x-b'), value))
const body = fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1'))
const chunks = fc.array(fc.tuple(body, fc.constantFrom('', ';a', ';a="b;c"', ';x=y;z')))

const message = fc
  .record({
    status: fc.constantFrom(200, 204, 304, 404, 500, 103, 100, 101),
    reason: fc.constantFrom('', 'OK', 'Not So Good'),
    fields,
    framing: fc.constantFrom('length', 'chunked', 'close'),
    body,
    chunks,
    trailers: fields,
  })
  .map((each) => {
    const lines = each.fields.map(([name, text]) => `${name}: ${text}`)
    let tail = each.body
    if (each.framing === 'length') lines.push(`Content-Length: ${each.body.length}`)
    if (each.framing === 'chunked') {
      lines.push('Transfer-Encoding: chunked')
      const parts = each.chunks
        .filter(([text]) => text !== '')
        .map(([text, extension]) => `${text.length.toString(16)}${extension}\r\n${text}\r\n`)
      const trailers = each.trailers.map(([name, text]) => `${name}: ${text}\r\n`)
      tail = `${parts.join('')}0\r\n${trailers.join('')}\r\n`
    }
    const head = [`HTTP/1.1 ${each.status} ${each.reason}`, ...lines].map((line) => `${line}\r\n`)
    return `${head.join('')}\r\n${tail}`
  })

/** Sequences of valid messages, some with a few bytes changed. */
const stream = fc
  .tuple(
    fc.array(message, { minLength: 1, maxLength: 3 }),
    fc.array(fc.tuple(fc.nat(4000), fc.nat(255)), { maxLength: 2 }),
    fc.boolean(),
  )
  .map(([messages, changes, isChanged]) => {
    const bytes = Buffer.from(messages.join(''), 'latin1')
    if (isChanged) for (const [at, byte] of changes) bytes[at % bytes.length] = byte
    return bytes
  })

describe('an HTTP answer', () => {
  it('is read the same wherever its bytes are split', () => {
    fc.assert(
      fc.property(
        stream,
        fc.array(fc.nat(5000), { maxLength: 20 }),
        fc.constantFrom('GET', 'HEAD'),
        (bytes, cuts, method) => {
          expect(read(bytes, cuts, method)).toEqual(read(bytes, [], method))
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('is read the same byte by byte', () => {
    fc.assert(
      fc.property(stream, (bytes) => {
        const everywhere = Array.from(bytes, (_, at) => at)
        expect(read(bytes, everywhere)).toEqual(read(bytes, []))
      }),
      { numRuns: 300 },
    )
  })

  it('yields the content of its chunks without framing', () => {
    fc.assert(
      fc.property(chunks, fc.array(fc.nat(5000)), token, (parts, cuts, trailer) => {
        const full = parts.filter(([text]) => text !== '')
        const wire =
          full.map(([text, ext]) => `${text.length.toString(16)}${ext}\r\n${text}\r\n`).join('') +
          `0\r\n${trailer}: x\r\n\r\n`
        const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
        const seen = read(Buffer.from(`${head}${wire}rest`, 'latin1'), cuts)
        const isFraming = /^(?:host|content-length|transfer-encoding)$/i.test(trailer)
        expect(seen.state).toEqual([!isFraming, isFraming, true])
        if (isFraming) return
        expect(seen).toMatchObject({ raw: wire, rest: 4 })
        expect(seen.content).toBe(full.map(([text]) => text).join(''))
      }),
    )
  })

  it.each([
    ['a length twice', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx'],
    [
      'a length and chunks',
      'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['an unknown coding', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, gzip\r\n\r\n'],
    [
      'a control byte before the coding',
      'HTTP/1.1 200 OK\r\nTransfer-Encoding: \x0bchunked\r\n\r\n',
    ],
    ['a length that is not decimal', 'HTTP/1.1 200 OK\r\nContent-Length: 0x1\r\n\r\n'],
    ['a negative length', 'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n'],
    ['a length above 2^53', 'HTTP/1.1 200 OK\r\nContent-Length: 9007199254740993\r\n\r\n'],
    ['a folded header line', 'HTTP/1.1 200 OK\r\nX: a\r\n b\r\n\r\n'],
    ['space before the colon', 'HTTP/1.1 200 OK\r\nX : a\r\n\r\n'],
    ['a line without a name', 'HTTP/1.1 200 OK\r\n: a\r\n\r\n'],
    ['a line without a colon', 'HTTP/1.1 200 OK\r\nnonsense\r\n\r\n'],
    ['a line feed alone', 'HTTP/1.1 200 OK\nX: a\n\n'],
    ['a carriage return alone', 'HTTP/1.1 200 OK\r\nX: a\rY: b\r\n\r\n'],
    ['a zero byte', 'HTTP/1.1 200 OK\r\nX: a\0b\r\n\r\n'],
    ['a different protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['an unsupported version', 'HTTP/2.0 200 OK\r\n\r\n'],
    ['no status', 'HTTP/1.1 xyz OK\r\n\r\n'],
    ['a chunk without a size', chunked('\r\nx\r\n0\r\n\r\n')],
    ['a chunk that is longer than it says', chunked('1\r\nxy\r\n0\r\n\r\n')],
    ['a chunk with an odd size', chunked('0x1\r\nx\r\n0\r\n\r\n')],
    ['a chunk with a signed size', chunked('+1\r\nx\r\n0\r\n\r\n')],
    ['a chunk size above 2^53', chunked('ffffffffffffffff\r\n')],
    ['a chunk that ends with a line feed', chunked('1\nx\r\n0\r\n\r\n')],
    ['an extension with a line feed', chunked('1;a\nb\r\nx\r\n0\r\n\r\n')],
    ['a framing header in its trailers', chunked('0\r\nContent-Length: 5\r\n\r\n')],
  ])('with %s is malformed', (_name, text) => {
    expect(read(Buffer.from(text, 'latin1'), []).state[1]).toBe(true)
  })
})

function chunked(body: string): string {
  return `HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${body}`
}
