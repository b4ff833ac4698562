import { describe, expect, it } from 'vitest'
import { EventStream, jsonUsage } from './event-stream.ts'

const secret = 'ghp_0123456789abcdefghijklmnopqrstuvwxyzAB'
const pieces = [secret.slice(0, 7), secret.slice(7, 20), secret.slice(20)]

function sse(events: readonly object[], end = ''): string {
  return events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('') + end
}

function joined(text: string, chunkBytes = 1000) {
  const stream = new EventStream()
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += chunkBytes)
    stream.push(bytes.subarray(at, at + chunkBytes))
  return stream.end()
}

const wires: Record<string, { text: string; usage: object }> = {
  'Anthropic Messages': {
    text: sse([
      {
        type: 'message_start',
        message: { model: 'm', usage: { input_tokens: 5, output_tokens: 1 } },
      },
      ...pieces.map((text) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text },
      })),
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn' },
        usage: { output_tokens: 9, cache_read_input_tokens: 2 },
      },
    ]),
    usage: {
      model: 'm',
      inputTokens: 5,
      cachedInputTokens: 2,
      outputTokens: 9,
      totalTokens: 16,
    },
  },
  'OpenAI Chat Completions': {
    text: sse(
      [
        ...pieces.map((content) => ({
          model: 'm',
          choices: [{ index: 0, delta: { content }, finish_reason: null }],
          usage: null,
        })),
        { model: 'm', choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] },
        {
          model: 'm',
          choices: [],
          usage: {
            prompt_tokens: 7,
            completion_tokens: 9,
            total_tokens: 16,
            prompt_tokens_details: { cached_tokens: 2 },
            completion_tokens_details: { reasoning_tokens: 4 },
          },
        },
      ],
      'data: [DONE]\n\n',
    ),
    usage: {
      model: 'm',
      inputTokens: 5,
      cachedInputTokens: 2,
      outputTokens: 9,
      reasoningOutputTokens: 4,
      totalTokens: 16,
    },
  },
  'OpenAI Responses': {
    text: sse([
      ...pieces.map((delta, n) => ({
        type: 'response.output_text.delta',
        item_id: 'i',
        output_index: 0,
        content_index: 0,
        sequence_number: n,
        delta,
      })),
      {
        type: 'response.completed',
        response: {
          model: 'm',
          usage: {
            input_tokens: 7,
            output_tokens: 9,
            total_tokens: 16,
            input_tokens_details: { cached_tokens: 2 },
          },
        },
      },
    ]),
    usage: {
      model: 'm',
      inputTokens: 5,
      cachedInputTokens: 2,
      outputTokens: 9,
      totalTokens: 16,
    },
  },
  Gemini: {
    text: sse([
      ...pieces.map((text) => ({
        modelVersion: 'm',
        candidates: [{ index: 0, content: { parts: [{ text }] } }],
      })),
      {
        modelVersion: 'm',
        candidates: [{ index: 0, content: { parts: [{ text: '' }] }, finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: 7,
          cachedContentTokenCount: 2,
          candidatesTokenCount: 5,
          thoughtsTokenCount: 4,
        },
      },
    ]),
    usage: {
      model: 'm',
      inputTokens: 5,
      cachedInputTokens: 2,
      outputTokens: 9,
      reasoningOutputTokens: 4,
      totalTokens: 16,
    },
  },
}

describe.each(Object.entries(wires))('a stream of %s', (_name, { text, usage }) => {
  it('has the deltas of one text joined in its first event, wherever the chunks end', () => {
    for (const chunkBytes of [1, 7, 10_000]) {
      const { text: whole, isCut } = joined(text, chunkBytes)
      expect(whole).toContain(secret)
      expect(isCut).toBe(false)
      expect(whole.match(/ghp_/g)).toHaveLength(1)
    }
  })

  it('reports its tokens by the definition of zcl', () => {
    expect(joined(text).usage).toEqual(usage)
  })
})

describe('a joined stream', () => {
  it('keeps events that are no JSON, their names and the start of tool calls', () => {
    const call = (fields: object) => ({
      choices: [{ index: 0, delta: { tool_calls: [{ index: 0, ...fields }] } }],
    })
    const { text } = joined(
      'event: ping\ndata: hello\n\n' +
        sse([
          call({ id: 'c', function: { name: 'f', arguments: '' } }),
          call({ function: { arguments: '{"a"' } }),
          call({ function: { arguments: ':1}' } }),
        ]),
    )
    expect(text).toContain('event: ping\ndata: hello\n\n')
    expect(text).toContain(String.raw`"arguments":"{\"a\":1}"`)
    expect(text.match(/data:/g)).toHaveLength(2)
  })

  it('is cut at a limit and still reports the tokens at its end', () => {
    const long = { choices: [{ index: 0, delta: { content: 'x'.repeat(60_000) } }] }
    const end = { choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }
    const { isCut, usage } = joined(sse([long, long, long, end]))
    expect(isCut).toBe(true)
    expect(usage).toMatchObject({ inputTokens: 1, outputTokens: 2 })
  })
})

it('a JSON answer reports its tokens, other text does not', () => {
  const answer = { model: 'm', usage: { prompt_tokens: 3, completion_tokens: 4 } }
  expect(jsonUsage(JSON.stringify(answer))).toEqual({
    model: 'm',
    inputTokens: 3,
    outputTokens: 4,
    totalTokens: 7,
  })
  expect(jsonUsage('{"usage":')).toBeUndefined()
  expect(jsonUsage('plain')).toBeUndefined()
})
