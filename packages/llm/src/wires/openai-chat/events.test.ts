import { expect, it } from 'vitest'
import { eventValues } from '../../../test/decoding.ts'
import { openaiChat } from './openai-chat.ts'

it.each<[title: string, chunks: unknown[], events: unknown[][]]>([
  [
    'token counts before the finish, each once',
    [
      { usage: { prompt_tokens: 5 } },
      { usage: { prompt_tokens: 5 } },
      { usage: { prompt_tokens: 5, completion_tokens: 2 } },
      {
        choices: [{ delta: {}, finish_reason: 'stop' }],
        usage: {
          prompt_tokens: 5,
          completion_tokens: 3,
          prompt_tokens_details: { cached_tokens: 4, cache_write_tokens: 1 },
          completion_tokens_details: { reasoning_tokens: 2 },
        },
      },
      ' [DONE] ',
    ],
    [
      ['usage', { inputTokens: 5, outputTokens: 0 }],
      ['usage', { inputTokens: 5, outputTokens: 2 }],
      [
        'usage',
        {
          inputTokens: 5,
          outputTokens: 3,
          cachedInputTokens: 4,
          cacheWriteTokens: 1,
          thinkingTokens: 2,
        },
      ],
      ['stop', 'end', 'stop'],
    ],
  ],
  [
    'content as parts, and a refusal beside it',
    [
      {
        choices: [
          {
            delta: {
              content: [{ type: 'text', text: 'a' }, { type: 'image' }, null, { text: 'b' }],
            },
            finish_reason: null,
          },
        ],
      },
      { choices: [{ delta: { content: 'c', refusal: 'No.' }, finish_reason: null }] },
      { choices: [{ delta: { content: 5, refusal: '' }, finish_reason: null }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      '[DONE]',
    ],
    [
      ['text', 'ab'],
      ['text', 'c'],
      ['text', 'No.'],
      ['stop', 'refusal', 'stop'],
    ],
  ],
  [
    'calls without an index',
    [
      {
        choices: [
          {
            delta: { tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{"n":' } }] },
            finish_reason: null,
          },
        ],
      },
      {
        choices: [
          { delta: { tool_calls: [{ function: { arguments: '1}' } }] }, finish_reason: null },
        ],
      },
      {
        choices: [
          {
            delta: { tool_calls: [{ function: { name: 'g', arguments: '' } }] },
            finish_reason: null,
          },
        ],
      },
      { choices: [{ delta: { tool_calls: [{ id: 'c' }] }, finish_reason: null }] },
      {
        choices: [
          { delta: { tool_calls: [{ function: { arguments: '{}' } }] }, finish_reason: null },
        ],
      },
      { choices: [{ delta: { tool_calls: ['no object'] }, finish_reason: null }] },
      { choices: [{ delta: { tool_calls: [{ index: 9 }] }, finish_reason: null }] },
      { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
      '[DONE]',
    ],
    [
      ['tool_call_start', 'a', 'f'],
      ['tool_call_args', 'a', '{"n":'],
      ['tool_call_args', 'a', '1}'],
      ['tool_call_start', 'made_1', 'g'],
      ['tool_call_end', 'a', 'f', { n: 1 }],
      ['tool_call_end', 'made_1', 'g', {}],
      ['stop', 'tool_use', 'tool_calls'],
    ],
  ],
  [
    'an id or a name that comes late or again',
    [
      {
        choices: [
          {
            delta: { tool_calls: [{ index: 0, id: '', function: { name: '', arguments: '{' } }] },
            finish_reason: null,
          },
        ],
      },
      {
        choices: [
          {
            delta: { tool_calls: [{ index: 0, id: 'late', function: { name: 'f' } }] },
            finish_reason: null,
          },
        ],
      },
      {
        choices: [
          {
            delta: {
              tool_calls: [{ index: 0, id: 'late', function: { name: 'again', arguments: '}' } }],
            },
            finish_reason: null,
          },
        ],
      },
      {
        choices: [
          {
            delta: { tool_calls: [{ index: 0, id: 'other', function: { arguments: ' ' } }] },
            finish_reason: null,
          },
        ],
      },
      {
        choices: [
          {
            delta: {
              tool_calls: [{ index: 0, id: 'new', function: { name: 'g', arguments: '{}' } }],
            },
            finish_reason: null,
          },
        ],
      },
      { choices: [{ delta: {}, finish_reason: 'function_call' }] },
      '[DONE]',
    ],
    [
      ['tool_call_start', 'late', 'f'],
      ['tool_call_args', 'late', '{'],
      ['tool_call_args', 'late', '}'],
      ['tool_call_args', 'late', ' '],
      ['tool_call_start', 'new', 'g'],
      ['tool_call_args', 'new', '{}'],
      ['tool_call_end', 'late', 'f', {}],
      ['tool_call_end', 'new', 'g', {}],
      ['stop', 'tool_use', 'function_call'],
    ],
  ],
  [
    'thinking before a call',
    [
      { choices: [{ delta: { reasoning: 'Hm' }, finish_reason: null }] },
      {
        choices: [
          {
            delta: {
              tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }],
            },
            finish_reason: null,
          },
        ],
      },
      { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
      '[DONE]',
    ],
    [
      ['thinking', 'Hm'],
      ['thinking_end', { type: 'thinking', text: 'Hm', provider: 'p' }],
      ['tool_call_start', 'a', 'f'],
      ['tool_call_args', 'a', '{}'],
      ['tool_call_end', 'a', 'f', {}],
      ['stop', 'tool_use', 'tool_calls'],
    ],
  ],
  [
    'a length stop with one call',
    [
      { choices: [{ delta: { content: 'a' }, finish_reason: null }] },
      {
        choices: [
          {
            delta: {
              tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{}' } }],
            },
            finish_reason: null,
          },
        ],
      },
      { choices: [{ delta: {}, finish_reason: 'length' }] },
      '[DONE]',
    ],
    [
      ['text', 'a'],
      ['tool_call_start', 'a', 'f'],
      ['tool_call_args', 'a', '{}'],
      ['stop', 'max_tokens', 'length'],
    ],
  ],
  [
    'a finish reason that a later chunk replaces',
    [
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      { choices: [{ delta: {}, finish_reason: 'length' }] },
      { choices: [{ delta: {}, finish_reason: null }] },
      '[DONE]',
    ],
    [['stop', 'max_tokens', 'length']],
  ],
  [
    'no choice, no delta',
    [{ choices: [] }, {}, { choices: ['x'] }, { choices: [{ finish_reason: 'stop' }] }, '[DONE]'],
    [['stop', 'end', 'stop']],
  ],
])('a stream of Chat Completions with %s', (_, chunks, events) => {
  expect(eventValues(openaiChat, chunks)).toEqual(events)
})
