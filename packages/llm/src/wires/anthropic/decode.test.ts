import type { Anthropic } from '@anthropic-ai/sdk'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decode, decodeEverywhere, fixture, type Decoded } from '../../../test/decoding.ts'
import { anthropicMessages } from './anthropic.ts'

const everywhere = (name: string): Decoded =>
  decodeEverywhere(anthropicMessages, 'anthropic', fixture(name))

/** Events of the SDK's types, so that the compiler checks the test data. */
function stream(...events: Anthropic.RawMessageStreamEvent[]): Decoded {
  const lines = events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
  return decode(anthropicMessages, 'anthropic', Buffer.from(lines.join('')))
}

const raw = (text: string): Decoded => decode(anthropicMessages, 'anthropic', Buffer.from(text))

const answer = (value: unknown): Decoded =>
  decode(
    anthropicMessages,
    'anthropic',
    Buffer.from(JSON.stringify(value)),
    [],
    'application/json; charset=utf-8',
  )

describe('a stream of the Messages API, cut at every byte', () => {
  it('yields text despite pings, empty deltas and unknown events, and counts cached input', () => {
    expect(everywhere('anthropic-text.sse')).toEqual({
      events: [
        { type: 'text', text: 'Grüße ' },
        { type: 'text', text: 'an 世界' },
        { type: 'text', text: '🌍!\n' },
        {
          type: 'usage',
          usage: {
            inputTokens: 117,
            outputTokens: 7,
            cachedInputTokens: 100,
            cacheWriteTokens: 5,
          },
        },
        { type: 'stop', reason: 'end', detail: 'end_turn' },
      ],
      failure: undefined,
    })
  })

  it('yields tool calls whose blocks interleave, with CRLF, comments and an empty input that means {}', () => {
    expect(everywhere('anthropic-tools.sse')).toEqual({
      events: [
        { type: 'text', text: 'I will look.' },
        { type: 'tool_call_start', id: 'toolu_A', name: 'read' },
        { type: 'tool_call_start', id: 'toolu_B', name: 'bash' },
        { type: 'tool_call_args', id: 'toolu_A', json: '{"path":"n' },
        { type: 'tool_call_args', id: 'toolu_B', json: '{"command":' },
        { type: 'tool_call_args', id: 'toolu_A', json: 'ötes.txt"}' },
        { type: 'tool_call_end', id: 'toolu_A', name: 'read', input: { path: 'nötes.txt' } },
        { type: 'tool_call_args', id: 'toolu_B', json: '"ls \\"x\\""}' },
        { type: 'tool_call_end', id: 'toolu_B', name: 'bash', input: { command: 'ls "x"' } },
        { type: 'tool_call_start', id: 'toolu_C', name: 'status' },
        { type: 'tool_call_end', id: 'toolu_C', name: 'status', input: {} },
        { type: 'usage', usage: { inputTokens: 12, outputTokens: 31 } },
        { type: 'stop', reason: 'tool_use', detail: 'tool_use' },
      ],
      failure: undefined,
    })
  })

  it('yields thinking with its verbatim signature and redacted thinking, and skips unknown blocks and deltas', () => {
    expect(everywhere('anthropic-thinking.sse')).toEqual({
      events: [
        { type: 'thinking', text: 'Let me ' },
        { type: 'thinking', text: 'see…' },
        {
          type: 'thinking_end',
          part: {
            type: 'thinking',
            text: 'Let me see…',
            signature: 'EqQBCgIYAhIM+/==',
            provider: 'anthropic',
          },
        },
        {
          type: 'thinking_end',
          part: {
            type: 'thinking',
            text: '',
            provider: 'anthropic',
            data: { redacted: 'EmwKAhgBEgy3va3p==' },
          },
        },
        { type: 'text', text: 'Here' },
        { type: 'text', text: ' it is.' },
        { type: 'usage', usage: { inputTokens: 12, outputTokens: 40, thinkingTokens: 22 } },
        { type: 'stop', reason: 'end', detail: 'end_turn' },
      ],
      failure: undefined,
    })
  })

  it('fails at an error event after the text before it', () => {
    expect(everywhere('anthropic-error.sse')).toEqual({
      events: [
        { type: 'usage', usage: { inputTokens: 12, outputTokens: 1 } },
        { type: 'text', text: 'Partial' },
      ],
      failure: { kind: 'api_error', message: 'overloaded_error: Overloaded', details: undefined },
    })
  })

  it('reports a tool input cut off by max_tokens as invalid, with its raw text', () => {
    const { events, failure } = everywhere('anthropic-max-tokens.sse')
    expect(failure).toBeUndefined()
    expect(events).toContainEqual({
      type: 'tool_call_end',
      id: 'toolu_A',
      name: 'write',
      invalid: {
        message: expect.stringMatching(/^Invalid tool input JSON for write: ./) as string,
        raw: '{"path":"a","content":"x',
      },
    })
    expect(events.at(-1)).toEqual({ type: 'stop', reason: 'max_tokens', detail: 'max_tokens' })
  })
})

