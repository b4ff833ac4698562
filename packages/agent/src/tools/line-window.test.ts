import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createWindowReader, maxWindowBytes, requestedWindow, windowFields } from './line-window.ts'

function readWindow(text: string, offset: number, limit: number, chunkSize = 1 << 20) {
  const reader = createWindowReader({ offset, limit })
  const bytes = Buffer.from(text)
  for (let start = 0; start < bytes.length; start += chunkSize) {
    reader.add(bytes.subarray(start, start + chunkSize))
  }
  const { bytes: kept, ...window } = reader.finish()
  return { text: kept.toString(), ...window }
}

describe('a window of lines', () => {
  it('has the lines from offset to offset + limit - 1', () => {
    expect(readWindow('a\nb\nc\nd\n', 2, 2)).toEqual({
      text: 'b\nc\n',
      startLine: 2,
      endLine: 3,
      totalLines: 4,
      truncated: false,
      nextOffset: undefined,
    })
  })

  it('counts a last line without a newline', () => {
    expect(readWindow('a\nb', 2, 9)).toMatchObject({ text: 'b', endLine: 2, totalLines: 2 })
    expect(readWindow('', 1, 9)).toMatchObject({ text: '', endLine: 0, totalLines: 0 })
    expect(readWindow('a\n', 9, 1)).toMatchObject({ text: '', startLine: 9, totalLines: 1 })
  })

  it('shows the beginning of a line that is longer than a window', () => {
    const window = readWindow(`${'x'.repeat(maxWindowBytes + 5)}\nb\n`, 1, 2)
    expect(window).toMatchObject({ endLine: 1, totalLines: 2, truncated: true, nextOffset: 2 })
    expect(window.text).toBe('x'.repeat(maxWindowBytes))
  })

  it('does not depend on how the text is cut into chunks', () => {
    const line = fc.string({ maxLength: 20 }).map((text) => text.replaceAll('\n', ''))
    fc.assert(
      fc.property(
        fc.array(line),
        fc.nat(5),
        fc.nat(5),
        fc.integer({ min: 1, max: 9 }),
        (lines, first, count, size) => {
          const text = lines.join('\n')
          const window = readWindow(text, first + 1, count + 1, size)
          expect(window).toEqual(readWindow(text, first + 1, count + 1))
        },
      ),
    )
  })

  it('continues at the next offset without a gap', () => {
    const lines = Array.from({ length: 2000 }, (_, index) => `${index} ${'.'.repeat(90)}\n`)
    let text = ''
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const window = readWindow(lines.join(''), offset, Number.MAX_SAFE_INTEGER)
      expect(window.text.length).toBeLessThanOrEqual(maxWindowBytes)
      text += window.text
      offset = window.nextOffset
    }
    expect(text).toBe(lines.join(''))
  })

  it('has at most 50 KiB', () => {
    expect(maxWindowBytes).toBe(51_200)
    const lines = (last: number) => `${'x'.repeat(51_000)}\n${'y'.repeat(last)}\nz\n`
    expect(readWindow(lines(198), 1, 9)).toMatchObject({ endLine: 2, nextOffset: 3 })
    expect(readWindow(lines(199), 1, 9)).toMatchObject({ endLine: 1, nextOffset: 2 })
    const long = (length: number) => readWindow(`a\n${'x'.repeat(length)}\nb\n`, 2, 1)
    expect(long(51_199)).toMatchObject({ truncated: false, nextOffset: undefined, endLine: 2 })
    expect(long(51_200)).toMatchObject({ truncated: true, nextOffset: 3, endLine: 2 })
    expect(long(51_200).text).toBe('x'.repeat(51_200))
  })

  it('has fields for a result', () => {
    const window = { bytes: Buffer.alloc(0), startLine: 2, endLine: 3, totalLines: 4 }
    const fields = { start_line: 2, end_line: 3, total_lines: 4 }
    expect(windowFields({ ...window, truncated: false, nextOffset: undefined })).toEqual(fields)
    expect(windowFields({ ...window, truncated: true, nextOffset: 4 })).toEqual({
      ...fields,
      next_offset: 4,
    })
  })

  it.each([
    [{}, undefined],
    [{ offset: 2 }, { offset: 2, limit: Number.MAX_SAFE_INTEGER }],
    [{ limit: 1 }, { offset: 1, limit: 1 }],
    [{ offset: 1, limit: 0 }, "'limit' must be at least 1"],
    [{ offset: 0, limit: 1 }, "'offset' must be at least 1"],
  ])('is for the input %j %j', (input, range) => {
    expect(requestedWindow(input)).toEqual(range)
  })
})
