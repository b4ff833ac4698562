import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { context, decode } from '../../test/decoding.ts'
import { anthropicMessages } from './anthropic/anthropic.ts'
import { openaiChat } from './openai-chat/openai-chat.ts'
import { createStreamDecoder } from './stream-decoder.ts'
import { loadWire, wireNames } from './wires.ts'

const wires = await Promise.all(
  wireNames.map(async (name) => [name, await loadWire(name)] as const),
)

/** Keys and values of the formats, so that random JSON gets past the first checks. */
const words = [
  'type',
  'index',
  'delta',
  'content_block',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'message_start',
  'message_delta',
  'message_stop',
  'text',
  'tool_use',
  'thinking',
  'thinking_delta',
  'signature_delta',
  'input_json_delta',
  'partial_json',
  'usage',
  'choices',
  'message',
  'content',
  'tool_calls',
  'function',
  'name',
  'arguments',
  'id',
  'finish_reason',
  'reasoning_details',
  'candidates',
  'parts',
  'functionCall',
  'args',
  'finishReason',
  'promptFeedback',
  'usageMetadata',
  'response',
  'output',
  'item',
  'output_index',
  'response.output_item.added',
  'response.output_item.done',
  'response.completed',
  'function_call',
  'reasoning',
  'summary',
  'error',
  'stop_reason',
  'input',
  'data',
  'refusal',
  'STOP',
  'length',
]
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5 },
    fc.constantFrom(null, 0, 1, true, '', 'x', '{', ...words),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...words), tie('value'), { maxKeys: 5 }),
  ),
})).value

describe.each(wires)('the decoder of %s', (_, wire) => {
  it('turns arbitrary JSON into events or a specific error', () => {
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), fc.boolean(), (values, streamed) => {
        const text = streamed
          ? values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join('')
          : JSON.stringify(values[0] ?? null)
        const type = streamed ? 'text/event-stream' : 'application/json'
        const { failure } = decode(wire, 'p', Buffer.from(text), [], type)
        expect(failure?.message ?? '').not.toMatch(/cannot be read/)
      }),
      { numRuns: 400 },
    )
  })

  it('turns random bytes into events or an error, without an exception', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        decode(wire, 'p', bytes)
        decode(wire, 'p', bytes, [], 'text/plain')
      }),
    )
  })
})

describe('a response', () => {
  it('without a known type is a stream or a JSON document, depending on its first character', () => {
    const chunk =
      '{"choices":[{"message":{"content":"Hi"},"delta":{"content":"Hi"},"finish_reason":"stop"}]}'
    for (const text of [`\r\n ${chunk}`, `data: ${chunk}\n\n`, `: hi\n\ndata:${chunk}\n\n`]) {
      const { events } = decode(
        openaiChat,
        'p',
        Buffer.from(text),
        [1, 2],
        'application/octet-stream',
      )
      expect(events[0], text).toEqual({ type: 'text', text: 'Hi' })
    }
  })

  it('that never ends a line fails before it fills the memory', () => {
    const decoder = createStreamDecoder(openaiChat, context('p'), 'text/event-stream')
    const chunk = Buffer.alloc(4 * 1024 * 1024, 'x')
    decoder.feed(Buffer.from('data: '))
    for (let n = 0; n < 17 && !decoder.done(); n++) decoder.feed(chunk)
    expect(decoder.failure()).toMatchObject({ kind: 'parse' })
    const whole = createStreamDecoder(openaiChat, context('p'), 'application/json')
    for (let n = 0; n < 17 && !whole.done(); n++) whole.feed(chunk)
    expect(whole.failure()).toMatchObject({
      kind: 'parse',
      message: expect.stringMatching(/larger than/) as string,
    })
  })

  it('that is one document may have 64 MiB, and not one byte more', () => {
    const document = Buffer.from(
      '{"choices":[{"message":{"content":"Hi"},"finish_reason":"stop"}]}',
    )
    const blanks = Buffer.alloc(64 * 1024 * 1024 - document.length, ' ')
    const decoder = createStreamDecoder(openaiChat, context('p'), 'application/json; charset=utf-8')
    decoder.feed(blanks)
    decoder.feed(document)
    expect(decoder.end()[0]).toEqual({ type: 'text', text: 'Hi' })
    const larger = createStreamDecoder(openaiChat, context('p'), 'application/json')
    larger.feed(blanks)
    larger.feed(document)
    larger.feed(Buffer.from(' '))
    expect(larger.failure()?.message).toMatch(/larger than/)
  })

  it('that arrives a few bytes at a time takes linear time', () => {
    const text = JSON.stringify({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'x'.repeat(1_000_000) },
    })
    const start = '{"type":"content_block_start","index":0,"content_block":{"type":"text"}}'
    const bytes = Buffer.from(
      `data: ${start}\n\ndata: ${text}\n\ndata: {"type":"message_stop"}\n\n`,
    )
    const cuts = Array.from({ length: Math.floor(bytes.length / 7) }, (_, n) => n * 7)
    const { events } = decode(anthropicMessages, 'p', bytes, cuts)
    expect(events[0]?.type === 'text' && events[0].text.length).toBe(1_000_000)
  }, 10_000)
})

it.each([
  ['application/json', ''],
  ['text/html', ' (text/html)'],
])('an answer of type %s that is no JSON is named with its type', (type, words) => {
  const { failure } = decode(openaiChat, 'openai', Buffer.from('{broken'), [], type)
  expect(failure?.message).toContain(`The answer is not JSON${words}, is the base URL right?`)
})
