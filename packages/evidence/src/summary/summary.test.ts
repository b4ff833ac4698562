import { appendFileSync, readFileSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { event, Lab, writeTrace } from '../../test/lab.ts'
import { lineHash } from '@zee/core/chain'
import { summariseTrace } from './summary.ts'

const lab = new Lab()
afterAll(() => lab.remove())

const megabyte = 1024 * 1024

test.each([
  ['no line', ''],
  ['a blank line', ' \n'],
  ['more blank lines than fit into the read buffer', ' \n'.repeat(megabyte)],
])('summariseTrace hashes the last line that is not blank, followed by %s', (_, blank) => {
  const attempt = lab.attempt({}, '001-hello-r1')
  const many = Array.from({ length: 3000 }, (_none, index) =>
    event(attempt, { input: { argv: ['echo', `${index}`.repeat(50)] } }),
  )
  writeTrace(attempt, many)
  const file = attempt.file('tool.calls.jsonl')
  const last = readFileSync(file, 'utf8').trimEnd().split('\n').at(-1) ?? ''
  appendFileSync(file, blank)
  const from = { path: attempt.folder, within: attempt.folder }
  const summary = summariseTrace(from, 'tool.calls.jsonl', { strict: false, level: 'action' })
  expect(summary).toMatchObject({ lines: 3000, invalidLines: 0 })
  expect(summary.root).toBe(lineHash(Buffer.from(last)))
})

test('summariseTrace sums the tokens that models reported to the HTTP proxy', () => {
  const attempt = lab.attempt({}, '002-hello-r1')
  const usage = { inputTokens: 80, cachedInputTokens: 16, outputTokens: 9, totalTokens: 105 }
  const answer = (model: string, tokens: object = usage) =>
    event(attempt, {
      tool: 'http',
      op: 'request',
      enrichment: { http: { status: 200, usage: { model, ...tokens } } },
    })
  const total = () => {
    const from = { path: attempt.folder, within: attempt.folder }
    const options = { strict: false, level: 'action' } as const
    return summariseTrace(from, 'tool.calls.jsonl', options).usage.total()
  }
  writeTrace(attempt, [
    answer('m'),
    answer('m'),
    event(attempt),
    answer('m', { totalTokens: -1.5 }),
  ])
  expect(total()).toEqual({
    ...{ model: 'm', totalTokens: 210, inputTokens: 160, outputTokens: 18 },
    ...{ cachedInputTokens: 32, cacheWriteTokens: 0 },
  })
  writeTrace(attempt, [answer('m'), answer('other')])
  expect(total()).not.toHaveProperty('model')
  writeTrace(attempt, [event(attempt)])
  expect(total()).toBeUndefined()
})
