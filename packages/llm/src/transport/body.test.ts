import { expect, it } from 'vitest'
import { ModelError } from '../errors/errors.ts'
import type { Body } from './body.ts'
import { formatDuration, readBounded } from './body.ts'

/** A body of these chunks; the error, if any, follows them. `reads` counts the chunks taken. */
function bodyOf(chunks: string[], error?: Error): Body & { reads: number } {
  const body = {
    reads: 0,
    discardRest: () => {},
    async *[Symbol.asyncIterator]() {
      for (const chunk of chunks) {
        body.reads += 1
        yield Buffer.from(chunk)
      }
      if (error !== undefined) throw error
    },
  }
  return body
}

it('a bounded read takes no chunk after the last byte that it may return', async () => {
  const body = bodyOf(['abc', 'def', 'ghi'])
  expect(String(await readBounded(body, 6))).toBe('abcdef')
  expect(body.reads).toBe(2)
  expect(String(await readBounded(bodyOf(['abc', 'def']), 4))).toBe('abcd')
})

it('a bounded read ends at a connection fault and passes on other errors', async () => {
  const lost = new ModelError('timeout', 'lost')
  expect(String(await readBounded(bodyOf(['abc'], lost), 10))).toBe('abc')
  const aborted = new Error('aborted')
  await expect(readBounded(bodyOf(['abc'], aborted), 10)).rejects.toBe(aborted)
})

it('a duration is in milliseconds below one second, else in seconds', () => {
  expect([999, 1000, 1600].map(formatDuration)).toEqual(['999 ms', '1 s', '2 s'])
})