describe('an incomplete or damaged stream', () => {
  it('is an error if any bytes are missing at its end', () => {
    const bytes = fixture('anthropic-text.sse')
    for (let length = 0; length < bytes.length; length++) {
      const { events, failure } = decode(anthropicMessages, 'anthropic', bytes.subarray(0, length))
      expect(events.some((event) => event.type === 'stop')).toBe(false)
      expect(failure).toMatchObject({
        kind: 'internal',
        message: 'Stream error: the stream ended before message_stop',
      })
    }
  })

  it('is a parse error with the raw text if a known event has invalid JSON', () => {
    expect(raw('event: content_block_delta\ndata: {"type":\n\n').failure).toMatchObject({
      kind: 'parse',
      message: expect.stringMatching(
        /^Invalid JSON in stream event content_block_delta: /,
      ) as string,
      details: '{"type":',
    })
    expect(raw('data: {oops\n\n').failure).toMatchObject({ kind: 'parse' })
  })

  it.each([
    'message_start',
    'content_block_start',
    'content_block_stop',
    'message_delta',
    'message_stop',
    'error',
  ])('is a parse error if %s has invalid JSON; an unknown event is skipped', (name) => {
    expect(raw(`event: ${name}\ndata: {oops\n\n`).failure).toMatchObject({ kind: 'parse' })
    const skipped = raw('event: news\ndata: {oops\n\n').failure
    expect(skipped).toMatchObject({ kind: 'internal' })
  })

  it('ignores data after message_stop', () => {
    const after = Buffer.concat([fixture('anthropic-text.sse'), Buffer.from('data: {oops\n\n')])
    expect(decode(anthropicMessages, 'anthropic', after).failure).toBeUndefined()
  })

  it('yields random text unchanged, wherever it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 6 }),
        fc.array(fc.nat(2000), { maxLength: 20 }),
        (texts, cuts) => {
          const bytes = Buffer.from(
            'data: {"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}\n\n' +
              texts
                .map((text) => ({
                  type: 'content_block_delta',
                  index: 0,
                  delta: { type: 'text_delta', text },
                }))
                .map((event) => `data: ${JSON.stringify(event)}\n\n`)
                .join('') +
              'data: {"type":"message_stop"}\n\n',
          )
          const inside = cuts.filter((cut) => cut < bytes.length)
          const { events } = decode(anthropicMessages, 'anthropic', bytes, inside)
          const got = events.map((event) => (event.type === 'text' ? event.text : '')).join('')
          expect(got).toBe(texts.join(''))
        },
      ),
    )
  })
})

describe('an unusual but valid stream', () => {
  const toolUse = (input: unknown): Anthropic.ToolUseBlock => ({
    type: 'tool_use',
    id: 'toolu_A',
    name: 'read',
    input,
    caller: { type: 'direct' },
  })

  it('may carry the complete input in the start of its block', () => {
    const { events } = stream(
      { type: 'content_block_start', index: 0, content_block: toolUse({ path: 'a' }) },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
    )
    expect(events).toContainEqual({
      type: 'tool_call_end',
      id: 'toolu_A',
      name: 'read',
      input: { path: 'a' },
    })
    expect(events.at(-1)).toMatchObject({ type: 'stop', reason: 'tool_use' })
  })

  it('does not end a tool call whose block is still open', () => {
    const { events, failure } = stream(
      { type: 'content_block_start', index: 0, content_block: toolUse({}) },
      { type: 'message_stop' },
    )
    expect(failure).toBeUndefined()
    expect(events.some((event) => event.type === 'tool_call_end')).toBe(false)
  })

  it('may contain deltas of unknown blocks, which are skipped', () => {
    const delta = { type: 'text_delta', text: 'ghost' } as const
    const { events } = stream(
      { type: 'content_block_delta', index: 9, delta },
      { type: 'message_stop' },
    )
    expect(events.map((event) => event.type)).toEqual(['stop'])
  })

  it.each([
    ['end_turn', 'end'],
    ['stop_sequence', 'end'],
    ['tool_use', 'tool_use'],
    ['max_tokens', 'max_tokens'],
    ['refusal', 'refusal'],
    ['pause_turn', 'other'],
    ['model_context_window_exceeded', 'other'],
  ])('maps the stop reason %s to %s', (word, reason) => {
    const { events } = raw(
      `data: {"type":"message_delta","delta":{"stop_reason":"${word}"}}\n\ndata: {"type":"message_stop"}\n\n`,
    )
    expect(events.at(-1)).toEqual({ type: 'stop', reason, detail: word })
  })
})

describe('a JSON document of the Messages API', () => {
  it('yields the same events as a stream', () => {
    const bytes = fixture('anthropic-message.json')
    for (const type of ['application/json', 'text/plain']) {
      expect(decode(anthropicMessages, 'anthropic', bytes, [10, 60], type)).toEqual({
        events: [
          { type: 'thinking', text: 'Hm.' },
          {
            type: 'thinking_end',
            part: { type: 'thinking', text: 'Hm.', signature: 'SIG', provider: 'anthropic' },
          },
          { type: 'text', text: 'Hello' },
          { type: 'tool_call_start', id: 'toolu_A', name: 'read' },
          { type: 'tool_call_end', id: 'toolu_A', name: 'read', input: { path: 'a' } },
          { type: 'usage', usage: { inputTokens: 3, outputTokens: 9 } },
          { type: 'stop', reason: 'tool_use', detail: 'tool_use' },
        ],
        failure: undefined,
      })
    }
  })

  it('is an api_error if it is an error object with status 200', () => {
    expect(
      answer({ type: 'error', error: { type: 'x_error', message: 'No' } }).failure,
    ).toMatchObject({
      kind: 'api_error',
      message: 'x_error: No',
    })
  })

  it('is a parse error if it is anything else', () => {
    expect(answer([]).failure).toMatchObject({ kind: 'parse' })
    expect(answer({ hello: 1 }).failure).toMatchObject({ kind: 'parse' })
    const page = decode(anthropicMessages, 'anthropic', Buffer.from('<html>'), [], 'text/html')
    expect(page.failure).toMatchObject({
      kind: 'parse',
      message: expect.stringContaining('is the base URL right?') as string,
      details: '<html>',
    })
  })
})
