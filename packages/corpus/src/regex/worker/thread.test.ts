import { MessageChannel } from 'node:worker_threads'
import { expect, test } from 'vitest'
import { compileRegex } from '../regex.ts'
import type { RegexReply, SearchJob, TestJob } from './jobs.ts'
import { serveRegex } from './thread.ts'

/** The reply of the worker's loop, run in this thread. */
async function replyTo(job: SearchJob | TestJob): Promise<RegexReply> {
  const { port1, port2 } = new MessageChannel()
  serveRegex(port2)
  const reply = new Promise<RegexReply>((resolve) => port1.once('message', resolve))
  port1.postMessage(job)
  try {
    return await reply
  } finally {
    port1.close()
  }
}

function searchJob(texts: string[], limits: { perFile?: number; limit?: number } = {}): SearchJob {
  const bytes = new SharedArrayBuffer(Buffer.byteLength(texts.join('')) + 1)
  const spans: number[] = []
  let offset = 0
  for (const text of texts) {
    const length = Buffer.from(bytes).write(text, offset)
    spans.push(offset, length)
    offset += length
  }
  const { program } = compileRegex(String.raw`(x)\1`, { lines: true })
  return { kind: 'search', program, bytes, spans, perFile: 9, limit: 9, ...limits }
}

test.each([
  ['all lines of all files', {}, [[1, 2, 2, 1, 3, 1], [], [1, 1]]],
  ['at most two lines of a file', { perFile: 2 }, [[1, 2, 2, 1], [], [1, 1]]],
  ['at most three lines in total', { limit: 3 }, [[1, 2, 2, 1, 3, 1]]],
  ['at most four lines in total', { limit: 4 }, [[1, 2, 2, 1, 3, 1], [], [1, 1]]],
  ['at most one line in total', { limit: 1 }, [[1, 2]]],
  ['no line', { limit: 0 }, []],
])('the loop of the regex worker finds %s', async (_, limits, found) => {
  const reply = await replyTo(searchJob(['axx\nxx\nxx', 'x\nx', 'xx'], limits))
  expect(reply).toEqual({ kind: 'search', found, ms: expect.any(Number) })
})

test('the loop of the regex worker tests texts with the program of the job', async () => {
  const texts = ['ab', 'aa', '']
  for (const [pattern, found] of [
    [String.raw`(a)\1`, [false, true, false]],
    ['(?=ab)', [true, false, false]],
    [String.raw`(a)\1`, [false, true, false]],
  ] as const) {
    const { program } = compileRegex(pattern, { lines: false })
    const reply = await replyTo({ kind: 'test', program, texts })
    expect(reply).toMatchObject({ kind: 'test', found })
  }
})

test('the loop of the regex worker replies that a pattern is too large to run', async () => {
  const { program } = compileRegex('a', { lines: true })
  const broken = { ...program, ascii: '(', unicode: '(' } as typeof program
  expect(await replyTo({ ...searchJob(['a']), program: broken })).toEqual({
    kind: 'failed',
    code: 'regex',
    message: 'regex is too large to run',
  })
})
