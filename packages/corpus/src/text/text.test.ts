import { isUtf8 } from 'node:buffer'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { tree } from '../../test/support/trees.ts'
import { runSynchronously } from '../steps.ts'
import { codePointLength, countByte, countChars, countText } from './count.ts'
import { allocateTextMemory, plainMemory } from '../content/memory.ts'
import { cutPoint, decodeLines, decodeText } from './text.ts'
import { indexText } from '../content/content.ts'
import type { TextFile } from '../content/content.ts'

const whatwg = new TextDecoder('utf-8', { ignoreBOM: true })

/** A reference implementation of the text model. */
function plain(bytes: Buffer): { text: string; lines: string[] } {
  const text = whatwg.decode(bytes).replace(/\r\n|\r/g, '\n')
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return { text, lines }
}

const pieces = [
  'a',
  'é',
  '€',
  '😀',
  '\ufeff',
  '\n',
  '\r',
  '\r\n',
  '\u2028',
  '\u0085',
  '\f',
  '\v',
  '\0',
]
const broken = [
  [0x80],
  [0xff],
  [0xc3],
  [0xe2, 0x82],
  [0xf0, 0x9f, 0x98],
  [0xed, 0xa0, 0x80],
  [0xc0, 0xaf],
]
const piece = fc.constantFrom(
  ...pieces.map((text) => Buffer.from(text)),
  ...broken.map((bytes) => Buffer.from(bytes)),
  Buffer.from('x'.repeat(40)),
)
const anyBytes = fc.array(piece, { maxLength: 40 }).map((parts) => Buffer.concat(parts))

function opened<Result>(bytes: Buffer, use: (text: TextFile) => Result): Result {
  const file = path.join(tree(), 'text')
  writeFileSync(file, bytes)
  const fd = openSync(file, 'r')
  try {
    return use(runSynchronously(indexText(fd, bytes.length)))
  } finally {
    closeSync(fd)
  }
}

