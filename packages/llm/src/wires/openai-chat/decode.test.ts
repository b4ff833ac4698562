import { describe, expect, it } from 'vitest'
import { decode, decodeEverywhere, fixture, type Decoded } from '../../../test/decoding.ts'
import { openaiChat } from './openai-chat.ts'

const everywhere = (name: string, provider = 'openai'): Decoded =>
  decodeEverywhere(openaiChat, provider, fixture(name))

/** Each argument is one chunk. */
function stream(...chunks: unknown[]): Decoded {
  const lines = chunks.map((chunk) =>
    typeof chunk === 'string' ? chunk : `data: ${JSON.stringify(chunk)}\n\n`,
  )
  return decode(openaiChat, 'openai', Buffer.from(lines.join('')))
}

const done = 'data: [DONE]\n\n'
const delta = (delta: object, finish_reason: string | null = null): object => ({
  choices: [{ index: 0, delta, finish_reason }],
})
const call = (piece: object): object => delta({ tool_calls: [piece] })

const answer = (value: unknown): Decoded =>
  decode(openaiChat, 'openai', Buffer.from(JSON.stringify(value)), [], 'application/json')

describe('a stream of Chat Completions, cut at every byte', () => {
  it('yields text despite role-only, empty and null deltas, empty choices, a usage chunk and data after [DONE]', () => {
    expect(everywhere('openai-text.sse')).toEqual({
      events: [
        { type: 'text', text: 'Grüße ' },
        { type: 'text', text: '世界🌍' },
        {
          type: 'usage',
          usage: { inputTokens: 20, outputTokens: 9, cachedInputTokens: 16, thinkingTokens: 4 },
        },
        { type: 'stop', reason: 'end', detail: 'stop' },
      ],
      failure: undefined,
    })
  })

  it('yields several calls by index whose deltas interleave, with CRLF line ends', () => {
    expect(everywhere('openai-tools.sse')).toEqual({
      events: [
        { type: 'text', text: 'Looking.' },
        { type: 'tool_call_start', id: 'call_a', name: 'read' },
        { type: 'tool_call_args', id: 'call_a', json: '{"pa' },
        { type: 'tool_call_start', id: 'call_b', name: 'bash' },
        { type: 'tool_call_args', id: 'call_b', json: '{"command"' },
        { type: 'tool_call_args', id: 'call_a', json: 'th":"ä"}' },
        { type: 'tool_call_args', id: 'call_b', json: ':"ls"}' },
        { type: 'tool_call_start', id: 'call_c', name: 'status' },
        { type: 'tool_call_end', id: 'call_a', name: 'read', input: { path: 'ä' } },
        { type: 'tool_call_end', id: 'call_b', name: 'bash', input: { command: 'ls' } },
        { type: 'tool_call_end', id: 'call_c', name: 'status', input: {} },
        { type: 'stop', reason: 'tool_use', detail: 'tool_calls' },
      ],
      failure: undefined,
    })
  })

  it('does not end the last call at a length stop, even if its start looks complete', () => {
    const { events } = everywhere('openai-length.sse')
    expect(events.filter((event) => event.type === 'tool_call_end').map(({ id }) => id)).toEqual([
      'call_a',
    ])
    expect(events.at(-1)).toEqual({ type: 'stop', reason: 'max_tokens', detail: 'length' })
  })

  it('yields a refusal as text with the stop reason refusal', () => {
    expect(everywhere('openai-refusal.sse').events).toEqual([
      { type: 'text', text: 'I cannot ' },
      { type: 'text', text: 'help.' },
      { type: 'stop', reason: 'refusal', detail: 'stop' },
    ])
  })

  it('reports an error object as an api_error after the text before it', () => {
    expect(everywhere('openai-error.sse')).toEqual({
      events: [{ type: 'text', text: 'Part' }],
      failure: {
        kind: 'api_error',
        message: 'server_error: The server had an error',
        details: undefined,
      },
    })
  })

  it('is complete with a finish reason, even without [DONE]', () => {
    expect(everywhere('openai-no-done.sse')).toEqual({
      events: [
        { type: 'text', text: 'All here' },
        { type: 'stop', reason: 'end', detail: 'stop' },
      ],
      failure: undefined,
    })
  })

  it('joins reasoning details and stores them with their provider', () => {
    const details = [
      {
        type: 'reasoning.text',
        text: 'First, think.',
        format: 'anthropic-claude-v1',
        index: 0,
        signature: 'SIG==',
      },
    ]
    expect(everywhere('openrouter-reasoning.sse', 'openrouter').events.slice(0, 4)).toEqual([
      { type: 'thinking', text: 'First, ' },
      { type: 'thinking', text: 'think.' },
      {
        type: 'thinking_end',
        part: {
          type: 'thinking',
          text: 'First, think.',
          provider: 'openrouter',
          data: { reasoning_details: details },
        },
      },
      { type: 'text', text: 'Done.' },
    ])
  })
})

