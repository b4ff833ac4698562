import { expect, it } from 'vitest'
import { eventValues } from '../../../test/decoding.ts'
import { openaiResponses } from './openai-responses.ts'

it.each<[title: string, chunks: unknown[], events: unknown[][]]>([
  [
    'two parts of a summary',
    [
      { type: 'response.output_item.added', output_index: 0, item: { type: 'reasoning' } },
      { type: 'response.reasoning_summary_part.added' },
      { type: 'response.reasoning_summary_text.delta', delta: 'A' },
      { type: 'response.reasoning_summary_part.added' },
      { type: 'response.reasoning_text.delta', delta: 'B' },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: {
          type: 'reasoning',
          id: 'r',
          summary: [{ text: 'A' }, { text: 'B' }],
          content: [{ text: 'C' }, {}],
          encrypted_content: 'E',
        },
      },
      { type: 'response.output_item.added', output_index: 1, item: { type: 'reasoning' } },
      { type: 'response.reasoning_summary_part.added' },
      { type: 'response.reasoning_summary_text.delta', delta: 'D' },
      { type: 'response.output_item.done', output_index: 1, item: { type: 'reasoning', id: 's' } },
      { type: 'response.completed', response: { status: 'completed' } },
    ],
    [
      ['thinking', 'A'],
      ['thinking', '\n\n'],
      ['thinking', 'B'],
      [
        'thinking_end',
        {
          type: 'thinking',
          text: 'A\n\nB\n\nC\n\n',
          provider: 'p',
          signature: 'E',
          data: { id: 'r' },
        },
      ],
      ['thinking', 'D'],
      ['thinking_end', { type: 'thinking', text: '', provider: 'p' }],
      ['stop', 'end', 'completed'],
    ],
  ],
  [
    'calls without an id, a name, an index or deltas',
    [
      { type: 'response.output_item.added', item: { type: 'function_call' } },
      { type: 'response.function_call_arguments.delta', delta: '' },
      { type: 'response.function_call_arguments.delta', delta: 5 },
      { type: 'response.output_item.done', item: { type: 'function_call', arguments: '{"n":1}' } },
      {
        type: 'response.output_item.added',
        output_index: 3,
        item: { type: 'function_call', call_id: '', name: 'f' },
      },
      { type: 'response.function_call_arguments.delta', output_index: 3, delta: '{"n":2}' },
      { type: 'response.function_call_arguments.delta', output_index: 4, delta: 'no' },
      {
        type: 'response.output_item.done',
        output_index: 3,
        item: { type: 'function_call', arguments: '{"n":3}' },
      },
      { type: 'response.output_item.done', output_index: 3, item: { type: 'function_call' } },
      { type: 'response.output_item.added', output_index: 5, item: { type: 'web_search' } },
      { type: 'response.output_item.done', output_index: 5, item: { type: 'web_search' } },
      {
        type: 'response.completed',
        response: {
          usage: {
            input_tokens: 7,
            output_tokens: 3,
            input_tokens_details: { cached_tokens: 5, cache_write_tokens: 2 },
            output_tokens_details: { reasoning_tokens: 1 },
          },
        },
      },
    ],
    [
      ['tool_call_start', 'made_1', ''],
      ['tool_call_args', 'made_1', '{"n":1}'],
      ['tool_call_end', 'made_1', '', { n: 1 }],
      ['tool_call_start', 'made_2', 'f'],
      ['tool_call_args', 'made_2', '{"n":2}'],
      ['tool_call_end', 'made_2', 'f', { n: 2 }],
      [
        'usage',
        {
          inputTokens: 7,
          outputTokens: 3,
          cachedInputTokens: 5,
          cacheWriteTokens: 2,
          thinkingTokens: 1,
        },
      ],
      ['stop', 'tool_use', ''],
    ],
  ],
  [
    'a call that was cut off',
    [
      {
        type: 'response.output_item.added',
        output_index: 0,
        item: { type: 'function_call', call_id: 'a', name: 'f' },
      },
      {
        type: 'response.output_item.done',
        output_index: 0,
        item: { type: 'function_call', status: 'incomplete', arguments: '{' },
      },
      {
        type: 'response.incomplete',
        response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      },
    ],
    [
      ['tool_call_start', 'a', 'f'],
      ['stop', 'max_tokens', 'max_output_tokens'],
    ],
  ],
  [
    'an incomplete answer: max_output_tokens',
    [
      { type: 'response.output_text.delta', delta: 'a' },
      {
        type: 'response.incomplete',
        response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      },
    ],
    [
      ['text', 'a'],
      ['stop', 'max_tokens', 'max_output_tokens'],
    ],
  ],
  [
    'an incomplete answer: content_filter',
    [
      { type: 'response.output_text.delta', delta: 'a' },
      {
        type: 'response.incomplete',
        response: { status: 'incomplete', incomplete_details: { reason: 'content_filter' } },
      },
    ],
    [
      ['text', 'a'],
      ['stop', 'refusal', 'content_filter'],
    ],
  ],
  [
    'an incomplete answer: other',
    [
      { type: 'response.output_text.delta', delta: 'a' },
      {
        type: 'response.incomplete',
        response: { status: 'incomplete', incomplete_details: { reason: 'other' } },
      },
    ],
    [
      ['text', 'a'],
      ['stop', 'other', 'other'],
    ],
  ],
  [
    'a refusal',
    [
      { type: 'response.refusal.delta', delta: 'No.' },
      { type: 'response.refusal.delta' },
      { type: 'response.completed', response: { status: 'completed' } },
    ],
    [
      ['text', 'No.'],
      ['stop', 'refusal', 'completed'],
    ],
  ],
  [
    'a failed response',
    [
      {
        type: 'response.failed',
        response: { usage: { input_tokens: 4 }, error: { code: 'server_error', message: 'Down' } },
      },
    ],
    [
      ['usage', { inputTokens: 4, outputTokens: 0 }],
      ['error', 'api_error', 'server_error: Down'],
    ],
  ],
  [
    'a failed response without an error',
    [{ type: 'response.failed' }],
    [['error', 'api_error', 'the response failed']],
  ],
  [
    'an error event with a code',
    [{ type: 'error', code: 'rate_limit', message: 'Slow' }],
    [['error', 'api_error', 'rate_limit: Slow']],
  ],
  [
    'an error event with an error',
    [{ type: 'error', error: { type: 'x', message: 'y' }, code: 'no' }],
    [['error', 'api_error', 'x: y']],
  ],
  [
    'the end mark of another wire',
    ['[DONE]', ' [DONE] ', { type: 'response.completed' }],
    [['stop', 'end', '']],
  ],
])('a stream of the Responses API with %s', (_, chunks, events) => {
  expect(eventValues(openaiResponses, chunks)).toEqual(events)
})
