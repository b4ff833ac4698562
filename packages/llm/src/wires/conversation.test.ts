import { describe, expect, it } from 'vitest'
import type { Message, Part } from '../request/request.ts'
import { arrangeConversation, createIdMap, safeToolName } from './conversation.ts'

const text = (value: string): Part => ({ type: 'text', text: value })
const thinking: Part = { type: 'thinking', text: 't', provider: 'p' }
const result: Part = { type: 'tool_result', id: 'c', content: 'r', isError: false }
const arrange = (messages: Message[], system?: string) =>
  arrangeConversation({ model: 'm', messages, ...(system === undefined ? {} : { system }) })

describe('a conversation for a vendor', () => {
  it('joins the system text of the request with that of messages, without blank ones', () => {
    const messages: Message[] = [
      { role: 'system', parts: [text('two')] },
      { role: 'system', parts: [text(' \n')] },
      { role: 'user', parts: [text('hi')] },
    ]
    expect(arrange(messages, 'one').system).toBe('one\n\ntwo')
    expect(arrange([{ role: 'user', parts: [text('hi')] }]).system).toBeUndefined()
  })

  it('starts and ends with the user', () => {
    const roles = arrange([{ role: 'assistant', parts: [text('a')] }]).messages.map(
      ({ role, parts }) => [role, parts],
    )
    expect(roles).toEqual([
      ['user', [text('(The beginning is not shown.)')]],
      ['assistant', [text('a')]],
      ['user', [text('Continue.')]],
    ])
  })

  it('puts results before the text of a user message, and leaves out blank text', () => {
    const parts = [text('after'), text(' '), result]
    expect(arrange([{ role: 'user', parts }]).messages[0]?.parts).toEqual([result, text('after')])
  })

  it('keeps thinking beside other parts, and leaves out a message that has nothing else', () => {
    const user: Message = { role: 'user', parts: [text('hi')] }
    const both: Message = { role: 'assistant', parts: [thinking, text('a')] }
    const alone: Message = { role: 'assistant', parts: [thinking, text('')] }
    expect(arrange([user, both, user]).messages[1]?.parts).toEqual([thinking, text('a')])
    expect(arrange([user, alone, user]).messages.map(({ role }) => role)).toEqual(['user', 'user'])
  })
})

describe('the ids of calls', () => {
  it('are unique, have no special characters and at most the given length', () => {
    const ids = createIdMap(6)
    expect([ids.call('a.b'), ids.call('a.b'), ids.call('a.b')]).toEqual(['a_b', 'a_b_2', 'a_b_3'])
    expect([ids.call('longest'), ids.call('longest')]).toEqual(['longes', 'long_2'])
    expect(ids.call('')).toBe('call')
  })

  it('pair the results of calls with the same id in order; other results keep a valid id', () => {
    const ids = createIdMap(64)
    ids.call('x')
    ids.call('x')
    expect([ids.result('x'), ids.result('x'), ids.result('x')]).toEqual(['x', 'x_2', 'x'])
    expect(createIdMap(3).result('a.bcd')).toBe('a_b')
  })
})

it('a tool name has at most 64 word characters', () => {
  expect(safeToolName('a b/c')).toBe('a_b_c')
  expect(safeToolName('n'.repeat(65))).toBe('n'.repeat(64))
  expect(safeToolName('')).toBe('unknown')
})
