// A session can switch providers: every wire format encodes any history as a request that satisfies
// the rules of its vendor.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { context } from '../../test/decoding.ts'
import type { Message, Part } from '../request/request.ts'
import { encodeAnthropic, type AnthropicBlock } from './anthropic/encode.ts'
import { encodeGemini } from './gemini/encode.ts'
import { encodeChat } from './openai-chat/encode.ts'
import { encodeResponses } from './openai-responses/encode.ts'

const text = fc
  .constantFrom('', ' ', '\n', 'Hi', 'Grüße 世界')
  .map((text): Part => ({ type: 'text', text }))
const id = fc.constantFrom('call_0', 'call:0', 'toolu_01', 'x|y', 'é', 'a'.repeat(200))
const name = fc.constantFrom('read', 'my.tool', '', 'n'.repeat(99))
const thinking = fc
  .tuple(
    fc.constantFrom('anthropic', 'gemini', 'openai-responses', 'openrouter'),
    fc.option(fc.constant('SIG=='), { nil: undefined }),
    fc.option(fc.constantFrom({ redacted: 'R' }, { call: 'call_0' }, { id: 'rs_1' }), {
      nil: undefined,
    }),
  )
  .map(([provider, signature, data]): Part => ({
    type: 'thinking',
    text: 'Hm',
    provider,
    signature,
    data,
  }))

/** Every call has a result, which the repair of sessions guarantees; the rest is random. */
const round = fc
  .tuple(
    fc.array(fc.oneof(text, thinking), { maxLength: 3 }),
    fc.array(fc.tuple(id, name), { maxLength: 3 }),
    fc.array(text, { maxLength: 2 }),
  )
  .map(([said, named, after]): Message[] => {
    const calls = named.filter(([id], at) => named.findIndex(([other]) => other === id) === at)
    const results = calls.map(([id]): Part => ({
      type: 'tool_result',
      id,
      content: '{"ok":true}',
      isError: false,
    }))
    return [
      {
        role: 'assistant',
        parts: [
          ...said,
          ...calls.map(([id, name]): Part => ({ type: 'tool_call', id, name, input: {} })),
        ],
      },
      ...(results.length + after.length > 0
        ? [{ role: 'user' as const, parts: [...after, ...results] }]
        : []),
    ]
  })
const history = fc
  .tuple(fc.array(round, { maxLength: 5 }), fc.boolean())
  .map(([rounds, begins]): Message[] => [
    ...(begins
      ? [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'Begin' }] }]
      : []),
    ...rounds.flat(),
    { role: 'user', parts: [{ type: 'text', text: 'Go on' }] },
  ])

describe('every history', () => {
  it('satisfies the Messages API: roles, pairs, ids, no blank text', () => {
    fc.assert(
      fc.property(history, (messages) => {
        const body = encodeAnthropic({ model: 'm', messages }, context('anthropic'))
        const turns = body.messages.map(({ role, content }) => ({
          role,
          blocks:
            typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content,
        }))
        expect(turns[0]?.role).toBe('user')
        expect(turns.at(-1)?.role).toBe('user')
        const ids = new Set<string>()
        for (const [at, { role, blocks }] of turns.entries()) {
          expect(blocks.length).toBeGreaterThan(0)
          for (const block of blocks) checkBlock(block, role, ids)
          const called = blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []))
          const answered = (turns[at + 1]?.blocks ?? []).flatMap((block) =>
            block.type === 'tool_result' ? [block.tool_use_id] : [],
          )
          if (called.length > 0) expect(answered.toSorted()).toEqual(called.toSorted())
          const order = blocks.map(({ type }) => (type === 'tool_result' ? 0 : 1))
          if (role === 'user') expect(order).toEqual(order.toSorted())
        }
      }),
    )
  })

  it('satisfies Chat Completions: every call is followed by a result with its id', () => {
    fc.assert(
      fc.property(history, (messages) => {
        const body = encodeChat({ model: 'm', messages }, context('openai'))
        let waiting: string[] = []
        for (const message of body.messages) {
          if (message.role === 'tool') {
            expect(waiting).toContain(message.tool_call_id)
            waiting = waiting.filter((id) => id !== message.tool_call_id)
            continue
          }
          expect(waiting).toEqual([])
          if (message.role === 'assistant') waiting = (message.tool_calls ?? []).map(({ id }) => id)
          expect(new Set(waiting).size).toBe(waiting.length)
          expect(waiting.every((id) => id.length <= 40)).toBe(true)
        }
      }),
    )
  })

  it('satisfies Gemini: roles alternate, and each call has a result of its name', () => {
    fc.assert(
      fc.property(history, (messages) => {
        const { contents } = encodeGemini({ model: 'gemini-3-pro', messages }, context('gemini'))
        for (const [at, { role, parts }] of contents.entries()) {
          expect(role).toBe(at % 2 === 0 ? 'user' : 'model')
          expect(parts.length).toBeGreaterThan(0)
          const calls = parts.flatMap((part) =>
            'functionCall' in part ? [part.functionCall.name] : [],
          )
          const next = contents[at + 1]?.parts ?? []
          const results = next.flatMap((part) =>
            'functionResponse' in part ? [part.functionResponse.name] : [],
          )
          if (calls.length > 0) expect(results).toEqual(calls)
        }
        expect(contents.at(-1)?.role).toBe('user')
      }),
    )
  })

  it('satisfies Responses: every call has an output, and another item follows reasoning', () => {
    fc.assert(
      fc.property(history, (messages) => {
        const { input } = encodeResponses({ model: 'm', messages }, context('openai-responses'))
        const calls = input.flatMap((item) =>
          'type' in item && item.type === 'function_call' ? [item.call_id] : [],
        )
        const outputs = input.flatMap((item) =>
          'type' in item && item.type === 'function_call_output' ? [item.call_id] : [],
        )
        expect(new Set(calls).size).toBe(calls.length)
        expect(outputs).toEqual(calls)
      }),
    )
  })
})

function checkBlock(block: AnthropicBlock, role: 'user' | 'assistant', ids: Set<string>): void {
  switch (block.type) {
    case 'text':
      return expect(block.text.trim()).not.toBe('')
    case 'tool_use':
      expect(role).toBe('assistant')
      expect(block.id).toMatch(/^[\w-]{1,128}$/)
      expect(block.name).toMatch(/^[\w-]{1,64}$/)
      expect(ids.has(block.id)).toBe(false)
      ids.add(block.id)
      return
    case 'tool_result':
      return expect(role).toBe('user')
    default:
      return expect(role).toBe('assistant')
  }
}
