import { afterAll, describe, expect, it } from 'vitest'
import { removeLogs, sourceOf, time } from '../../test/imported-log.ts'
import { readPromptfoo } from './promptfoo.ts'

afterAll(removeLogs)

let count = 0
const read = (document: unknown) => readPromptfoo(sourceOf(`promptfoo-${count++}.json`, document))

async function one(result: object) {
  const { attempts } = await read({ results: [result] })
  return attempts[0]
}

describe('readPromptfoo', () => {
  it('reads a list of results, and counts what is no result', async () => {
    const result = (description: string) => ({ testCase: { description }, success: true })
    const { attempts, unmapped } = await read([result('a'), 7, result('b')])
    expect(attempts.map(({ mission }) => mission)).toEqual(['a', 'b'])
    expect(unmapped).toEqual({ 'odd value': 1 })
  })

  it('reads answers, grades, tokens and times', async () => {
    const results = [
      {
        id: 'r1',
        testCase: { description: 'greets' },
        provider: { id: 'openai:chat:gpt-x', label: 'tallier' },
        prompt: { raw: 'Say hello' },
        response: {
          output: 'hello',
          tokenUsage: {
            prompt: 30,
            completion: 2,
            total: 32,
            completionDetails: { cacheReadInputTokens: 8, cacheCreationInputTokens: 4 },
          },
        },
        success: true,
        score: 1,
        latencyMs: 1500,
        gradingResult: { pass: false, reason: 'because' },
      },
      {
        testCase: { description: 'greets' },
        provider: { label: 'tallier' },
        prompt: 'Say hello again',
        response: {
          output: [
            { function: { name: 'add', arguments: '{"x":1}' } },
            { function: { name: 'stop' } },
            { type: 'text' },
          ],
        },
        gradingResult: { pass: false },
        error: 'wrong',
        latencyMs: 0,
      },
      { testIdx: 4, provider: 'openai:gpt-y', response: { output: { a: 1 } } },
      {},
    ]
    const document = { results: { timestamp: time, results }, config: { description: 'sums' } }
    expect(await read(document)).toEqual({
      attempts: [
        {
          agent: 'tallier',
          calls: [],
          endedAt: '2026-04-01T10:00:01.500Z',
          messages: [
            { afterCalls: 0, kind: 'text', role: 'user', text: 'Say hello', ts: '' },
            { afterCalls: 0, kind: 'text', role: 'assistant', text: 'hello', ts: '' },
          ],
          mission: 'greets',
          numbers: {
            cacheWriteTokens: 4,
            cachedInputTokens: 8,
            inputTokens: 18,
            model: 'tallier',
            outputTokens: 2,
            totalTokens: 32,
          },
          outcome: { ok: true, resultJson: { output: 'hello', reason: 'because', score: 1 } },
          prompt: 'Say hello',
          retry: 1,
          sourceId: 'r1',
          startedAt: '2026-04-01T10:00:00.000Z',
          unmapped: {},
        },
        {
          agent: 'tallier',
          calls: [
            { input: '{"x":1}', isError: false, op: 'add', output: '', tool: 'promptfoo', ts: '' },
            { input: {}, isError: false, op: 'stop', output: '', tool: 'promptfoo', ts: '' },
          ],
          endedAt: '2026-04-01T10:00:00.000Z',
          messages: [
            { afterCalls: 0, kind: 'text', role: 'user', text: 'Say hello again', ts: '' },
            {
              afterCalls: 0,
              kind: 'text',
              role: 'assistant',
              text: '[{"function":{"name":"add","arguments":"{\\"x\\":1}"}},{"function":{"name":"stop"}},{"type":"text"}]',
              ts: '',
            },
          ],
          mission: 'greets',
          numbers: { model: 'tallier' },
          outcome: {
            ok: false,
            resultJson: {
              error: 'wrong',
              output:
                '[{"function":{"name":"add","arguments":"{\\"x\\":1}"}},{"function":{"name":"stop"}},{"type":"text"}]',
            },
          },
          prompt: 'Say hello again',
          retry: 2,
          sourceId: undefined,
          startedAt: '2026-04-01T10:00:00.000Z',
          unmapped: { 'part of an output': 1 },
        },
        {
          agent: 'openai:gpt-y',
          calls: [],
          endedAt: undefined,
          messages: [{ afterCalls: 0, kind: 'text', role: 'assistant', text: '{"a":1}', ts: '' }],
          mission: 'test 5',
          numbers: { model: 'gpt-y' },
          prompt: undefined,
          retry: 1,
          sourceId: undefined,
          startedAt: '2026-04-01T10:00:00.000Z',
          unmapped: {},
        },
        {
          agent: undefined,
          calls: [],
          endedAt: undefined,
          messages: [],
          mission: 'test 4',
          numbers: {},
          prompt: undefined,
          retry: 1,
          sourceId: undefined,
          startedAt: '2026-04-01T10:00:00.000Z',
          unmapped: {},
        },
      ],
      createdAt: '2026-04-01T10:00:00.000Z',
      suite: 'sums',
      unmapped: {},
    })
  })

  it('reads files without a time, a suite or results', async () => {
    expect(await read({ results: [{}] })).toEqual({
      suite: 'promptfoo',
      createdAt: undefined,
      attempts: [
        {
          mission: 'test 1',
          retry: 1,
          messages: [],
          calls: [],
          numbers: {},
          unmapped: {},
        },
      ],
      unmapped: {},
    })
    expect((await read({ results: { results: 'x' } })).attempts).toEqual([])
  })

  it.each([
    [undefined, undefined],
    ['10', undefined],
    [-1, undefined],
    [0, time],
    [1, '2026-04-01T10:00:00.001Z'],
    [1e300, '+275760-09-13T00:00:00.000Z'],
  ])('with a latency of %j ends at %s', async (latencyMs, endedAt) => {
    const { attempts } = await read({ timestamp: time, results: [{ latencyMs }] })
    expect([attempts[0]?.startedAt, attempts[0]?.endedAt]).toEqual([time, endedAt])
  })

  it.each([
    ['openai:gpt', 'gpt'],
    ['openai:chat:gpt', 'gpt'],
    ['openai:responses:gpt', 'gpt'],
    ['anthropic:messages:claude', 'claude'],
    ['openai:other:gpt', 'other:gpt'],
    ['echo', 'echo'],
  ])('the model of %s is %s', async (provider, model) => {
    expect((await one({ provider }))?.numbers).toEqual({ model })
  })

  it.each([
    ['anthropic:x', { prompt: 10, total: 12 }, 10, 12 + 7],
    ['bedrock:x', { prompt: 10, total: 12 }, 10, 12 + 7],
    ['anthropics:x', { prompt: 10, total: 12 }, 3, 12],
    ['openai:x', { prompt: 10, total: 12 }, 3, 12],
    ['openai:x', { prompt: 5, total: 1 }, 0, 1],
    ['openai:x', { prompt: 5, total: 0 }, 0, undefined],
  ])('%s with %j used %d fresh tokens of %s', async (provider, usage, input, total) => {
    const completionDetails = { cacheReadInputTokens: 5, cacheCreationInputTokens: 2 }
    const response = { tokenUsage: { ...usage, completionDetails } }
    expect((await one({ provider, response }))?.numbers).toEqual({
      model: 'x',
      inputTokens: input,
      ...(total === undefined ? {} : { totalTokens: total }),
      cachedInputTokens: 5,
      cacheWriteTokens: 2,
    })
  })

  it.each([
    [{ cached: 9 }, { cachedInputTokens: 9 }],
    [{ cached: 1 }, { cachedInputTokens: 1 }],
    [{ cached: 0 }, {}],
    [{ cached: '9' }, {}],
    [{ cached: 9, prompt: 2 }, { inputTokens: 2 }],
    [{ completion: 4 }, { outputTokens: 4 }],
    [{ total: 1 }, { totalTokens: 1 }],
    [{ total: '1' }, {}],
    [{ completionDetails: { cacheReadInputTokens: '3', cacheCreationInputTokens: -1 } }, {}],
    [{ completionDetails: { cacheReadInputTokens: 1 } }, { cachedInputTokens: 1 }],
  ])('counts the tokens of %j as %j', async (tokenUsage, numbers) => {
    expect((await one({ response: { tokenUsage } }))?.numbers).toEqual(numbers)
  })

  it.each([
    [{ success: true }, { ok: true, resultJson: { output: '' } }],
    [
      { success: false, score: 0.5 },
      { ok: false, resultJson: { output: '', score: 0.5 } },
    ],
    [{ gradingResult: { pass: true } }, { ok: true, resultJson: { output: '' } }],
    [{ success: 'yes', error: 'x' }, undefined],
    [
      { success: false, error: 'x', response: { output: null } },
      { ok: false, resultJson: { output: '', error: 'x' } },
    ],
  ])('grades %j as %j', async (result, outcome) => {
    expect((await one(result))?.outcome).toEqual(outcome)
  })
})
