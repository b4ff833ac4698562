import { expect, it } from 'vitest'
import { eventValues } from '../../../test/decoding.ts'
import { anthropicMessages } from './anthropic.ts'

it.each<[title: string, chunks: unknown[], events: unknown[][]]>([
  [
    'the parts of thinking',
    [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'thinking', thinking: 'A', signature: 'S' },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'B' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'T' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: '' } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'text_delta', text: 'no', signature: 'no' },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
    ],
    [
      ['thinking', 'A'],
      ['thinking', 'B'],
      ['thinking_end', { type: 'thinking', text: 'AB', provider: 'p', signature: 'ST' }],
      ['stop', 'end', 'end_turn'],
    ],
  ],
  [
    'thinking without a text and a signature',
    [
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', signature: '' } },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: { type: 'thinking' } },
      { type: 'content_block_delta', index: 1, delta: { type: 'signature_delta', signature: 'S' } },
      { type: 'content_block_stop', index: 1 },
      { type: 'content_block_start', index: 2, content_block: { type: 'redacted_thinking' } },
      { type: 'content_block_stop', index: 2 },
      {
        type: 'content_block_start',
        index: 3,
        content_block: { type: 'redacted_thinking', data: 'R' },
      },
      { type: 'content_block_stop', index: 3 },
      { type: 'message_stop' },
    ],
    [
      ['thinking_end', { type: 'thinking', text: '', provider: 'p' }],
      ['thinking_end', { type: 'thinking', text: '', provider: 'p', signature: 'S' }],
      ['thinking_end', { type: 'thinking', text: '', provider: 'p', data: { redacted: '' } }],
      ['thinking_end', { type: 'thinking', text: '', provider: 'p', data: { redacted: 'R' } }],
      ['stop', 'end', 'end_turn'],
    ],
  ],
  [
    'deltas of another type than their block, or of no block',
    [
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'a' } },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{}', text: 'no' },
      },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'b' } },
      { type: 'content_block_delta', index: 7, delta: { type: 'text_delta', text: 'no' } },
      { type: 'content_block_delta', index: 0 },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_stop', index: 0 },
      {
        type: 'content_block_start',
        index: 1,
        content_block: { type: 'tool_use', id: 'a', name: 'f' },
      },
      {
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'text_delta', text: 'no', partial_json: '{"no":1}' },
      },
      {
        type: 'content_block_delta',
        index: 1,
        delta: { type: 'input_json_delta', partial_json: '' },
      },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_stop' },
    ],
    [
      ['text', 'a'],
      ['text', 'b'],
      ['tool_call_start', 'a', 'f'],
      ['tool_call_end', 'a', 'f', {}],
      ['stop', 'tool_use', 'tool_use'],
    ],
  ],
  [
    'calls without an id, a name or an index',
    [
      { type: 'content_block_start', content_block: { type: 'tool_use' } },
      { type: 'content_block_delta', delta: { type: 'input_json_delta', partial_json: '{}' } },
      { type: 'content_block_stop' },
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: '', name: 'g', input: { n: 1 } },
      },
      {
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'input_json_delta', partial_json: '{"n":2}' },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
    ],
    [
      ['tool_call_start', 'made_1', ''],
      ['tool_call_args', 'made_1', '{}'],
      ['tool_call_end', 'made_1', '', {}],
      ['tool_call_start', 'made_2', 'g'],
      ['tool_call_args', 'made_2', '{"n":2}'],
      ['tool_call_end', 'made_2', 'g', { n: 2 }],
      ['stop', 'tool_use', 'tool_use'],
    ],
  ],
  [
    'token counts that replace earlier ones',
    [
      {
        type: 'message_start',
        message: {
          usage: {
            input_tokens: 3,
            cache_read_input_tokens: 2,
            cache_creation_input_tokens: 1,
            output_tokens: 1,
          },
        },
      },
      { type: 'message_delta', delta: {}, usage: { output_tokens: 1 } },
      {
        type: 'message_delta',
        usage: { output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } },
      },
      {
        type: 'message_delta',
        usage: { input_tokens: 5, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 },
      },
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' } },
      { type: 'message_stop' },
    ],
    [
      ['usage', { inputTokens: 6, outputTokens: 1, cachedInputTokens: 2, cacheWriteTokens: 1 }],
      [
        'usage',
        {
          inputTokens: 6,
          outputTokens: 9,
          cachedInputTokens: 2,
          cacheWriteTokens: 1,
          thinkingTokens: 4,
        },
      ],
      ['usage', { inputTokens: 5, outputTokens: 9, thinkingTokens: 4 }],
      ['usage', { inputTokens: 5, outputTokens: 9, thinkingTokens: 4 }],
      ['stop', 'max_tokens', 'max_tokens'],
    ],
  ],
  [
    'the stop reason end_turn',
    [
      { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
      { type: 'message_delta', delta: {} },
      { type: 'message_stop' },
    ],
    [['stop', 'end', 'end_turn']],
  ],
  [
    'the stop reason stop_sequence',
    [
      { type: 'message_delta', delta: { stop_reason: 'stop_sequence' } },
      { type: 'message_delta', delta: {} },
      { type: 'message_stop' },
    ],
    [['stop', 'end', 'stop_sequence']],
  ],
  [
    'the stop reason tool_use',
    [
      { type: 'message_delta', delta: { stop_reason: 'tool_use' } },
      { type: 'message_delta', delta: {} },
      { type: 'message_stop' },
    ],
    [['stop', 'tool_use', 'tool_use']],
  ],
  [
    'the stop reason max_tokens',
    [
      { type: 'message_delta', delta: { stop_reason: 'max_tokens' } },
      { type: 'message_delta', delta: {} },
      { type: 'message_stop' },
    ],
    [['stop', 'max_tokens', 'max_tokens']],
  ],
  [
    'the stop reason refusal',
    [
      { type: 'message_delta', delta: { stop_reason: 'refusal' } },
      { type: 'message_delta', delta: {} },
      { type: 'message_stop' },
    ],
    [['stop', 'refusal', 'refusal']],
  ],
  [
    'the stop reason pause_turn',
    [
      { type: 'message_delta', delta: { stop_reason: 'pause_turn' } },
      { type: 'message_delta', delta: {} },
      { type: 'message_stop' },
    ],
    [['stop', 'other', 'pause_turn']],
  ],
  [
    'no stop reason after a call',
    [
      {
        type: 'content_block_start',
        index: 0,
        content_block: { type: 'tool_use', id: 'a', name: 'f' },
      },
      { type: 'content_block_stop', index: 0 },
      { type: 'message_stop' },
    ],
    [
      ['tool_call_start', 'a', 'f'],
      ['tool_call_end', 'a', 'f', {}],
      ['stop', 'tool_use', 'tool_use'],
    ],
  ],
  [
    'an error without an error object',
    [{ type: 'error', message: 'gone' }],
    [['error', 'api_error', 'error: gone']],
  ],
  [
    'an error object',
    [{ type: 'error', error: { type: 'overloaded_error', message: 'Busy' } }],
    [['error', 'api_error', 'overloaded_error: Busy']],
  ],
])('a stream of the Messages API with %s', (_, chunks, events) => {
  expect(eventValues(anthropicMessages, chunks)).toEqual(events)
})
