import { expect, it } from 'vitest'
import { answerValues } from '../../test/decoding.ts'
import { anthropicMessages } from './anthropic/anthropic.ts'
import { gemini } from './gemini/gemini.ts'
import { openaiChat } from './openai-chat/openai-chat.ts'
import { openaiResponses } from './openai-responses/openai-responses.ts'

type Rows = [title: string, answer: unknown, events: unknown[][]][]

const messages: Rows = [
  [
    'thinking, text and calls',
    {
      content: [
        { type: 'thinking', thinking: 'Hm', signature: 'S' },
        { type: 'redacted_thinking', data: 'R' },
        { type: 'text', text: 'Yes' },
        { type: 'text', text: '' },
        { type: 'server_tool_use', id: 'x' },
        'no object',
        { type: 'tool_use', id: 'a', name: 'f', input: { n: 1 } },
        { type: 'tool_use', name: 'g' },
      ],
      stop_reason: null,
      usage: { input_tokens: 1, cache_read_input_tokens: 2, output_tokens: 3 },
    },
    [
      ['thinking', 'Hm'],
      ['thinking_end', { type: 'thinking', text: 'Hm', provider: 'p', signature: 'S' }],
      ['thinking_end', { type: 'thinking', text: '', provider: 'p', data: { redacted: 'R' } }],
      ['text', 'Yes'],
      ['tool_call_start', 'a', 'f'],
      ['tool_call_end', 'a', 'f', { n: 1 }],
      ['tool_call_start', 'made_1', 'g'],
      ['tool_call_end', 'made_1', 'g', {}],
      ['usage', { inputTokens: 3, outputTokens: 3, cachedInputTokens: 2 }],
      ['usage', { inputTokens: 3, outputTokens: 3, cachedInputTokens: 2 }],
      ['stop', 'tool_use', 'tool_use'],
    ],
  ],
  ['no content', { content: [] }, [['stop', 'end', 'end_turn']]],
  [
    'a refusal',
    { content: [{ type: 'text', text: 'No.' }], stop_reason: 'refusal' },
    [
      ['text', 'No.'],
      ['stop', 'refusal', 'refusal'],
    ],
  ],
  [
    'an error object',
    { type: 'error', error: { type: 'overloaded_error', message: 'Busy' } },
    [['error', 'api_error', 'overloaded_error: Busy', undefined]],
  ],
  ...[[], null, 'x', { content: 'x' }, {}].map((answer): Rows[number] => [
    `another shape: ${JSON.stringify(answer)}`,
    answer,
    [['error', 'parse', 'The answer is not a message', JSON.stringify(answer)]],
  ]),
]

