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
