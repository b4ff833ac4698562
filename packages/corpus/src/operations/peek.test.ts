import { expect, test } from 'vitest'
import { sha256 } from '../../test/support/answers.ts'
import { corpusWith } from '../../test/support/trees.ts'
import type { PeekResult } from '../corpus.ts'

const five = 'l1\nl2\nl3\nl4\nl5\n'
const any = expect.any(String) as string

function ends({ head, tail, next_cursor: next }: PeekResult): unknown[] {
  const part = (each: PeekResult['head']) => [each.start_line, each.end_line, each.text]
  return [part(head), part(tail), ...(next === undefined ? [] : [next])]
}

test.each([
  [
    { head_lines: 0, tail_lines: 0 },
    [
      [1, 0, ''],
      [6, 5, ''],
    ],
  ],
  [
    { head_lines: 1, tail_lines: 1 },
    [
      [1, 1, 'l1'],
      [5, 5, 'l5'],
    ],
  ],
  [
    { head_lines: 2, tail_lines: 3 },
    [
      [1, 2, 'l1\nl2'],
      [3, 5, 'l3\nl4\nl5'],
    ],
  ],
  [
    { head_lines: 4, tail_lines: 4 },
    [
      [1, 4, 'l1\nl2\nl3\nl4'],
      [2, 5, 'l2\nl3\nl4\nl5'],
    ],
  ],
  [
    { head_lines: 5, tail_lines: 5 },
    [
      [1, 5, five.trim()],
      [1, 5, five.trim()],
    ],
  ],
  [
    { head_lines: 6, tail_lines: 6 },
    [
      [1, 5, five.trim()],
      [1, 5, five.trim()],
    ],
  ],
  [{ head_lines: 2, tail_lines: 1, max_chars: 0 }, [[1, 0, ''], [5, 4, ''], any]],
  [{ head_lines: 2, tail_lines: 1, max_chars: 3 }, [[1, 1, 'l1\n'], [5, 4, ''], any]],
  [{ head_lines: 2, tail_lines: 1, max_chars: 4 }, [[1, 2, 'l1\nl'], [5, 4, ''], any]],
  [{ head_lines: 2, tail_lines: 1, max_chars: 5 }, [[1, 2, 'l1\nl2'], [5, 4, ''], any]],
  [{ head_lines: 2, tail_lines: 1, max_chars: 6 }, [[1, 2, 'l1\nl2'], [5, 5, 'l'], any]],
  [
    { head_lines: 2, tail_lines: 1, max_chars: 7 },
    [
      [1, 2, 'l1\nl2'],
      [5, 5, 'l5'],
    ],
  ],
  [
    { head_lines: 1, tail_lines: 1, max_answer: 8 },
    [
      [1, 1, 'l1'],
      [5, 5, 'l5'],
    ],
  ],
  [
    { head_lines: 1, tail_lines: 1, max_answer: 9 },
    [
      [1, 1, 'l1'],
      [5, 5, 'l5'],
    ],
  ],
  [{ head_lines: 1, tail_lines: 1, max_answer: 7 }, [[1, 1, 'l'], [5, 4, ''], any]],
])('peek with %j returns both ends', async (args, expected) => {
  expect(ends(await corpusWith({ a: five }).peek({ path: 'a', ...args }))).toEqual(expected)
})

test('peek has the path, the lines, hashes on request and metrics', async () => {
  const corpus = corpusWith({ 'd/a': five, e: '' })
  const slice = (text: string) => ({ text, sha256: sha256(text) })
  expect(await corpus.peek({ path: 'd/../d/a', head_lines: 1, tail_lines: 2, hash: true })).toEqual(
    {
      path: 'd/a',
      total_lines: 5,
      head: { start_line: 1, end_line: 1, ...slice('l1') },
      tail: { start_line: 4, end_line: 5, ...slice('l4\nl5') },
      metrics: { time_ms: expect.any(Number), bytes_read: 15, files_scanned: 1 },
    },
  )
  expect(ends(await corpus.peek({ path: 'e', max_chars: 0 }))).toEqual([
    [0, 0, ''],
    [0, 0, ''],
  ])
})

test('pages of a peek continue the head, then the tail, and an end that is done is empty', async () => {
  const corpus = corpusWith({ a: five })
  const pages: unknown[] = []
  let cursor: string | undefined
  do {
    const page = await corpus.peek({
      path: 'a',
      head_lines: 2,
      tail_lines: 2,
      max_chars: 4,
      cursor,
    })
    pages.push(ends(page).slice(0, 2))
    cursor = page.next_cursor
  } while (cursor !== undefined)
  expect(pages).toEqual([
    [
      [1, 2, 'l1\nl'],
      [4, 3, ''],
    ],
    [
      [2, 2, '2'],
      [4, 4, 'l4\n'],
    ],
    [
      [3, 2, ''],
      [5, 5, 'l5'],
    ],
  ])
})
