import { expect, it } from 'vitest'
import { eventValues } from '../../../test/decoding.ts'
import { gemini } from './gemini.ts'

it.each<[title: string, chunks: unknown[], events: unknown[][]]>([
  [
    'thoughts, and a signature of a text',
    [
      {
        candidates: [
          {
            content: {
              parts: [
                { text: 'Hm', thought: true },
                { text: '', thought: true },
                { text: 'Yes', thoughtSignature: 'S' },
                { text: '', thoughtSignature: '' },
                'no object',
                {},
              ],
            },
            finishReason: 'STOP',
          },
        ],
      },
    ],
    [
      ['thinking', 'Hm'],
      ['thinking_end', { type: 'thinking', text: 'Hm', provider: 'p', signature: 'S' }],
      ['text', 'Yes'],
      ['thinking_end', { type: 'thinking', text: '', provider: 'p' }],
      ['stop', 'end', 'STOP'],
    ],
  ],
  [
    'calls with and without an id, a name and arguments',
    [
      {
        candidates: [
          {
            content: {
              parts: [
                { text: 'Hm', thought: true },
                { functionCall: { id: 'a', name: 'f', args: { n: 1 } }, thoughtSignature: 'S' },
                { functionCall: {} },
                { functionCall: { id: '', name: 'g' }, text: 'too' },
                { functionCall: 'no' },
              ],
            },
          },
        ],
      },
      { candidates: [{ finishReason: 'STOP' }] },
    ],
    [
      ['thinking', 'Hm'],
      [
        'thinking_end',
        { type: 'thinking', text: 'Hm', provider: 'p', signature: 'S', data: { call: 'a' } },
      ],
      ['tool_call_start', 'a', 'f'],
      ['tool_call_args', 'a', '{"n":1}'],
      ['tool_call_end', 'a', 'f', { n: 1 }],
      ['tool_call_start', 'made_1', ''],
      ['tool_call_args', 'made_1', '{}'],
      ['tool_call_end', 'made_1', '', {}],
      ['text', 'too'],
      ['tool_call_start', 'made_2', 'g'],
      ['tool_call_args', 'made_2', '{}'],
      ['tool_call_end', 'made_2', 'g', {}],
      ['stop', 'tool_use', 'STOP'],
    ],
  ],
  [
    'token counts before the finish, each once',
    [
      { usageMetadata: { promptTokenCount: 5 } },
      { usageMetadata: { promptTokenCount: 5 } },
      { usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1, thoughtsTokenCount: 2 } },
      {},
      {
        candidates: [{ finishReason: 'STOP' }],
        usageMetadata: {
          promptTokenCount: 5,
          candidatesTokenCount: 3,
          thoughtsTokenCount: 2,
          cachedContentTokenCount: 4,
        },
      },
    ],
    [
      ['usage', { inputTokens: 5, outputTokens: 0 }],
      ['usage', { inputTokens: 5, outputTokens: 3, thinkingTokens: 2 }],
      ['usage', { inputTokens: 5, outputTokens: 5, cachedInputTokens: 4, thinkingTokens: 2 }],
      ['stop', 'end', 'STOP'],
    ],
  ],
  [
    'the finish reason STOP',
    [
      {
        candidates: [
          { content: { parts: [{ text: 'a' }] }, finishReason: 'STOP', finishMessage: 'why' },
        ],
      },
      { candidates: [{}] },
    ],
    [
      ['text', 'a'],
      ['stop', 'end', 'STOP: why'],
    ],
  ],
  [
    'the finish reason MAX_TOKENS',
    [
      {
        candidates: [
          { content: { parts: [{ text: 'a' }] }, finishReason: 'MAX_TOKENS', finishMessage: 'why' },
        ],
      },
      { candidates: [{}] },
    ],
    [
      ['text', 'a'],
      ['stop', 'max_tokens', 'MAX_TOKENS: why'],
    ],
  ],
  [
    'the finish reason SAFETY',
    [
      {
        candidates: [
          { content: { parts: [{ text: 'a' }] }, finishReason: 'SAFETY', finishMessage: 'why' },
        ],
      },
      { candidates: [{}] },
    ],
    [
      ['text', 'a'],
      ['stop', 'refusal', 'SAFETY: why'],
    ],
  ],
  [
    'the finish reason RECITATION',
    [
      {
        candidates: [
          { content: { parts: [{ text: 'a' }] }, finishReason: 'RECITATION', finishMessage: 'why' },
        ],
      },
      { candidates: [{}] },
    ],
    [
      ['text', 'a'],
      ['stop', 'refusal', 'RECITATION: why'],
    ],
  ],
  [
    'the finish reason BLOCKLIST',
    [
      {
        candidates: [
          { content: { parts: [{ text: 'a' }] }, finishReason: 'BLOCKLIST', finishMessage: 'why' },
        ],
      },
      { candidates: [{}] },
    ],
    [
      ['text', 'a'],
      ['stop', 'refusal', 'BLOCKLIST: why'],
    ],
  ],
  [
    'the finish reason PROHIBITED_CONTENT',
    [
      {
        candidates: [
          {
            content: { parts: [{ text: 'a' }] },
            finishReason: 'PROHIBITED_CONTENT',
            finishMessage: 'why',
          },
        ],
      },
      { candidates: [{}] },
    ],
    [
      ['text', 'a'],
      ['stop', 'refusal', 'PROHIBITED_CONTENT: why'],
    ],
  ],
  [
    'the finish reason SPII',
    [
      {
        candidates: [
          { content: { parts: [{ text: 'a' }] }, finishReason: 'SPII', finishMessage: 'why' },
        ],
      },
      { candidates: [{}] },
    ],
    [
      ['text', 'a'],
      ['stop', 'refusal', 'SPII: why'],
    ],
  ],
  [
    'the finish reason MALFORMED_FUNCTION_CALL',
    [
      {
        candidates: [
          {
            content: { parts: [{ text: 'a' }] },
            finishReason: 'MALFORMED_FUNCTION_CALL',
            finishMessage: 'why',
          },
        ],
      },
      { candidates: [{}] },
    ],
    [
      ['text', 'a'],
      ['stop', 'other', 'MALFORMED_FUNCTION_CALL: why'],
    ],
  ],
  [
    'a blocked prompt',
    [{ promptFeedback: { blockReason: 'OTHER' } }],
    [['stop', 'other', 'OTHER']],
  ],
  [
    'a thought at the end',
    [
      {
        candidates: [
          { content: { parts: [{ text: 'Hm', thought: true }] }, finishReason: 'MAX_TOKENS' },
        ],
      },
    ],
    [
      ['thinking', 'Hm'],
      ['thinking_end', { type: 'thinking', text: 'Hm', provider: 'p' }],
      ['stop', 'max_tokens', 'MAX_TOKENS'],
    ],
  ],
  [
    'an error',
    [{ error: { code: 503, status: 'UNAVAILABLE', message: 'Busy' } }],
    [['error', 'api_error', 'UNAVAILABLE: Busy']],
  ],
])('a stream of Gemini with %s', (_, chunks, events) => {
  expect(eventValues(gemini, chunks)).toEqual(events)
})
