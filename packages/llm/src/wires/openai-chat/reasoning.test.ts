import { expect, it } from 'vitest'
import { eventValues } from '../../../test/decoding.ts'
import { openaiChat } from './openai-chat.ts'

it.each<[title: string, chunks: unknown[], events: unknown[][]]>([
  [
    'the field reasoning, and an empty one',
    [
      { choices: [{ delta: { reasoning: 'Hm' }, finish_reason: null }] },
      { choices: [{ delta: { reasoning: '' }, finish_reason: null }] },
      { choices: [{ delta: { reasoning_content: '!', reasoning: 'other' }, finish_reason: null }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      '[DONE]',
    ],
    [
      ['thinking', 'Hm'],
      ['thinking', '!'],
      ['thinking_end', { type: 'thinking', text: 'Hm!', provider: 'p' }],
      ['stop', 'end', 'stop'],
    ],
  ],
  [
    'reasoning details that are joined by index and type',
    [
      {
        choices: [
          {
            delta: {
              reasoning_details: [
                { type: 'reasoning.summary', index: 0, summary: 'One', format: 'x' },
              ],
            },
            finish_reason: null,
          },
        ],
      },
      {
        choices: [
          {
            delta: {
              reasoning_details: [
                { type: 'reasoning.summary', index: 0, summary: ' two', format: null },
              ],
            },
            finish_reason: null,
          },
        ],
      },
      {
        choices: [
          {
            delta: { reasoning_details: [{ type: 'reasoning.encrypted', index: 0, data: 'AA' }] },
            finish_reason: null,
          },
        ],
      },
      {
        choices: [
          {
            delta: {
              reasoning_details: [{ type: 'reasoning.encrypted', index: 0, data: 'BB', id: 'r1' }],
            },
            finish_reason: null,
          },
        ],
      },
      {
        choices: [
          {
            delta: {
              reasoning_details: [{ type: 'reasoning.text', index: 1, text: 'a', signature: 'S' }],
            },
            finish_reason: null,
          },
        ],
      },
      {
        choices: [
          {
            delta: {
              reasoning_details: [{ type: 'reasoning.text', index: 1, text: 'b', signature: 'T' }],
            },
            finish_reason: null,
          },
        ],
      },
      { choices: [{ delta: { content: 'x' }, finish_reason: null }] },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      '[DONE]',
    ],
    [
      [
        'thinking_end',
        {
          type: 'thinking',
          text: '',
          provider: 'p',
          data: {
            reasoning_details: [
              { type: 'reasoning.summary', index: 0, summary: 'One two', format: 'x' },
              { type: 'reasoning.encrypted', index: 0, data: 'AABB', id: 'r1' },
              { type: 'reasoning.text', index: 1, text: 'ab', signature: 'ST' },
            ],
          },
        },
      ],
      ['text', 'x'],
      ['stop', 'end', 'stop'],
    ],
  ],
  [
    'reasoning details without an index, of another type or no object',
    [
      {
        choices: [
          {
            delta: { reasoning_details: [{ type: 'reasoning.text', text: 'a' }] },
            finish_reason: null,
          },
        ],
      },
      {
        choices: [
          {
            delta: { reasoning_details: [{ type: 'reasoning.text', text: 'b' }] },
            finish_reason: null,
          },
        ],
      },
      {
        choices: [
          {
            delta: { reasoning_details: [{ type: 'reasoning.text', index: 0, text: 'c' }] },
            finish_reason: null,
          },
        ],
      },
      {
        choices: [
          {
            delta: { reasoning_details: [{ type: 'reasoning.text', index: 1, text: 'd' }] },
            finish_reason: null,
          },
        ],
      },
      { choices: [{ delta: { reasoning_details: ['no object', null] }, finish_reason: null }] },
      {
        choices: [
          {
            delta: { reasoning_details: [{ type: 'reasoning.text', index: 1, signature: 'S' }] },
            finish_reason: null,
          },
        ],
      },
      { choices: [{ delta: {}, finish_reason: 'stop' }] },
      '[DONE]',
    ],
    [
      [
        'thinking_end',
        {
          type: 'thinking',
          text: '',
          provider: 'p',
          data: {
            reasoning_details: [
              { type: 'reasoning.text', text: 'a' },
              { type: 'reasoning.text', text: 'b' },
              { type: 'reasoning.text', index: 0, text: 'c' },
              { type: 'reasoning.text', index: 1, text: 'd', signature: 'S' },
            ],
          },
        },
      ],
      ['stop', 'end', 'stop'],
    ],
  ],
])('a stream of Chat Completions with %s', (_, chunks, events) => {
  expect(eventValues(openaiChat, chunks)).toEqual(events)
})