describe('the text model', () => {
  test.each([
    ['', 0],
    ['\n', 1],
    ['a', 1],
    ['a\n', 1],
    ['a\nb', 2],
    ['a\r\nb\rc\n', 3],
    ['\r', 1],
    ['\r\r\n', 2],
    ['\n\r', 2],
    ['a\u2028b\u0085c\fd\ve', 1],
  ])('counts the lines of %j as %i', (text, lines) => {
    expect(opened(Buffer.from(text), (file) => file.lines)).toBe(lines)
  })

  test('counts characters as code points, with CRLF and each ill-formed run as one', () => {
    const bytes = Buffer.concat([Buffer.from('\ufeffé😀\r\nx\r'), Buffer.from([0xe2, 0x82, 0xff])])
    expect(countChars(bytes)).toBe(8)
    expect(decodeText(bytes)).toBe('\ufeffé😀\nx\n\ufffd\ufffd')
  })

  test('counts the same as decoding, with and without the kernel', () => {
    const kernel = allocateTextMemory(1 << 16)
    fc.assert(
      fc.property(anyBytes, fc.nat(3), (bytes, shift) => {
        // Covers every alignment of the bytes in memory.
        const moved = Buffer.concat([Buffer.alloc(shift), bytes]).subarray(shift)
        const { text } = plain(bytes)
        const expected = { lineEnds: text.split('\n').length - 1, chars: [...text].length }
        expect(countText(moved)).toEqual(expected)
        expect(countChars(moved)).toBe(expected.chars)
        expect(countByte(moved, 0x61)).toBe(bytes.filter((byte) => byte === 0x61).length)
        bytes.copy(kernel.buffer)
        expect(kernel.count(bytes.length)).toEqual(expected)
        expect(kernel.countChars(bytes.length)).toBe(expected.chars)
        expect(decodeText(bytes)).toBe(text)
        expect(decodeLines(bytes)).toBe(text.endsWith('\n') ? text.slice(0, -1) : text)
        expect(codePointLength(text)).toBe(expected.chars)
      }),
      { numRuns: 2000 },
    )
    kernel.release()
  })

  test('counts a CRLF and a two-byte character once at every offset', () => {
    const kernel = allocateTextMemory(1 << 16)
    for (let at = 0; at < 140; at++) {
      const bytes = Buffer.from(`${'a'.repeat(at)}\r\n${'b'.repeat(at % 3)}é${'c'.repeat(80)}`)
      bytes.copy(kernel.buffer)
      const chars = at + 1 + (at % 3) + 1 + 80
      expect(kernel.count(bytes.length)).toEqual({ lineEnds: 1, chars })
    }
    kernel.release()
  })

  test('counts texts separated by zeroes the same together as alone', () => {
    const size = 1 << 16
    fc.assert(
      fc.property(fc.array(anyBytes, { maxLength: 8 }), (texts) => {
        const apart = texts.reduce((sum, bytes) => sum + [...plain(bytes).text].length, 0)
        for (const memory of [allocateTextMemory(size), plainMemory(size)]) {
          let end = 0
          let zeroes = 0
          for (const bytes of texts) {
            bytes.copy(memory.buffer, end)
            const next = (end + bytes.length + 16) & ~15
            memory.buffer.fill(0, end + bytes.length, next)
            zeroes += next - end - bytes.length
            end = next
          }
          const together = end === 0 ? 0 : memory.countCharsBetween(0, end)
          const isText = texts.every((bytes) => isUtf8(bytes))
          expect(together).toBe(isText ? apart + zeroes : undefined)
          memory.release()
        }
      }),
      { numRuns: 500 },
    )
  })

  test('finds a needle at its offset, with and without the kernel', () => {
    const size = 1 << 16
    const few = fc.array(fc.constantFrom('ab', 'a', 'b', 'cd', '-'.repeat(70)), { maxLength: 40 })
    const needles = fc.constantFrom('ab', 'a', 'aab', 'cdcd', '-a', `${'-'.repeat(300)}a`)
    fc.assert(
      fc.property(few, needles, fc.nat(99), fc.nat(99), (parts, text, from, rest) => {
        const [bytes, needle] = [Buffer.from(parts.join('')), Buffer.from(text)]
        const to = Math.max(from, bytes.length - rest)
        const expected = bytes.subarray(0, to).indexOf(needle, from)
        for (const memory of [allocateTextMemory(size), plainMemory(size)]) {
          bytes.copy(memory.buffer)
          memory.setNeedle({ bytes: needle, rarestOffset: needle.length - 1, secondOffset: 0 })
          expect(memory.find(from, Math.min(to, bytes.length))).toBe(expected)
          memory.release()
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('decodes bytes split at a cut point the same as together', () => {
    fc.assert(
      fc.property(anyBytes, fc.nat(200), (bytes, at) => {
        const cut = cutPoint(bytes, Math.min(at, bytes.length))
        const parts = decodeText(bytes.subarray(0, cut)) + decodeText(bytes.subarray(cut))
        expect(parts).toBe(plain(bytes).text)
      }),
      { numRuns: 2000 },
    )
  })

  test('reads lines and characters from any position', () => {
    fc.assert(
      fc.property(anyBytes, fc.nat(60), fc.nat(60), (bytes, from, count) => {
        const { text, lines } = plain(bytes)
        const chars = [...text]
        opened(bytes, (file) => {
          expect([file.lines, file.chars, file.bytes]).toEqual([
            lines.length,
            chars.length,
            bytes.length,
          ])
          const end = Math.min(from + count, chars.length)
          const slice = file.readChars(Math.min(from, end), end)
          expect(slice.text).toBe(chars.slice(from, end).join(''))
          if (lines.length === 0) return
          const first = 1 + (from % lines.length)
          const last = Math.min(lines.length, first + count)
          expect(file.readLines(first, last)).toBe(lines.slice(first - 1, last).join('\n'))
        })
      }),
      { numRuns: 150 },
    )
  })

  test('reads a file of many blocks, split inside characters and CRLF, as one text', () => {
    const unit = 'é😀\r\nline\r€'
    const bytes = Buffer.from(
      `${'x'.repeat(1_048_575)}😀${'y'.repeat(1_048_571)}\r\n`.repeat(2) + unit.repeat(90_000),
    )
    const { text, lines } = plain(bytes)
    opened(bytes, (file) => {
      expect([file.lines, file.chars]).toEqual([lines.length, codePointLength(text)])
      for (const line of [1, 2, 3, 4, 5, 1000, 150_000, lines.length - 1, lines.length]) {
        expect(file.readLines(line, line)).toBe(lines[line - 1])
      }
      expect(file.readLines(3, 5000)).toBe(lines.slice(2, 5000).join('\n'))
      const { text: slice, line } = file.readChars(2_097_000, 2_097_400)
      expect(slice).toBe([...text].slice(2_097_000, 2_097_400).join(''))
      expect(line).toBe([...text].slice(0, 2_097_000).filter((char) => char === '\n').length + 1)
    })
  })
})
