import { expect, test } from 'vitest'
import { sha256 } from '../../../test/support/answers.ts'
import { corpusWith } from '../../../test/support/trees.ts'
import type { Corpus, ReadArgs, ReadResult } from '../../corpus.ts'

const samples = {
  empty: '',
  ascii: 'one\ntwo\n\nfour',
  ends: 'é1\r\n2\r3\n\n5\r\n',
  wide: '😀\r\n€\r\r\nß',
}

const any = { time_ms: expect.any(Number) as number, files_scanned: 1 }
const linesIn = (text: string): number =>
  text === '' ? 0 : text.replace(/\n$/, '').split('\n').length

/** The first lines of a text, with their line ends. */
function firstLines(text: string, count: number): string {
  const lines = text.split(/(?<=\n)/)
  return lines.slice(0, count).join('')
}

interface Asked {
  start: number
  end: number
  maxChars?: number | undefined
  maxLines?: number | undefined
}

function expectedChars(
  path: string,
  raw: string,
  { start, end, maxChars = 100_000, maxLines = Infinity }: Asked,
) {
  const text = raw.replaceAll(/\r\n?/g, '\n')
  const chars = [...text]
  const total = chars.length
  const requested = Math.min(Math.max(start, end), total)
  const from = Math.min(start, total)
  const read = chars.slice(from, Math.max(from, Math.min(requested, from + maxChars))).join('')
  const part = firstLines(read, maxLines)
  const to = from + [...part].length
  const before = chars.slice(0, from).join('')
  const line = before.split('\n').length
  const lines = linesIn(part)
  return {
    path,
    start_line: line,
    end_line: line + Math.max(0, lines - 1),
    total_lines: linesIn(text),
    ...{ start_char: from, end_char: to, total_chars: total },
    ...{ truncated: to < requested, text: part, sha256: sha256(part) },
    ...(to < requested ? { next_cursor: expect.any(String) as string } : {}),
    metrics: { ...any, bytes_read: total, lines_returned: lines },
  }
}

/** Where characters start, and the end; a CRLF is one character. */
function boundariesOf(raw: string): number[] {
  const parts = raw.match(/\r\n|[^]/gu) ?? []
  return [0, ...parts.map((_, at) => Buffer.byteLength(parts.slice(0, at + 1).join('')))]
}

function expectedBytes(
  path: string,
  raw: string,
  { start, end, maxChars = 100_000, maxLines = Infinity }: Asked,
) {
  const bytes = Buffer.from(raw)
  const total = bytes.length
  const boundaries = boundariesOf(raw)
  const floor = (at: number): number =>
    Math.max(...boundaries.filter((each) => each <= Math.min(at, total)))
  const requested = floor(Math.max(start, end))
  const from = floor(start)
  const wanted = Math.min(requested, from + maxChars)
  const next = boundaries.find((each) => each > from) ?? total
  const to = wanted <= from ? from : wanted < requested ? Math.max(floor(wanted), next) : requested
  const normal = (text: string): string => text.replaceAll(/\r\n?/g, '\n')
  const all = bytes.toString('utf8', from, Math.max(from, to))
  const whole = all.match(/(?:\r\n|[^\r\n])*?(?:\r\n|\r|\n|$)/g) ?? []
  const part = whole.slice(0, maxLines).join('')
  const stop = maxLines === Infinity ? Math.max(from, to) : from + Buffer.byteLength(part)
  const text = normal(part)
  return {
    path,
    ...{ start_byte: from, end_byte: stop, total_bytes: total },
    ...{ truncated: stop < requested, text, sha256: sha256(text) },
    ...(stop < requested ? { next_cursor: expect.any(String) as string } : {}),
    metrics: { ...any, bytes_read: [...text].length, lines_returned: linesIn(text) },
  }
}

const limits: { maxChars?: number; maxLines?: number }[] = [
  {},
  ...[{ maxChars: 0 }, { maxChars: 1 }, { maxChars: 2 }, { maxChars: 5 }],
  ...[{ maxLines: 0 }, { maxLines: 1 }, { maxLines: 2 }, { maxLines: 3, maxChars: 4 }],
]

test.each(Object.entries(samples))(
  'every range of characters of the text %s',
  async (path, raw) => {
    const corpus = corpusWith(samples)
    const total = [...raw].length
    for (let start = 0; start <= total + 1; start++) {
      for (const end of [0, start, start + 1, start + 2, start + 5, total - 1, total, total + 9]) {
        for (const limit of limits) {
          if (end < 0 || (end < total - 1 && Object.keys(limit).length > 0)) continue
          const asked = { path, start_char: start, end_char: end, hash: true }
          const found = await corpus.read({
            ...asked,
            max_chars: limit.maxChars,
            max_lines: limit.maxLines,
          })
          const what = JSON.stringify([start, end, limit])
          expect(found, what).toEqual(expectedChars(path, raw, { start, end, ...limit }))
        }
      }
    }
  },
)

