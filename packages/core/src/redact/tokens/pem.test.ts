import { describe, expect, test } from 'vitest'
import { findPemBlocks, findPemPieces, holdsPrivateKey } from './pem.ts'

const line = 'MIIEpAIBAAKCAQEA7bqXyZ0123456789+/abcdefghijklmnopqrstuvwxyzABCD'
const lines = (count: number, end = '\n') => (line + end).repeat(count)
const endOfKey = '-----END RSA PRIVATE KEY-----'
const beginKey = '-----BEGIN RSA PRIVATE KEY-----'
const beginCertificate = '-----BEGIN CERTIFICATE-----'

const blocksIn = (text: string) => [...findPemBlocks(text)]
const piecesIn = (text: string) => [...findPemPieces(text)]

test('a line of a sample has the length of a line of PEM', () => {
  expect(line).toHaveLength(64)
})

describe('a block', () => {
  test.each<[what: string, begin: string, body: string, isFound: boolean]>([
    ['a certificate after 48 line breaks', beginCertificate, '\n'.repeat(48) + lines(2), true],
    ['a certificate after 49 line breaks', beginCertificate, '\n'.repeat(49) + lines(2), false],
    ['a certificate with escaped breaks', beginCertificate, `\\r\\n${line}`, true],
    ['a short certificate', beginCertificate, '\nMII', false],
    ['a key after 112 spaces', beginKey, ' '.repeat(112) + lines(2), true],
    ['a key after 113 spaces', beginKey, ' '.repeat(113) + lines(2), false],
    ['a short key at the end of the text', beginKey, `${' '.repeat(125)}ab`, true],
    ['a short key and 128 characters', beginKey, `${' '.repeat(126)}ab`, false],
    ['an encrypted key', beginKey, `\nProc-Type: 4,ENCRYPTED\n${lines(3)}`, true],
    ['a comparison in code', beginKey, "') start()", false],
  ])('is found if it is %s: %s', (_what, begin, body, isFound) => {
    const text = `a ${begin}${body}`
    expect(blocksIn(text)).toEqual(isFound ? [[2, text.length]] : [])
  })

  test('ends after its last line', () => {
    const block = `${beginKey}\n${lines(2)}${endOfKey}`
    expect(blocksIn(`${block} ${block}\n`)).toEqual([
      [0, block.length],
      [block.length + 1, 2 * block.length + 1],
    ])
  })

  test.each([
    [`${beginKey}\n${lines(1)}`, true],
    [`x '${beginKey}' ${beginKey}\n${lines(1)}`, true],
    [`${beginCertificate}\n${lines(1)}`, false],
    [`if (line === '${beginKey}') return ${'x '.repeat(80)}`, false],
  ])('%j holds a private key: %s', (text, expected) => {
    expect(holdsPrivateKey(text)).toBe(expected)
  })
})

describe('the end of a key without its first line starts', () => {
  const short = 'abcdefghijklmno'

  test.each<[what: string, before: string, key: string]>([
    ['at the start of the text', '', lines(3)],
    ['at a leading line break', '', `\n${lines(3)}`],
    ['after a line of words', 'the key:\n', lines(3)],
    ['after 24 characters of one line', '', 'aB3d'.repeat(6)],
    ['in a line of other text', '{"key": "', `${line}\n${lines(2)}`],
    ['after words before escaped line breaks', 'the key:\\n', lines(3, '\\n')],
    ['after words before a line break and escaped ones', 'the key:\n', lines(3, '\\n')],
    ['after escaped words before line breaks', 'the key:\\n', lines(3)],
    ['after a short line far from the end', `${lines(1)}${short}\n`, lines(2)],
    ['after one letter far from the end', `${lines(1)}a\n`, lines(2)],
    ['after a quoted short line', `"${line}",\n"abc",\n`, `"${line}",\n`.repeat(3)],
    ['before a line of 16 characters', '', `${lines(1)}${short}p\n${lines(2)}`],
    ['before a blank line', '', `${lines(2)}\n${lines(2)}`],
    ['at a blank line after a short line', 'abc\n', `\n${lines(2)}`],
    [
      'before a short line with 80 characters after it',
      '',
      `${lines(1)}a\n${lines(1)}${'b'.repeat(14)}\n`,
    ],
    [
      'after a short line with 81 characters after it',
      `${lines(1)}a\n`,
      `${lines(1)}${'b'.repeat(15)}\n`,
    ],
    [
      '160 characters before the end of a line',
      `{"key": "${'a'.repeat(9)}`,
      `${'b'.repeat(119)}"${' '.repeat(39)}\n${lines(2)}`,
    ],
  ])('%s', (_what, before, key) => {
    const text = before + key + endOfKey
    expect(blocksIn(`${text} x`)).toEqual([[before.length, text.length]])
  })

  test('at most 16,384 characters before it', () => {
    const text = `${lines(300)}${'a'.repeat(30)}\n${endOfKey}`
    const end = text.length - endOfKey.length
    expect(blocksIn(text)).toEqual([[end - 16_384, text.length]])
  })

  test('after the end of another key', () => {
    const first = lines(2) + endOfKey
    const second = `\n${lines(2)}${endOfKey}`
    expect(blocksIn(first + second)).toEqual([
      [0, first.length],
      [first.length, first.length + second.length],
    ])
  })

  test.each([
    ['words', `no key at all ${endOfKey}`],
    ['23 characters', `${'aB3d'.repeat(6).slice(1)}${endOfKey}`],
    ['a certificate', `${lines(2)}-----END CERTIFICATE-----`],
  ])('not in %s', (_what, text) => {
    expect(blocksIn(text)).toEqual([])
  })
})

describe('a piece of a block', () => {
  const shortLine = 'abcd==\n'

  test.each<[what: string, before: string, piece: string, after: string]>([
    ['at the start', '', lines(3), 'next one!\n'],
    ['at the start with a short last line', '', lines(3) + shortLine, 'next one!\n'],
    ['at the end after two lines', 'first one!\n', lines(2) + shortLine, ''],
    ['at the end with carriage returns', 'first one!\n', lines(3, '\r\n'), ''],
    ['after a blank line', `${lines(2)}\n`, lines(3), ''],
    ['as the whole text', '', lines(4), ''],
  ])('is found %s', (_what, before, piece, after) => {
    const [range] = piecesIn(before + piece + after)
    const text = (before + piece + after).slice(...(range ?? [0, 0]))
    expect(text).toBe(piece)
    expect(piecesIn(before + piece + after)).toHaveLength(1)
  })

  test('is found at the start and at the end, without a gap', () => {
    const first = lines(3) + shortLine
    expect(piecesIn(first + lines(3))).toEqual([
      [0, first.length],
      [first.length, first.length + lines(3).length],
    ])
  })

  test.each([
    ['one line', lines(1)],
    ['one line after a line break', `\n${lines(1)}`],
    ['two lines after another', `first one!\n${lines(2)}`],
    ['two lines and text', `${lines(2)}next one!\n`],
    ['lines of 63 characters', `${line.slice(1)}\n`.repeat(4)],
    ['lines without capitals', `${line.toLowerCase()}\n`.repeat(4)],
    ['lines without small letters', `${line.toUpperCase()}\n`.repeat(4)],
    ['lines without digits', `${'aB'.repeat(32)}\n`.repeat(4)],
    ['the empty text', ''],
    ['line breaks', '\n\n\n'],
  ])('is not found in %s', (_what, text) => {
    expect(piecesIn(text)).toEqual([])
  })
})
