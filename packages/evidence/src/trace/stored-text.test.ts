import { createRedactor } from '@zee/core/redact'
import { expect, it } from 'vitest'
import { storedText } from './stored-text.ts'

const textOf = (...bytes: number[]): string =>
  storedText({ bytes: bytes.length, head: Uint8Array.from(bytes) }, 1000, createRedactor()).text

const marks = (count: number): string => '\ufffd'.repeat(count)

it.each<[string, number[], string]>([
  ['ASCII', [0x41, 0x7f], 'A\u007f'],
  ['two bytes, the first', [0xc2, 0x80], '\u0080'],
  ['two bytes, the last', [0xdf, 0xbf], '\u07ff'],
  ['three bytes, the first', [0xe0, 0xa0, 0x80], '\u0800'],
  ['three bytes before the surrogates', [0xed, 0x9f, 0xbf], '\ud7ff'],
  ['three bytes after the surrogates', [0xee, 0x80, 0x80], '\ue000'],
  ['four bytes, the first', [0xf0, 0x90, 0x80, 0x80], '\u{10000}'],
  ['four bytes, the last', [0xf4, 0x8f, 0xbf, 0xbf], '\u{10ffff}'],
])('text of %s is stored beside an invalid byte', (_, bytes, text) => {
  expect(textOf(...bytes)).toBe(text)
  expect(textOf(0xff, ...bytes, 0xff)).toBe(`\ufffd${text}\ufffd`)
})

it.each<[string, number[]]>([
  ['a continuation', [0x80]],
  ['an overlong pair', [0xc0, 0x80]],
  ['an overlong pair of the last lead', [0xc1, 0xbf]],
  ['a pair without its end', [0xc2]],
  ['an overlong triple', [0xe0, 0x9f, 0xbf]],
  ['a surrogate', [0xed, 0xa0, 0x80]],
  ['a triple without its end', [0xe1, 0x80]],
  ['an overlong quadruple', [0xf0, 0x8f, 0xbf, 0xbf]],
  ['a character above the last', [0xf4, 0x90, 0x80, 0x80]],
  ['a lead above the last', [0xf5, 0x80, 0x80, 0x80]],
  ['a quadruple without its end', [0xf1, 0x80, 0x80]],
  ['a second byte above the range', [0xc2, 0xc0]],
])('each byte of %s becomes one mark', (_, bytes) => {
  expect(textOf(...bytes)).toBe(marks(bytes.length))
  expect(textOf(0x41, ...bytes, 0x42)).toBe(`A${marks(bytes.length)}B`)
})

it('an incomplete head loses the character that its end may have cut', () => {
  const head = Buffer.from('aé')
  const stored = (more: object) =>
    storedText({ bytes: head.length, head, ...more }, 1000, createRedactor()).text
  expect(stored({})).toBe('aé')
  expect(stored({ bytes: head.length + 1 })).toBe('a')
  expect(stored({ isWhole: false })).toBe('a')
  expect(stored({ isWhole: true, bytes: 99 })).toBe('aé')
})

it('a text above its cap is cut and says so', () => {
  const cut = (text: string) => {
    const head = Buffer.from(text)
    return storedText({ bytes: head.length, head }, 100, createRedactor())
  }
  expect(cut('x'.repeat(100))).toMatchObject({ text: 'x'.repeat(100), truncated: false })
  const { text, truncated } = cut('x'.repeat(101))
  expect([Buffer.byteLength(text) <= 100, truncated]).toEqual([true, true])
})
