import { expect, test } from 'vitest'
import { recordedTranscript } from '../../test/recorded-transcript.ts'
import type { Loose } from './log-values.ts'
import { readOpencode } from './opencode.ts'
import { readTranscript, type ImportProgram } from './read-logs.ts'

const item = (payload: object) => ({ type: 'response_item', payload })
const said = (role: string, content: unknown) => ({
  type: 'message',
  id: role,
  message: { role, content },
})

test.each<[Exclude<ImportProgram, 'opencode'>, Loose[], string[]]>([
  [
    'claude',
    [
      { type: 'summary', summary: 's' },
      { type: 'user', isMeta: true, message: { content: 'note' } },
      { type: 'assistant', isSidechain: true, message: { content: [] } },
      { type: 'user', message: { content: [{ type: 'text', text: 'see' }, { type: 'image' }] } },
      { type: 'assistant', message: { content: [{ type: 'server_tool_use', id: 'w' }] } },
    ],
    [
      'record summary',
      'note of the program',
      'record of a subagent',
      'content image',
      'content server_tool_use',
    ],
  ],
  [
    'codex',
    [
      item({ type: 'message', role: 'developer', content: [] }),
      item({ type: 'message', role: 'user', content: '<environment_context>' }),
      item({ type: 'message', role: 'user', content: [{ type: 'input_image' }] }),
      item({ type: 'web_search_call', id: 'w' }),
      { type: 'compacted', payload: {} },
      { type: 'event_msg', payload: { type: 'user_message' } },
    ],
    [
      'message developer',
      'message of the program',
      'content input_image',
      'item web_search_call',
      'record compacted',
    ],
  ],
  [
    'gemini',
    [
      { type: 'info', id: '1', content: 'note' },
      { type: 'user', id: '2', content: [{ text: 'see' }, { inlineData: {} }] },
    ],
    ['message info', 'content inlineData'],
  ],
  [
    'pi',
    [
      said('user', [{ type: 'text', text: 'see' }, { type: 'image' }]),
      { type: 'message', id: 'other', message: { role: 'user', content: 'not this' } },
      { type: 'compaction', id: 'c', parentId: 'user' },
    ],
    ['message of another branch', 'record compaction', 'content image'],
  ],
])('a log of %s counts what a conversation has no place for', (program, lines, kinds) => {
  const builder = recordedTranscript()
  readTranscript(program, builder, lines, { fallbackId: 'f', file: '/nowhere/a.jsonl' })
  expect(builder.others).toEqual(kinds)
})

test('a document of Gemini without an id has no unread record', () => {
  const lines = [{ messages: [{ type: 'user', id: '1', content: 'hi' }] }]
  const place = { fallbackId: 'f', file: '/nowhere/a.json' }
  expect(readTranscript('gemini', recordedTranscript(), lines, place).unread).toBe(0)
})

test('a session of OpenCode counts what a conversation has no place for', () => {
  const builder = recordedTranscript()
  const parts = ['step-start', 'text', 'file', 'patch'].map((type) => ({ type, text: 't' }))
  const synthetic = { type: 'text', text: 't', synthetic: true }
  const messages = [{ message: { role: 'user' }, parts: [...parts, synthetic] }]
  readOpencode(builder, { session: { id: 's' }, messages, unread: 0 })
  expect(builder.others).toEqual(['part file', 'part patch', 'part synthetic text'])
})

test('the times of a log keep their milliseconds, also those of calls', () => {
  const builder = recordedTranscript()
  const state = { status: 'completed', output: '', time: { start: 1_200, end: 1_700 } }
  const parts = [{ type: 'tool', callID: 'c', tool: 'bash', state }]
  const messages = [{ message: { role: 'assistant', time: { created: 1_000 } }, parts }]
  readOpencode(builder, { session: { id: 's' }, messages, unread: 0 })
  expect(builder.said.map((values) => values.at(-1))).toEqual([
    '1970-01-01T00:00:01.200Z',
    '1970-01-01T00:00:01.700Z',
  ])
})
