import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BoundedCapture, cutBuffer, cutToBytes, decodeUtf8, headTail } from './text.ts'

/** Any string, lone surrogates included. */
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('a', 'é', '€', '😀', '\ud83d', '\ude00', '\u0000'))
    .map((x) => x.join('')),
)
const wellFormed = fc.string({ unit: 'grapheme' })
/** Arbitrary bytes, often almost UTF-8. */
const anyBytes = fc.oneof(
  fc.uint8Array({ maxLength: 40 }),
  fc
    .array(fc.constantFrom(0x41, 0x80, 0xbf, 0xc3, 0xe2, 0x82, 0xac, 0xed, 0xa0, 0xf0, 0x9f, 0x98))
    .map((bytes) => Uint8Array.from(bytes)),
)
const budget = fc.integer({ min: 0, max: 60 })

describe('cutToBytes', () => {
  test('returns a text that fits unchanged, with its size', () => {
    expect(cutToBytes('é€😀', 9)).toEqual({ text: 'é€😀', truncated: false, bytes: 9 })
    expect(cutToBytes('', 0)).toEqual({ text: '', truncated: false, bytes: 0 })
    expect(cutToBytes('abc', Number.POSITIVE_INFINITY).truncated).toBe(false)
  })

  test('keeps or drops a character as a unit', () => {
    expect(cutToBytes('é€😀', 8).text).toBe('é€')
    expect(cutToBytes('é€😀', 4).text).toBe('é')
    expect(cutToBytes('é€😀', 1).text).toBe('')
    expect(cutToBytes('abc', -5)).toEqual({ text: '', truncated: true, bytes: 3 })
    expect(cutToBytes('abc', Number.NaN).text).toBe('')
  })

  test('counts three bytes for a lone surrogate, and neither creates nor repairs one', () => {
    expect(cutToBytes('a\ud83d', 4)).toEqual({ text: 'a\ud83d', truncated: false, bytes: 4 })
    expect(cutToBytes('a\ud83d', 3).text).toBe('a')
    expect(cutToBytes('a\ud83d\ude00', 4).text).toBe('a')
  })

  test('returns the longest prefix that fits', () => {
    fc.assert(
      fc.property(anyText, budget, (text, max) => {
        const cut = cutToBytes(text, max)
        const size = Buffer.byteLength(cut.text)
        expect(text.startsWith(cut.text)).toBe(true)
        expect(size).toBeLessThanOrEqual(max)
        expect(cut.bytes).toBe(Buffer.byteLength(text))
        expect(cut.truncated).toBe(cut.text.length < text.length)
        const next = String.fromCodePoint(text.codePointAt(cut.text.length) ?? 0)
        if (cut.truncated) expect(size + Buffer.byteLength(next)).toBeGreaterThan(max)
      }),
    )
  })

  test('returns well-formed text for well-formed text', () => {
    fc.assert(
      fc.property(wellFormed, budget, (text, max) => {
        const cut = cutToBytes(text, max).text
        expect(decodeUtf8(Buffer.from(cut))).toBe(cut)
      }),
    )
  })
})

describe('cutBuffer', () => {
  test('returns a prefix that fits and is at most three bytes short', () => {
    fc.assert(
      fc.property(anyBytes, budget, (bytes, max) => {
        const cut = cutBuffer(bytes, max)
        expect(Buffer.from(bytes.subarray(0, cut.length)).equals(cut)).toBe(true)
        expect(cut.length).toBeLessThanOrEqual(max)
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(bytes.length, max) - 3)
      }),
    )
  })

  test('creates no U+FFFD: the decoded cut is a prefix of the decoded input', () => {
    fc.assert(
      fc.property(anyBytes, budget, (bytes, max) => {
        expect(decodeUtf8(bytes).startsWith(decodeUtf8(cutBuffer(bytes, max)))).toBe(true)
      }),
      { numRuns: 2000 },
    )
  })

  test('cuts well-formed bytes where cutToBytes cuts their text', () => {
    fc.assert(
      fc.property(wellFormed, budget, (text, max) => {
        const cut = cutBuffer(Buffer.from(text), max)
        expect(decodeUtf8(cut)).toBe(cutToBytes(text, max).text)
      }),
    )
  })

  test('keeps bytes that are not UTF-8', () => {
    expect([...cutBuffer(Uint8Array.of(0xff, 0xfe, 0xfd), 2)]).toEqual([0xff, 0xfe])
    expect([...cutBuffer(Uint8Array.of(0xe2, 0x41, 0x41), 1)]).toEqual([0xe2])
    expect([...cutBuffer(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80), 4)]).toHaveLength(4)
    expect([...cutBuffer(Uint8Array.of(0xed, 0xa0, 0x80), 2)]).toEqual([0xed, 0xa0])
  })
})

