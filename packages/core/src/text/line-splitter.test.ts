import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineSplitter } from './line-splitter.ts'

interface Found {
  text: string
  offset: number
  ended: boolean
}

test('LineSplitter finds the same lines at the same offsets for any chunking', () => {
  const bytes = fc.array(fc.constantFrom(...Buffer.from('\n\n{}ab\u00fc')), { maxLength: 80 })
  fc.assert(
    fc.property(bytes, fc.array(fc.nat(9)), fc.integer({ min: 1, max: 20 }), (text, cuts, max) => {
      const input = Buffer.from(text)
      expect(split(chunked(input, cuts), max)).toEqual(expected(input, max))
    }),
    { numRuns: 500 },
  )
})

test('LineSplitter skips a line over the maximum without buffering it', () => {
  const chunk = Buffer.alloc(1024, 'x')
  const found: Found[] = []
  const splitter = new LineSplitter(5000, sink(found))
  for (let count = 0; count < 10_000; count++) splitter.push(chunk)
  splitter.push(Buffer.from('\nshort\n'))
  expect(found).toEqual([
    { text: 'too long: 10240000', offset: 0, ended: true },
    { text: 'short', offset: 10_240_001, ended: true },
  ])
})

test('LineSplitter stops when its sink returns false', () => {
  let lines = 0
  const splitter = new LineSplitter(10, { line: () => ++lines < 2, tooLong: () => true })
  expect(splitter.push(Buffer.from('1\n2\n3\n'))).toBe(false)
  expect(lines).toBe(2)
})

function split(chunks: Buffer[], max: number): Found[] {
  const found: Found[] = []
  const splitter = new LineSplitter(max, sink(found))
  for (const chunk of chunks) splitter.push(chunk)
  splitter.end()
  return found
}

function sink(found: Found[]): ConstructorParameters<typeof LineSplitter>[1] {
  return {
    line: (bytes, start, end, offset, ended) =>
      found.push({ text: bytes.toString('latin1', start, end), offset, ended }) > 0,
    tooLong: (length, offset, ended) =>
      found.push({ text: `too long: ${length}`, offset, ended }) > 0,
  }
}

function chunked(input: Buffer, lengths: number[]): Buffer[] {
  const chunks: Buffer[] = []
  let start = 0
  for (const length of lengths) {
    chunks.push(input.subarray(start, start + length))
    start += length
  }
  return [...chunks, input.subarray(start)]
}

/** Reference implementation. */
function expected(input: Buffer, max: number): Found[] {
  const texts = input.toString('latin1').split('\n')
  let offset = 0
  const lines = texts.map((text, index) => {
    const line = { text, offset, ended: index < texts.length - 1 }
    offset += text.length + 1
    return line.text.length > max ? { ...line, text: `too long: ${text.length}` } : line
  })
  return lines.filter(({ text, ended }) => ended || text !== '')
}
