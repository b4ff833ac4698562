import { afterAll, expect, it } from 'vitest'
import { imported, messages, removeLogs, write } from '../../test/imported-log.ts'

afterAll(removeLogs)

it('a log of one message is a session', async () => {
  const line = { type: 'user', sessionId: 's', message: { content: 'go' } }
  const run = await imported('claude', write('short/s.jsonl', line))
  expect(run.attempts).toHaveLength(1)
  expect(messages(run)).toEqual(['user text: go'])
})

it('a log of one call is a session', async () => {
  const content = [{ type: 'tool_use', id: 'c', name: 'Bash', input: {} }]
  const line = { type: 'assistant', sessionId: 's', message: { content } }
  const run = await imported('claude', write('short/c.jsonl', line))
  expect(run.attempts).toHaveLength(1)
  expect(messages(run)).toEqual([])
})