test.each(Object.entries(samples))('every range of bytes of the text %s', async (path, raw) => {
  const corpus = corpusWith(samples)
  const total = Buffer.byteLength(raw)
  for (let start = 0; start <= total + 1; start++) {
    for (const end of [0, start, start + 1, start + 3, start + 6, total - 1, total, total + 9]) {
      for (const limit of limits) {
        if (end < 0 || (end < total - 1 && Object.keys(limit).length > 0)) continue
        const asked = { path, start_byte: start, end_byte: end, hash: true }
        const found = await corpus.read({
          ...asked,
          max_chars: limit.maxChars,
          max_lines: limit.maxLines,
        })
        const what = JSON.stringify([start, end, limit])
        expect(found, what).toEqual(expectedBytes(path, raw, { start, end, ...limit }))
      }
    }
  }
})

const words = 'ask for a range of lines, of characters or of bytes, not for two of them'

test.each<Omit<ReadArgs, 'path'>>([
  { start_char: 0, start_byte: 0 },
  { end_char: 0, end_byte: 0 },
  { start_char: 0, end_byte: 0 },
  { start_char: 0, start_line: 1 },
  { end_char: 0, end_line: 1 },
  { start_byte: 0, end_line: 1 },
  { end_byte: 0, start_line: 1 },
])('refuses %j, which are two kinds of range', async (range) => {
  await expect(corpusWith(samples).read({ path: 'ascii', ...range })).rejects.toThrow(
    expect.objectContaining({ message: words, code: 'argument' }) as Error,
  )
})

test('one bound of a range is enough, and null counts as absent', async () => {
  const corpus = corpusWith(samples)
  const read = async (range: object): Promise<string> =>
    (await corpus.read({ path: 'ascii', ...range })).text
  expect(await read({ start_char: 9 })).toBe('four')
  expect(await read({ end_char: 3 })).toBe('one')
  expect(await read({ start_byte: 9 })).toBe('four')
  expect(await read({ end_byte: 3 })).toBe('one')
  expect(await read({ end_byte: 3, start_char: null, start_line: null })).toBe('one')
  expect(await read({ start_char: 9, end_line: null })).toBe('four')
  expect(await read({ start_char: null, end_char: null, start_byte: null })).toBe('one')
})

async function pagesOf(corpus: Corpus, args: ReadArgs): Promise<ReadResult[]> {
  const pages: ReadResult[] = []
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    const page: ReadResult = await corpus.read({ ...args, cursor })
    pages.push(page)
    cursor = page.next_cursor
  }
  return pages
}

test.each([
  [{ start_char: 1 }, 'start_char', 'end_char'],
  [{ start_byte: 1 }, 'start_byte', 'end_byte'],
] as const)('an answer of few bytes is cut, and the pages join (%j)', async (range, from, to) => {
  const text = 'aé"\n\u0001😀b\tz'.repeat(6)
  const corpus = corpusWith({ a: text })
  for (const max_answer of [1, 14, 15, 40, 41, 42, 300, 100_000]) {
    const pages = await pagesOf(corpus, { path: 'a', ...range, max_answer })
    expect(pages.map((page) => page.text).join('')).toBe(text.slice(1))
    for (const [at, page] of pages.entries()) {
      if (at > 0) expect(page[from]).toBe(pages[at - 1]?.[to])
      const isOne = [...page.text].length === 1
      if (max_answer > 14)
        expect(JSON.stringify(page.text).length <= max_answer || isOne).toBe(true)
    }
    if (max_answer === 100_000) expect(pages.length).toBe(1)
  }
})

test('an answer with lines takes as many characters as fit', async () => {
  const corpus = corpusWith({ a: 'ab\ncd\u00e9\nef\n' })
  const read = async (max_answer: number, more: object = {}) => {
    const { text, start_line, end_line, truncated } = await corpus.read({
      ...{ path: 'a', end_line: 9, max_answer },
      ...more,
    })
    return [text, start_line, end_line, truncated]
  }
  // As JSON: two quotes, nine characters, of which two line feeds take one more and é five more.
  expect(await read(18)).toEqual(['ab\ncdé\nef', 1, 3, false])
  expect(await read(17)).toEqual(['ab\ncdé\ne', 1, 3, true])
  expect(await read(16)).toEqual(['ab\ncdé\n', 1, 2, true])
  expect(await read(15)).toEqual(['ab\ncdé', 1, 2, true])
  expect(await read(13)).toEqual(['ab\ncd', 1, 2, true])
  expect(await read(1)).toEqual(['a', 1, 1, true])
  expect(await read(18, { max_chars: 3 })).toEqual(['ab\n', 1, 1, true])
})