const chat: Rows = [
  [
    'thinking, a list of texts and calls',
    {
      choices: [
        {
          message: {
            reasoning_content: 'Hm',
            reasoning: 'not this',
            content: [{ text: 'Ye' }, {}, { text: 's' }],
            tool_calls: [
              { id: 'a', function: { name: 'f', arguments: '{"n":1}' } },
              { function: { name: 'g', arguments: { n: 2 } } },
              'no object',
            ],
          },
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 5,
        completion_tokens: 4,
        prompt_tokens_details: { cached_tokens: 3, cache_write_tokens: 2 },
        completion_tokens_details: { reasoning_tokens: 1 },
      },
    },
    [
      ['thinking', 'Hm'],
      ['thinking_end', { type: 'thinking', text: 'Hm', provider: 'p' }],
      ['text', 'Yes'],
      ['tool_call_start', 'a', 'f'],
      ['tool_call_args', 'a', '{"n":1}'],
      ['tool_call_start', 'made_1', 'g'],
      ['tool_call_args', 'made_1', '{"n":2}'],
      ['tool_call_end', 'a', 'f', { n: 1 }],
      ['tool_call_end', 'made_1', 'g', { n: 2 }],
      [
        'usage',
        {
          inputTokens: 5,
          outputTokens: 4,
          cachedInputTokens: 3,
          cacheWriteTokens: 2,
          thinkingTokens: 1,
        },
      ],
      ['stop', 'tool_use', 'stop'],
    ],
  ],
  [
    'a refusal beside text',
    { choices: [{ message: { content: 'Sorry.', refusal: 'No.' }, finish_reason: 'stop' }] },
    [
      ['text', 'Sorry.'],
      ['text', 'No.'],
      ['stop', 'refusal', 'stop'],
    ],
  ],
  [
    'a call that the token limit cut off',
    {
      choices: [
        {
          message: { tool_calls: [{ id: 'a', function: { name: 'f', arguments: '' } }] },
          finish_reason: 'length',
        },
      ],
    },
    [
      ['tool_call_start', 'a', 'f'],
      ['stop', 'max_tokens', 'length'],
    ],
  ],
  [
    'a call of the first interface',
    { choices: [{ message: { content: 'x' }, finish_reason: 'function_call' }] },
    [
      ['text', 'x'],
      ['stop', 'tool_use', 'function_call'],
    ],
  ],
  ['no finish reason', { choices: [{ message: {} }] }, [['stop', 'end', 'stop']]],
  [
    'an error object',
    { error: { code: 429, message: 'Slow' } },
    [['error', 'api_error', '429: Slow', undefined]],
  ],
  [
    'an error in the choice',
    { choices: [{ message: {}, error: { code: 502, message: 'up' } }] },
    [['error', 'api_error', '502: up', undefined]],
  ],
  ...[[], null, 'x', { choices: [] }, { choices: [{}] }, { choices: [{ message: 'x' }] }].map(
    (answer): Rows[number] => [
      `another shape: ${JSON.stringify(answer)}`,
      answer,
      [['error', 'parse', 'The answer has no choices[0].message', JSON.stringify(answer)]],
    ],
  ),
  [
    'content of another type',
    { choices: [{ message: { content: 7 } }] },
    [
      [
        'error',
        'parse',
        'The content of the answer is not text',
        '{"choices":[{"message":{"content":7}}]}',
      ],
    ],
  ],
]

const responses: Rows = [
  [
    'reasoning, text, a refusal and calls',
    {
      status: 'completed',
      output: [
        { type: 'reasoning', id: 'r', summary: [{ text: 'Hm' }], encrypted_content: 'E' },
        { type: 'message', content: [{ text: 'Yes' }, 'no object', { refusal: 'No.' }] },
        { type: 'function_call', call_id: 'a', name: 'f', arguments: '{"n":1}' },
        { type: 'function_call', call_id: 'b', name: 'g', arguments: '{', status: 'incomplete' },
        'no object',
        { type: 'web_search_call', content: [{ text: 'not shown' }] },
      ],
      usage: { input_tokens: 2, output_tokens: 1 },
    },
    [
      ['thinking', 'Hm'],
      [
        'thinking_end',
        { type: 'thinking', text: 'Hm', provider: 'p', signature: 'E', data: { id: 'r' } },
      ],
      ['text', 'Yes'],
      ['text', 'No.'],
      ['tool_call_start', 'a', 'f'],
      ['tool_call_args', 'a', '{"n":1}'],
      ['tool_call_end', 'a', 'f', { n: 1 }],
      ['tool_call_start', 'b', 'g'],
      ['usage', { inputTokens: 2, outputTokens: 1 }],
      ['stop', 'refusal', 'completed'],
    ],
  ],
  [
    'an error object',
    { error: { code: 'server_error', message: 'Down' }, output: [] },
    [['error', 'api_error', 'server_error: Down', undefined]],
  ],
  ...[[], null, 'x', {}, { output: {} }].map((answer): Rows[number] => [
    `another shape: ${JSON.stringify(answer)}`,
    answer,
    [['error', 'parse', 'The answer has no output', JSON.stringify(answer)]],
  ]),
]

const candidate = (text: string, more: object = {}): object => ({
  candidates: [{ content: { parts: [{ text }] }, ...more }],
})

const geminiRows: Rows = [
  [
    'one object',
    { ...candidate('Hi', { finishReason: 'STOP' }), usageMetadata: { promptTokenCount: 1 } },
    [
      ['text', 'Hi'],
      ['usage', { inputTokens: 1, outputTokens: 0 }],
      ['stop', 'end', 'STOP'],
    ],
  ],
  [
    'a list of the events of a stream',
    [candidate('H'), 'no object', candidate('i', { finishReason: 'MAX_TOKENS' })],
    [
      ['text', 'H'],
      ['text', 'i'],
      ['stop', 'max_tokens', 'MAX_TOKENS'],
    ],
  ],
  [
    'an error in a list',
    [candidate('H'), { error: { status: 'UNAVAILABLE', message: 'Busy' } }],
    [
      ['text', 'H'],
      ['error', 'api_error', 'UNAVAILABLE: Busy', undefined],
    ],
  ],
  ...[[], null, 'x', {}, { candidates: [{}] }].map((answer): Rows[number] => [
    `another shape: ${JSON.stringify(answer)}`,
    answer,
    [
      [
        'error',
        'parse',
        'The answer has no candidate with a finish reason',
        JSON.stringify(answer),
      ],
    ],
  ]),
]

it.each(messages)('an answer of the Messages API with %s', (_, answer, events) => {
  expect(answerValues(anthropicMessages, answer)).toEqual(events)
})

it.each(chat)('an answer of Chat Completions with %s', (_, answer, events) => {
  expect(answerValues(openaiChat, answer)).toEqual(events)
})

it.each(responses)('an answer of the Responses API with %s', (_, answer, events) => {
  expect(answerValues(openaiResponses, answer)).toEqual(events)
})

it.each(geminiRows)('an answer of Gemini with %s', (_, answer, events) => {
  expect(answerValues(gemini, answer)).toEqual(events)
})
