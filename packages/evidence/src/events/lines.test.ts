import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { isBlank, visitLines } from './lines.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'zcl-lines-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function linesOf(content: string | Buffer): { seen: string[]; oversize: number[] } {
  const file = path.join(folder, 'lines')
  writeFileSync(file, content)
  const descriptor = openSync(file, 'r')
  const seen: string[] = []
  const oversize: number[] = []
  try {
    visitLines(descriptor, {
      line: (bytes, start, end, number) => {
        seen.push(bytes.toString('latin1', start, Math.min(end, start + 300_000)))
        expect(number).toBe(seen.length + oversize.length)
      },
      oversize: (number) => oversize.push(number),
    })
  } finally {
    closeSync(descriptor)
  }
  return { seen, oversize }
}

test('visitLines yields complete lines in order across read boundaries', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(200_000), { maxLength: 12 }), (lengths) => {
      const lines = lengths.map((length, index) => String(index % 10).repeat(length))
      expect(linesOf(lines.map((line) => `${line}\n`).join('')).seen).toEqual(lines)
    }),
    { numRuns: 20 },
  )
})

test('visitLines accepts a last line without newline, and yields nothing for an empty file', () => {
  expect(linesOf('a\nb').seen).toEqual(['a', 'b'])
  expect(linesOf('').seen).toEqual([])
  expect(linesOf('\n\n').seen).toEqual(['', ''])
})

test('visitLines reports a line over 8 MiB as oversize and continues with the next line', () => {
  const long = Buffer.alloc(9 * 1024 * 1024, 0x61)
  const content = Buffer.concat([Buffer.from('a\n'), long, Buffer.from('\nb\n')])
  expect(linesOf(content)).toEqual({ seen: ['a', 'b'], oversize: [2] })
  expect(linesOf(long)).toEqual({ seen: [], oversize: [1] })
})

test('isBlank accepts only white space', () => {
  const bytes = Buffer.from(' \t\rx')
  expect(isBlank(bytes, 0, 3)).toBe(true)
  expect(isBlank(bytes, 0, 4)).toBe(false)
  expect(isBlank(bytes, 0, 0)).toBe(true)
})
