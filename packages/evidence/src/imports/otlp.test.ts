import { afterAll, describe, expect, it } from 'vitest'
import { removeLogs, sourceOf } from '../../test/imported-log.ts'
import { readOtlp } from './otlp.ts'

afterAll(removeLogs)

let count = 0
const read = (content: unknown) => readOtlp(sourceOf(`otlp-${count++}.json`, content))

type Values = Record<string, string | number | boolean>

function attributes(values: Values) {
  return Object.entries(values).map(([key, value]) => ({
    key,
    value:
      typeof value === 'number'
        ? { intValue: String(value) }
        : typeof value === 'string'
          ? { stringValue: value }
          : { boolValue: value },
  }))
}

/** A span from `start` to `end` seconds. */
function span(name: string, times: [number, number], values: Values, more: object = {}) {
  const nanoseconds = (seconds: number) => `${1_775_037_600 + seconds}000000000`
  return {
    traceId: 't1',
    parentSpanId: 'root',
    name,
    startTimeUnixNano: nanoseconds(times[0]),
    endTimeUnixNano: nanoseconds(times[1]),
    attributes: attributes(values),
    ...more,
  }
}

const document = (spans: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] })

async function attemptOf(...spans: object[]) {
  const { attempts } = await read(document(spans))
  return attempts[0]
}

const part = (type: string, content: string) => ({ type, content })

