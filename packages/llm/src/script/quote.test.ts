import { expect, it } from 'vitest'
import { say } from '../../test/messages.ts'
import type { Message, Part } from '../request/request.ts'
import { fillText, fillValue, lastUserText } from './quote.ts'

const result = (content: string): Part => ({
  type: 'tool_result',
  id: '1',
  content,
  isError: false,
})
const messages: Message[] = [
  say('user', 'first v1', ' and more'),
  say('assistant', { type: 'thinking', text: 'thought v2', provider: 'p' }, 'answer v3', {
    type: 'tool_call',
    id: '1',
    name: 'read',
    input: { path: 'input v4' },
  }),
  say('user', result('{"old":1}')),
  say('user', { type: 'image', mediaType: 'image/png', data: 'v9' }, 'last'),
  say('user', result('{"ok":true,"data":{"path":"/x","ok":"inner","none":null}}')),
]
const from = { system: 'system v0', messages }

it('the last text of the user is that of the last message with text', () => {
  expect(lastUserText(messages)).toBe('last')
  expect(lastUserText(messages.slice(0, 2))).toBe('first v1 and more')
  expect(lastUserText([say('assistant', 'a')])).toBe('')
})

it.each([
  ['{{user}}', 'last'],
  ['{{last_tool.ok}} {{last_tool.path}} {{last_tool.data.ok}}', 'true /x inner'],
  ['{{find:/v\\d/}}', 'v0'],
  ['{{find:/first (v\\d)/}}', 'v1'],
  ['{{find:/THOUGHT v\\d/i}}', 'thought v2'],
  ['{{find:/THOUGHT v\\d/gi}}', 'thought v2'],
  ['{{find:/answer v\\d/}}', 'answer v3'],
  ['{{find:/input v\\d/}}', 'input v4'],
  ['{{find:/"old":1/}}', '"old":1'],
  ['{{find:/(x)?last/}}', 'last'],
  [
    '{{users}} {{last_tool.}} {{find://}} {{find:/a}}',
    '{{users}} {{last_tool.}} {{find://}} {{find:/a}}',
  ],
])('%s is filled as %j', (text, filled) => {
  expect(fillText(text, from)).toBe(filled)
})

it.each([
  '{{find:/v9/}}',
  '{{last_tool.none.deep}}',
  '{{last_tool.data.stderr}}',
  '{{last_tool.toString}}',
])('%s matches nothing', (text) => {
  expect(() => fillText(`a ${text}`, from)).toThrow(`${text} matches nothing in the request`)
})

it('a quote of a tool result fails without one, and in a result that is not JSON', () => {
  expect(() => fillText('{{last_tool}}', { messages: [] })).toThrow('{{last_tool}} matches nothing')
  const plain = { messages: [say('user', result('plain'))] }
  expect(fillText('{{last_tool}}', plain)).toBe('plain')
  expect(() => fillText('{{last_tool.x}}', plain)).toThrow('{{last_tool.x}} matches nothing')
})

it('a request without a system text can be searched', () => {
  expect(fillText('[{{find:/^$|last/}}]', { messages })).toBe('[]')
  expect(fillText('{{find:/last/}}', { messages })).toBe('last')
})

it('a value keeps the type of a quote that stands alone, at every depth', () => {
  const value = {
    a: '{{last_tool.ok}}',
    b: ['{{last_tool.data}}', '{{last_tool.ok}}!', '{{user}}{{user}}', 5, null],
  }
  expect(fillValue(value, from)).toEqual({
    a: true,
    b: [{ path: '/x', ok: 'inner', none: null }, 'true!', 'lastlast', 5, null],
  })
})
