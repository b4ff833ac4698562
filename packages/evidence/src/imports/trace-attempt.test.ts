import { afterAll, describe, expect, it } from 'vitest'
import { removeLogs, sourceOf } from '../../test/imported-log.ts'
import { readOtlp } from './otlp.ts'

afterAll(removeLogs)

type Value = string | number | readonly Value[] | { readonly [key: string]: Value }

/** A value as the collector writes structures. */
function anyValue(value: Value): object {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'number') return { intValue: String(value) }
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } }
  return { kvlistValue: { values: list(value as Record<string, Value>) } }
}

function list(values: Record<string, Value>): object[] {
  return Object.entries(values).map(([key, value]) => ({ key, value: anyValue(value) }))
}

let spans = 0

function span(operation: string, values: Record<string, Value> = {}, more: object = {}) {
  const n = spans++
  return {
    traceId: 't',
    spanId: `s${n}`,
    parentSpanId: 'root',
    name: operation,
    startTimeUnixNano: `${1_775_037_600_000_000_000n + BigInt(n) * 1_000_000n}`,
    attributes: list({ 'gen_ai.operation.name': operation, ...values }),
    ...more,
  }
}

let count = 0

const attemptOf = (...traced: object[]) => attemptOfSpans(traced)

async function attemptOfSpans(traced: readonly object[]) {
  const document = { resourceSpans: [{ scopeSpans: [{ spans: traced }] }] }
  const { attempts } = await readOtlp(sourceOf(`trace-${count++}.json`, document))
  return attempts[0]
}

const usage = (input: number, output = 1) => ({
  'gen_ai.usage.input_tokens': input,
  'gen_ai.usage.output_tokens': output,
})
const text = (content: string) => ({ type: 'text', content })
const user = (content: string) => ({ role: 'user', parts: [text(content)] })
const asks = (id: string, name: string) => ({ type: 'tool_call', id, name, arguments: { at: id } })
const answers = (id: string, response: Value) => ({
  role: 'tool',
  parts: [{ type: 'tool_call_response', id, response }],
})

describe('a trace with structured attributes', () => {
  const assistant = {
    role: 'assistant',
    parts: [text('I look.'), asks('a', 'ls'), asks('b', 'cat')],
  }
  const request = span('chat', {
    'gen_ai.system_instructions': [text('Be brief.')],
    'gen_ai.input.messages': [user('Go.')],
    'gen_ai.output.messages': [assistant],
  })
  const conversation = [user('Go.'), assistant, answers('a', 'x.py'), answers('b', { lines: 2 })]
  const next = span('chat', {
    'gen_ai.input.messages': [...conversation, user('Go on.')],
    'gen_ai.output.messages': [{ role: 'assistant', parts: [text('Done.')] }],
  })

  it('has the calls of its answers with the results of the next request', async () => {
    const attempt = await attemptOf(request, next)
    expect(attempt?.calls.map(({ op, input, output }) => [op, input, output])).toEqual([
      ['ls', { at: 'a' }, 'x.py'],
      ['cat', { at: 'b' }, '{"lines":2}'],
    ])
    expect(attempt?.messages.map(({ role, text: said }) => `${role}: ${said}`)).toEqual([
      'system: Be brief.',
      'user: Go.',
      'assistant: I look.',
      'user: Go on.',
      'assistant: Done.',
    ])
    expect([attempt?.prompt, attempt?.unmapped]).toEqual(['Go.', {}])
  })

  it('counts a call with a span once', async () => {
    const tool = span('execute_tool', {
      'gen_ai.tool.name': 'ls',
      'gen_ai.tool.call.id': 'a',
      'gen_ai.tool.call.arguments': { all: 1 },
      'gen_ai.tool.call.result': ['x.py'],
    })
    const attempt = await attemptOf(request, tool, next)
    expect(attempt?.calls.map(({ op, input, output }) => [op, input, output])).toEqual([
      ['cat', { at: 'b' }, '{"lines":2}'],
      ['ls', { all: 1 }, '["x.py"]'],
    ])
  })
})

describe('a trace', () => {
  it('has a span that was sent twice once', async () => {
    const tool = span('execute_tool')
    expect((await attemptOf(tool, tool))?.calls).toHaveLength(1)
  })

  it('has the messages of its agent, if no answer has any', async () => {
    const agent = span(
      'invoke_agent',
      { 'gen_ai.input.messages': JSON.stringify([user('Go.')]) },
      { parentSpanId: '' },
    )
    expect((await attemptOf(agent, span('chat')))?.messages).toMatchObject([{ text: 'Go.' }])
  })

  it('has the messages that an event of an answer reports, and counts other events', async () => {
    const attributes = list({ 'gen_ai.input.messages': [user('Go.')] })
    const events = [
      { name: 'gen_ai.client.inference.operation.details', attributes },
      { name: 'exception' },
    ]
    const attempt = await attemptOf(span('chat', {}, { events }))
    expect(attempt?.messages).toMatchObject([{ text: 'Go.' }])
    expect(attempt?.unmapped).toEqual({ 'event exception': 1 })
  })

  it('counts the usage of agents within agents once', async () => {
    const outer = span('invoke_agent', usage(50, 9), { spanId: 'root', parentSpanId: '' })
    const inner = span('invoke_agent', usage(20, 4), { spanId: 'inner' })
    const chat = span('chat', usage(20, 4), { parentSpanId: 'inner' })
    const numbers = { inputTokens: 50, outputTokens: 9, totalTokens: 59, modelCalls: 1 }
    expect((await attemptOf(outer, inner, chat))?.numbers).toMatchObject(numbers)
    const beside = span('invoke_agent', usage(5), { parentSpanId: 'other' })
    const sum = { inputTokens: 25, outputTokens: 5 }
    expect((await attemptOf(inner, beside, chat))?.numbers).toMatchObject(sum)
  })

  it('takes cached tokens out of the input', async () => {
    const cached = {
      'gen_ai.usage.cache_read.input_tokens': 6,
      'gen_ai.usage.cache_creation.input_tokens': 2,
    }
    expect((await attemptOf(span('chat', { ...usage(10, 3), ...cached })))?.numbers).toMatchObject({
      inputTokens: 2,
      cachedInputTokens: 6,
      cacheWriteTokens: 2,
      outputTokens: 3,
      totalTokens: 13,
    })
  })

  it('ends at its latest span, also with 150,000 spans and with spans that are their own parent', async () => {
    const many = Array.from({ length: 150_000 }, (_, n) => ({
      traceId: 't',
      spanId: `m${n}`,
      parentSpanId: `m${n}`,
      name: 'x',
      endTimeUnixNano: `${n}000000`,
      attributes: list({ 'gen_ai.operation.name': 'invoke_agent', ...usage(1) }),
    }))
    const attempt = await attemptOfSpans(many)
    expect([attempt?.endedAt, attempt?.numbers.inputTokens]).toEqual([
      '1970-01-01T00:02:29.999Z',
      150_000,
    ])
  })

  it.each(['99999999999999999999999', '1'.repeat(100), 'x', '-1'])(
    'has no time for %s nanoseconds',
    async (startTimeUnixNano) => {
      const attempt = await attemptOf(span('chat', {}, { startTimeUnixNano }))
      expect(attempt?.startedAt).toBe('1970-01-01T00:00:00.000Z')
    },
  )
})