describe('readOtlp', () => {
  it('reads messages, calls and tokens of instrumentations of before the conventions', async () => {
    const attempt = await attemptOf(
      span('openai.chat', [1, 2], {
        'gen_ai.request.model': 'm',
        'gen_ai.prompt.1.role': 'user',
        'gen_ai.prompt.1.content': 'List.',
        'gen_ai.prompt.0.role': 'system',
        'gen_ai.prompt.0.content': 'Be brief.',
        'gen_ai.completion.0.role': 'assistant',
        'gen_ai.completion.0.content': 'I look.',
        'gen_ai.completion.0.tool_calls.0.id': 'c',
        'gen_ai.completion.0.tool_calls.0.name': 'ls',
        'gen_ai.completion.0.tool_calls.0.arguments': '{"all":true}',
        'gen_ai.usage.prompt_tokens': 7,
        'gen_ai.usage.completion_tokens': 2,
      }),
    )
    expect(attempt?.messages.map(({ role, text }) => `${role}: ${text}`)).toEqual([
      'system: Be brief.',
      'user: List.',
      'assistant: I look.',
    ])
    expect(attempt?.calls).toMatchObject([{ op: 'ls', input: { all: true } }])
    expect(attempt?.numbers).toMatchObject({ inputTokens: 7, outputTokens: 2, modelCalls: 1 })
    expect([attempt?.prompt, attempt?.unmapped]).toEqual(['List.', {}])
  })

  it('reads the attempt of a trace with answers, calls and other spans', async () => {
    const spans = [
      span('tool', [4, 6], {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'ls',
        'gen_ai.tool.call.arguments': '{"all":true}',
        'gen_ai.tool.call.result': 'a.txt',
      }),
      span('chat', [1, 2], {
        'gen_ai.operation.name': 'chat',
        'gen_ai.request.model': 'asked',
        'gen_ai.response.model': 'answered',
        'gen_ai.provider.name': 'openai',
        'gen_ai.usage.input_tokens': 7,
        'gen_ai.usage.output_tokens': 3,
        'gen_ai.input.messages': JSON.stringify([
          { role: 'system', parts: [part('text', 'Be brief.')] },
          { role: 'user', parts: [part('text', 'Go.'), part('blob', 'no')] },
          { role: 'tool', parts: [part('text', 'no')] },
        ]),
        'gen_ai.output.messages': JSON.stringify([
          { parts: [part('reasoning', 'hm'), part('text', 'hi')] },
        ]),
      }),
      span('completion', [2, 3], {
        'gen_ai.operation.name': 'text_completion',
        'gen_ai.usage.input_tokens': 10,
        'gen_ai.usage.output_tokens': 1,
        'gen_ai.input.messages': JSON.stringify([
          { role: 'user', parts: [part('text', 'Go.')] },
          { role: 'user', parts: [part('text', 'On.')] },
        ]),
        'gen_ai.output.messages': JSON.stringify([{ parts: [part('text', 'there')] }]),
      }),
      span('content', [3, 4], { 'gen_ai.operation.name': 'generate_content' }),
      span(
        'zcl',
        [7, 6],
        { 'zcl.op': 'exec', 'zcl.tool': 'cli', 'zcl.input': 'plain' },
        { status: { code: 2 } },
      ),
      span(
        'nameless',
        [8, 20],
        { 'gen_ai.operation.name': 'execute_tool' },
        {
          status: { code: 'STATUS_CODE_ERROR' },
        },
      ),
      span('db', [8, 9], {}),
      span(
        'invoke_agent sums',
        [0, 10],
        {
          'gen_ai.agent.name': 'tallier',
          'zcl.suite.id': 'suite',
          'zcl.attempt.ok': true,
        },
        { parentSpanId: '' },
      ),
      span('embed', [9, 9], { 'gen_ai.operation.name': 'embeddings' }),
    ]
    expect(await read(document(spans))).toEqual({
      attempts: [
        {
          agent: 'tallier',
          calls: [
            {
              durationMs: 2000,
              input: { all: true },
              isError: false,
              op: 'ls',
              output: 'a.txt',
              tool: 'otlp',
              ts: '2026-04-01T10:00:04.000Z',
            },
            {
              durationMs: 0,
              input: { text: 'plain' },
              isError: true,
              op: 'exec',
              output: '',
              tool: 'cli',
              ts: '2026-04-01T10:00:07.000Z',
            },
            {
              durationMs: 12000,
              input: {},
              isError: true,
              op: 'nameless',
              output: '',
              tool: 'otlp',
              ts: '2026-04-01T10:00:08.000Z',
            },
          ],
          endedAt: '2026-04-01T10:00:20.000Z',
          messages: [
            {
              afterCalls: 0,
              kind: 'text',
              role: 'system',
              text: 'Be brief.',
              ts: '2026-04-01T10:00:01.000Z',
            },
            {
              afterCalls: 0,
              kind: 'text',
              role: 'user',
              text: 'Go.',
              ts: '2026-04-01T10:00:01.000Z',
            },
            {
              afterCalls: 0,
              kind: 'thinking',
              role: 'assistant',
              text: 'hm',
              ts: '2026-04-01T10:00:01.000Z',
            },
            {
              afterCalls: 0,
              kind: 'text',
              role: 'assistant',
              text: 'hi',
              ts: '2026-04-01T10:00:01.000Z',
            },
            {
              afterCalls: 0,
              kind: 'text',
              role: 'user',
              text: 'On.',
              ts: '2026-04-01T10:00:02.000Z',
            },
            {
              afterCalls: 0,
              kind: 'text',
              role: 'assistant',
              text: 'there',
              ts: '2026-04-01T10:00:02.000Z',
            },
          ],
          mission: 'sums',
          numbers: {
            inputTokens: 17,
            model: 'answered',
            modelCalls: 3,
            modelProvider: 'openai',
            outputTokens: 4,
            toolCalls: 3,
            totalTokens: 21,
          },
          outcome: { ok: true, result: '' },
          prompt: 'Go.',
          retry: 1,
          sourceId: 't1',
          startedAt: '2026-04-01T10:00:00.000Z',
          unmapped: { 'part blob': 1, 'part text': 1, 'span db': 1, 'span embeddings': 1 },
        },
      ],
      createdAt: '2026-04-01T10:00:00.000Z',
      suite: 'suite',
      unmapped: {},
    })
  })

  it('takes the usage of the agent instead of the sum of its answers', async () => {
    const chat = (input: number) =>
      span('chat', [1, 2], {
        'gen_ai.operation.name': 'chat',
        'gen_ai.usage.input_tokens': input,
        'gen_ai.usage.output_tokens': 1,
      })
    const agent = span('agent', [3, 4], {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.usage.input_tokens': 50,
    })
    const attempt = await attemptOf(chat(5), chat(6), agent)
    expect(attempt?.numbers).toEqual({
      inputTokens: 50,
      outputTokens: 2,
      totalTokens: 52,
      modelCalls: 2,
      toolCalls: 0,
    })
    expect(attempt?.unmapped).toEqual({})
  })

  it('has no total with one of both counts only', async () => {
    const numbers = async (key: string) =>
      (await attemptOf(span('x', [0, 1], { [`gen_ai.usage.${key}`]: 4 })))?.numbers
    expect(await numbers('input_tokens')).toEqual({ inputTokens: 4, toolCalls: 0 })
    expect(await numbers('output_tokens')).toEqual({ outputTokens: 4, toolCalls: 0 })
  })

  it('names the mission by its attribute, or by the root span', async () => {
    const named = async (name: string, values: Values) =>
      (await attemptOf(span(name, [0, 1], values, { parentSpanId: '' })))?.mission
    expect(await named('x', { 'zcl.mission.id': 'm' })).toBe('m')
    expect(await named('invoke_agent m2', {})).toBe('m2')
    expect(await named('please invoke_agent m2', {})).toBe('please invoke_agent m2')
  })

  it('keeps the traces apart, the earliest first, and takes the first span without a root', async () => {
    const spans = [
      span('b', [5, 6], { 'gen_ai.agent.id': 'second' }, { traceId: 't2' }),
      span('a', [1, 2], {}),
      span('c', [3, 4], {}),
    ]
    const { attempts, suite, createdAt } = await read(document(spans))
    expect([suite, createdAt]).toEqual(['otlp', '2026-04-01T10:00:01.000Z'])
    expect(
      attempts.map(({ mission, sourceId, agent, endedAt }) => [mission, sourceId, agent, endedAt]),
    ).toEqual([
      ['a', 't1', undefined, '2026-04-01T10:00:04.000Z'],
      ['b', 't2', 'second', '2026-04-01T10:00:06.000Z'],
    ])
  })

  it('reads one document per line', async () => {
    const line = (name: string) =>
      JSON.stringify(document([span(name, [0, 1], {}, { traceId: name })]))
    const { attempts } = await read(`${line('a')}\n \n${line('b')}\n`)
    expect(attempts.map(({ mission }) => mission)).toEqual(['a', 'b'])
  })

  it('reads numbers, truth values and texts, and spans without times', async () => {
    const values = [
      { key: 'zcl.attempt.ok', value: { boolValue: false } },
      { key: 'gen_ai.usage.input_tokens', value: { doubleValue: 2 } },
      { key: 'gen_ai.usage.output_tokens', value: { intValue: 3 } },
    ]
    const attempt = await attemptOf({ name: 'x', attributes: values, startTimeUnixNano: '-5' })
    expect(attempt).toEqual({
      mission: 'x',
      retry: 1,
      sourceId: '',
      startedAt: '1970-01-01T00:00:00.000Z',
      endedAt: '1970-01-01T00:00:00.000Z',
      messages: [],
      calls: [],
      outcome: { ok: false, result: '' },
      numbers: { inputTokens: 2, outputTokens: 3, totalTokens: 5, toolCalls: 0 },
      unmapped: {},
    })
  })

  it('refuses a file that is neither JSON nor messages', async () => {
    await expect(read('not json')).rejects.toMatchObject({
      code: 'ZCL_E_INVALID_JSON',
      message: expect.stringMatching(/otlp-\d+\.json is not OTLP$/) as string,
    })
  })
})