describe('headTail', () => {
  const mark = (omitted: number) => `[${omitted} bytes left out]`

  test('returns a text within both limits unchanged', () => {
    expect(headTail('abcdef', 3, 3, mark)).toEqual({ text: 'abcdef', truncated: false, bytes: 6 })
  })

  test('keeps the start and the end of a longer text around the mark', () => {
    expect(headTail('abcdefgh', 2, 3, mark).text).toBe('ab[3 bytes left out]fgh')
    expect(headTail('€bcdef€', 2, 4, mark).text).toBe('[7 bytes left out]f€')
    expect(headTail('a😀😀z', 4, 4, mark).text).toBe('a[8 bytes left out]z')
  })

  test('returns a head and tail within their limits and the exact number of omitted bytes', () => {
    fc.assert(
      fc.property(anyText, budget, budget, (text, head, tail) => {
        let omitted = 0
        const cut = headTail(text, head, tail, (bytes) => {
          omitted = bytes
          return '<cut>'
        })
        fc.pre(cut.truncated && !text.includes('<cut>'))
        const [first = '', last = ''] = cut.text.split('<cut>')
        expect(text.startsWith(first) && text.endsWith(last)).toBe(true)
        expect(Buffer.byteLength(first)).toBeLessThanOrEqual(head)
        expect(Buffer.byteLength(last)).toBeLessThanOrEqual(tail)
        const between = text.slice(first.length, text.length - last.length)
        expect(omitted).toBe(Buffer.byteLength(between))
      }),
    )
  })
})

describe('decodeUtf8', () => {
  test('replaces each maximal ill-formed sequence by one U+FFFD and keeps a byte order mark', () => {
    expect(decodeUtf8(Uint8Array.of(0xff, 0xfe, 0x41))).toBe('\ufffd\ufffdA')
    expect(decodeUtf8(Uint8Array.of(0xf0, 0x90, 0x80, 0x41))).toBe('\ufffdA')
    expect(decodeUtf8(Uint8Array.of(0xed, 0xa0, 0x80))).toBe('\ufffd\ufffd\ufffd')
    expect(decodeUtf8(Uint8Array.of(0xc0, 0xaf))).toBe('\ufffd\ufffd')
    expect(decodeUtf8(Uint8Array.of(0xef, 0xbb, 0xbf, 0x41))).toBe('\ufeffA')
  })

  test('agrees with TextDecoder on any bytes', () => {
    const standard = new TextDecoder('utf-8', { ignoreBOM: true })
    fc.assert(fc.property(anyBytes, (bytes) => decodeUtf8(bytes) === standard.decode(bytes)))
  })
})

describe('BoundedCapture', () => {
  const chunksOf = (bytes: Uint8Array, sizes: number[]): Uint8Array[] => {
    const chunks: Uint8Array[] = []
    for (let start = 0, i = 0; start < bytes.length; i++) {
      const size = sizes[i % sizes.length] ?? 1
      chunks.push(bytes.subarray(start, start + size))
      start += size
    }
    return chunks
  }

  test('holds the same bytes for any chunk sizes and counts every byte', () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(
        anyBytes,
        sizes,
        budget,
        fc.integer({ min: 0, max: 12 }),
        (bytes, cuts, max, tail) => {
          const capture = new BoundedCapture(max, tail)
          for (const chunk of chunksOf(bytes, cuts)) capture.push(chunk)
          const head = bytes.subarray(0, max)
          const rest = bytes.subarray(head.length)
          expect(capture.bytes).toBe(bytes.length)
          expect(capture.truncated).toBe(bytes.length > max + tail)
          expect(capture.head().equals(head)).toBe(true)
          expect(capture.tail().equals(rest.subarray(Math.max(0, rest.length - tail)))).toBe(true)
        },
      ),
      { numRuns: 1000 },
    )
  })

  test('drops a character that the head splits', () => {
    const capture = new BoundedCapture(4)
    capture.push(Buffer.from('a€€'))
    expect(capture.head()).toEqual(Buffer.from('a€€').subarray(0, 4))
    expect(capture.text()).toBe('a€')
    const shorter = new BoundedCapture(6)
    shorter.push(Buffer.from('a€€'))
    expect(shorter.text()).toBe('a€')
  })

  test('returns complete text when nothing was dropped between head and tail', () => {
    const capture = new BoundedCapture(2, 10)
    capture.push(Buffer.from('a€€'))
    expect(capture.truncated).toBe(false)
    expect(capture.text()).toBe('a€€')
  })

  test('passes the number of dropped bytes to the mark', () => {
    const capture = new BoundedCapture(3, 4)
    capture.push(Buffer.from('ab€cdef€'))
    expect(capture.text((omitted) => `<${omitted}>`)).toBe('ab<6>f€')
  })

  test('returns no U+FFFD for well-formed input', () => {
    fc.assert(
      fc.property(wellFormed, budget, budget, (text, max, tail) => {
        fc.pre(!text.includes('\ufffd'))
        const capture = new BoundedCapture(max, tail)
        for (const chunk of chunksOf(Buffer.from(text), [1])) capture.push(chunk)
        expect(capture.text()).not.toContain('\ufffd')
      }),
    )
  })

  test('is not affected when the caller reuses its chunk', () => {
    const capture = new BoundedCapture(4, 4)
    const chunk = Buffer.from('abcdefgh')
    capture.push(chunk)
    chunk.fill(0)
    expect(capture.text()).toBe('abcdefgh')
  })

  test('counts 100 MB in a million small chunks exactly', () => {
    const capture = new BoundedCapture(4 * 1024 * 1024, 65_536)
    const chunk = Buffer.alloc(100, 'x')
    for (let i = 0; i < 1_000_000; i++) capture.push(chunk)
    expect(capture.bytes).toBe(100_000_000)
    expect(capture.head()).toHaveLength(4 * 1024 * 1024)
    expect(capture.tail()).toHaveLength(65_536)
  })
})