describe('a stream of a compatible server', () => {
  it('is an error if it ends without a finish reason', () => {
    expect(stream(delta({ content: 'Half' }))).toEqual({
      events: [{ type: 'text', text: 'Half' }],
      failure: {
        kind: 'internal',
        message: 'Stream error: the stream ended before a finish reason',
        details: undefined,
      },
    })
  })

  it('is complete with [DONE] alone', () => {
    expect(stream(delta({ content: 'x' }), done).events.at(-1)).toMatchObject({ reason: 'end' })
  })

  it('ends tool calls whose finish reason is "stop"', () => {
    const { events } = stream(
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }),
      delta({}, 'stop'),
      done,
    )
    expect(events.at(-1)).toMatchObject({ type: 'stop', reason: 'tool_use' })
  })

  it('distinguishes calls by their ids if all have index 0 or none', () => {
    for (const number of [{ index: 0 }, {}]) {
      const { events } = stream(
        call({ ...number, id: 'a', function: { name: 'f', arguments: '{"n":1}' } }),
        call({ ...number, id: 'b', function: { name: 'f', arguments: '{"n":' } }),
        call({ ...number, function: { arguments: '2}' } }),
        delta({}, 'tool_calls'),
        done,
      )
      expect(events.filter((event) => event.type === 'tool_call_end')).toEqual([
        { type: 'tool_call_end', id: 'a', name: 'f', input: { n: 1 } },
        { type: 'tool_call_end', id: 'b', name: 'f', input: { n: 2 } },
      ])
    }
  })

  it('assigns missing call ids, and accepts arguments as an object or null', () => {
    const { events } = stream(
      call({ index: 0, function: { name: 'f', arguments: { n: 1 } } }),
      call({ index: 1, function: { name: 'g', arguments: 'null' } }),
      delta({}, 'tool_calls'),
      done,
    )
    expect(events.filter((event) => event.type === 'tool_call_end')).toEqual([
      { type: 'tool_call_end', id: 'made_1', name: 'f', input: { n: 1 } },
      { type: 'tool_call_end', id: 'made_2', name: 'g', input: {} },
    ])
  })

  it('reports invalid arguments with the call instead of throwing', () => {
    const { events, failure } = stream(
      call({ index: 0, id: 'a', function: { name: 'f', arguments: '{"n":' } }),
      delta({}, 'tool_calls'),
      done,
    )
    expect(failure).toBeUndefined()
    expect(events).toContainEqual({
      type: 'tool_call_end',
      id: 'a',
      name: 'f',
      invalid: {
        message: expect.stringMatching(/^Invalid tool input JSON for f: /) as string,
        raw: '{"n":',
      },
    })
  })

  it('reports errors sent as an object, a string, an error event, an error field or in a choice', () => {
    const message = (...chunks: unknown[]): string | undefined => stream(...chunks).failure?.message
    expect(message({ error: { code: 429, message: 'Slow down' } })).toBe('429: Slow down')
    expect(message({ error: 'model not loaded' })).toBe('model not loaded')
    expect(message('event: error\ndata: {"message":"gone"}\n\n')).toBe('gone')
    expect(message('error: {"code":500,"message":"oom","type":"server_error"}\n\n')).toBe(
      'server_error: oom',
    )
    expect(message({ choices: [{ error: { code: 502, message: 'up' }, delta: {} }] })).toBe(
      '502: up',
    )
  })

  it('reports content filters as refusals and keeps unknown finish reasons as detail', () => {
    expect(stream(delta({}, 'content_filter'), done).events.at(-1)).toEqual({
      type: 'stop',
      reason: 'refusal',
      detail: 'content_filter',
    })
    expect(stream(delta({}, 'eaten'), done).events.at(-1)).toEqual({
      type: 'stop',
      reason: 'other',
      detail: 'eaten',
    })
  })

  it('yields reasoning_content as thinking that ends when the text starts', () => {
    expect(
      stream(
        delta({ reasoning_content: 'Hm' }),
        delta({ content: 'Yes' }),
        delta({}, 'stop'),
        done,
      ).events.slice(0, 3),
    ).toEqual([
      { type: 'thinking', text: 'Hm' },
      { type: 'thinking_end', part: { type: 'thinking', text: 'Hm', provider: 'openai' } },
      { type: 'text', text: 'Yes' },
    ])
  })

  it('is a parse error if it is not JSON', () => {
    expect(stream('data: {oops\n\n').failure).toMatchObject({ kind: 'parse' })
    expect(stream('data: 5\n\n').failure).toMatchObject({ kind: 'parse' })
  })
})

describe('a JSON document of Chat Completions', () => {
  it('yields the same events as a stream', () => {
    const bytes = fixture('openai-completion.json')
    expect(decode(openaiChat, 'openai', bytes, [5], 'application/json')).toEqual({
      events: [
        { type: 'text', text: 'Hello' },
        { type: 'tool_call_start', id: 'call_a', name: 'read' },
        { type: 'tool_call_args', id: 'call_a', json: '{"path":"a"}' },
        { type: 'tool_call_end', id: 'call_a', name: 'read', input: { path: 'a' } },
        { type: 'usage', usage: { inputTokens: 5, outputTokens: 2 } },
        { type: 'stop', reason: 'tool_use', detail: 'tool_calls' },
      ],
      failure: undefined,
    })
  })

  it('is an empty answer if its content is null', () => {
    expect(
      answer({ choices: [{ message: { content: null }, finish_reason: 'stop' }] }).events,
    ).toEqual([{ type: 'stop', reason: 'end', detail: 'stop' }])
  })

  it('is a parse error if it has another shape, and an api_error if it is an error object', () => {
    expect(answer({ choices: [] }).failure).toMatchObject({ kind: 'parse' })
    expect(answer('hi').failure).toMatchObject({ kind: 'parse' })
    expect(answer({ error: { message: 'No' } }).failure).toMatchObject({
      kind: 'api_error',
      message: 'No',
    })
  })
})

it('a call whose name arrives after its arguments starts with the name', () => {
  const { events } = stream(
    call({ index: 0, id: 'a', function: { arguments: '{"x":' } }),
    call({ index: 0, function: { name: 'read', arguments: '1}' } }),
    delta({}, 'tool_calls'),
    done,
  )
  expect(events.slice(0, 2)).toEqual([
    { type: 'tool_call_start', id: 'a', name: 'read' },
    { type: 'tool_call_args', id: 'a', json: '{"x":' },
  ])
})

describe('an answer that is one document', () => {
  const tools = [{ id: 'a', function: { name: 'status', arguments: '' } }]

  it.each([[{}], [{ content: null }], [{ content: '' }], [{ content: [] }]])(
    'may have the message %j beside its calls',
    (message) => {
      const choices = [{ message: { ...message, tool_calls: tools }, finish_reason: 'tool_calls' }]
      expect(answer({ choices })).toMatchObject({
        events: [{ type: 'tool_call_start', name: 'status' }, {}, {}],
        failure: undefined,
      })
    },
  )

  it('is refused when its content is not text', () => {
    const choices = [{ message: { content: 7 }, finish_reason: 'stop' }]
    expect(answer({ choices }).failure?.message).toMatch(/The content of the answer is not text/)
  })
})

it('the last event of a stream counts without its blank line, if it is complete', () => {
  const text = delta({ content: 'x' }, 'stop')
  const last = `data: ${JSON.stringify(text)}`
  expect(stream(last)).toMatchObject({ events: [{ text: 'x' }, { type: 'stop' }] })
  expect(stream(delta({ content: 'x' }), 'data: [DONE]').events.at(-1)).toMatchObject({
    reason: 'end',
  })
  for (const cut of [last.slice(0, -1), 'data: "x', 'data: "x"', 'data: 1', 'data: [1]']) {
    expect(stream(cut).failure?.message).toMatch(/the stream ended before a finish reason/)
  }
})
