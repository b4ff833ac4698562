import type { AbandonedAttempt, Model, ModelEvent } from '@zee/llm'
import { ModelError } from '@zee/llm'
import { describe, expect, it } from 'vitest'
import { failure, success } from '../envelope/envelope.ts'
import type { ExternalTool } from '../tools/tool.ts'
import type { GuardedCall } from './guard.ts'
import { call, lines, modelOf, stop, take, text, useTurnFolder } from './turn.fixtures.ts'

useTurnFolder()

const done = [...text('ok'), stop('end')]
const usage = (inputTokens: number): ModelEvent => ({
  type: 'usage',
  usage: { inputTokens, outputTokens: 1 },
})

describe('the records of an answer', () => {
  it('have the receipt at the text, else at the first call', async () => {
    const calls = [...call('a', 'none', {}), ...call('b', 'none', {}), stop('tool_use')]
    await take(modelOf([...text('I look'), ...calls], calls, done).model)
    const recorded = lines().filter(({ type }) => type === 'message' || type === 'tool_use')
    expect(recorded.map(({ id, text: said, model }) => [id ?? said, model])).toEqual([
      ['hi', undefined],
      ['I look', 'm'],
      ['a', undefined],
      ['b', undefined],
      ['a-2', 'm'],
      ['b-2', undefined],
      ['ok', 'm'],
    ])
  })

  it('include thinking that its provider wants back', async () => {
    const part = (rest: object) =>
      ({
        type: 'thinking_end',
        part: { type: 'thinking', text: 't', provider: 'test', ...rest },
      }) as ModelEvent
    const parts = [part({}), part({ signature: 's' }), part({ data: { a: 1 } })]
    const delta: ModelEvent = { type: 'thinking', text: 'hm' }
    const { events, history } = await take(modelOf([delta, ...parts, ...done]).model)
    expect(events[0]).toEqual({ type: 'thinking_delta', text: 'hm' })
    const thinking = { type: 'thinking', text: 't', provider: 'test' }
    expect(history[1]?.parts).toEqual([
      { ...thinking, signature: 's' },
      { ...thinking, data: { a: 1 } },
      { type: 'text', text: 'ok' },
    ])
    expect(lines().filter(({ type }) => type === 'thinking')).toEqual([
      expect.objectContaining({ text: 't', provider: 'test', signature: 's' }),
      expect.objectContaining({ text: 't', provider: 'test', data: { a: 1 } }),
    ])
  })

  it('have the duration of the request and the last reported counts', async () => {
    let nowMs = 1000
    const clock = { now: () => new Date(0), monotonicMs: () => nowMs }
    const { model } = modelOf(async function* () {
      yield usage(5)
      nowMs += 250.4
      yield usage(7)
      yield* done
    })
    const { events } = await take(model, { more: { clock } })
    expect(events.find(({ type }) => type === 'usage')).toEqual({
      type: 'usage',
      usage: { inputTokens: 7, outputTokens: 1 },
      durationMs: 250,
      costUsd: 0.01,
    })
    expect(lines().at(-1)).toMatchObject({ duration_ms: 250, stop: 'end' })
    expect(lines().at(-1)).not.toHaveProperty('usage_estimated')
  })

  it('have counts that are estimated from the request and all that was received', async () => {
    const args: ModelEvent = { type: 'tool_call_args', id: 'a', json: 'x'.repeat(40) }
    const thinking: ModelEvent = { type: 'thinking', text: 'x'.repeat(400) }
    const run = async (answer: ModelEvent[], model = 'm') => {
      const { events } = await take(modelOf(answer).model, { more: { request: { model } } })
      expect(events.map(({ type }) => type)).not.toContain('usage')
      return lines().at(-1)?.usage as { input_tokens: number; output_tokens: number }
    }
    const bare = await run([...text('ü'.repeat(20)), stop('end')])
    expect(bare.output_tokens).toBe(10)
    const all = await run([thinking, args, ...text('ü'.repeat(20)), stop('end')])
    expect(all.output_tokens).toBe(120)
    const longer = await run([...text('ü'), stop('end')], 'm'.repeat(401))
    expect(longer.input_tokens).toBe(bare.input_tokens + 100)
  })
})

describe('an attempt that the transport abandoned', () => {
  const attempt: AbandonedAttempt = {
    usage: { inputTokens: 9, outputTokens: 0 },
    sentBytes: 8,
    receivedBytes: 0,
    durationMs: 3,
  }
  /** A model that abandons attempts before it streams. */
  const abandoning = (count: number, stream: (signal: AbortSignal) => AsyncIterable<ModelEvent>) =>
    ({
      ...modelOf().model,
      async *stream(request, signal = new AbortController().signal) {
        for (let index = 0; index < count; index++) request.onAbandoned?.(attempt)
        yield* stream(signal)
      },
    }) satisfies Model
  const receipts = () =>
    lines().flatMap(({ type, model, stop: reason }) =>
      model === undefined ? [] : [`${String(type)} ${String(reason)}`],
    )

  it('has a receipt of its own', async () => {
    const model = abandoning(2, async function* () {
      yield* done
    })
    const { events } = await take(model)
    expect(receipts()).toEqual(['receipt error', 'receipt error', 'message end'])
    expect(events.filter(({ type }) => type === 'usage')).toHaveLength(2)
  })

  it('has a receipt if the request fails', async () => {
    const model = abandoning(2, () => {
      throw new ModelError('timeout', 'no answer')
    })
    const { events } = await take(model)
    expect(receipts()).toEqual(['receipt error', 'receipt error'])
    expect(events.map(({ type }) => type)).toEqual(['usage', 'usage', 'error'])
  })

  it.each([
    ['half', ['receipt interrupted', 'message interrupted']],
    [' ', ['receipt interrupted', 'receipt interrupted']],
  ])('has its receipt at an interrupted answer %j', async (said, expected) => {
    const abort = new AbortController()
    const model = abandoning(2, async function* (signal) {
      yield* text(said)
      abort.abort()
      signal.throwIfAborted()
    })
    const { end } = await take(model, { signal: abort.signal })
    expect(end).toBe('interrupted')
    expect(receipts()).toEqual(expected)
  })
})

describe('the guard of calls', () => {
  const tool = (name: string, isReadOnly?: boolean): ExternalTool => ({
    external: true,
    name,
    description: 'd',
    schema: { type: 'object' },
    ...(isReadOnly === undefined ? {} : { isReadOnly }),
    run: async () => success({ ran: name }),
  })
  const tools = [tool('reads', true), tool('writes', false), tool('other')]

  it('decides before each call and changes its result', async () => {
    const asked: GuardedCall[] = []
    const guard = {
      before: async (guarded: GuardedCall) => {
        asked.push(guarded)
        const refused = guarded.name === 'writes' ? { refused: failure('denied', 'no') } : {}
        return { ...refused, notices: [`before ${guarded.name}`] }
      },
      after: async ({ name }: { name: string }) => ({
        result: success({ changed: name }),
        notices: [`after ${name}`],
      }),
    }
    const names = ['reads', 'writes', 'other', 'unknown']
    const calls = names.flatMap((name) => call(name, name, {}))
    const invalid: ModelEvent = {
      type: 'tool_call_end',
      id: 'i',
      name: 'reads',
      invalid: { message: 'not JSON', raw: '' },
    }
    const { model } = modelOf([...calls, invalid, stop('tool_use')], done)
    const { events } = await take(model, { more: { guard, tools } })
    expect(asked).toEqual(
      names.map((name) => ({
        ...{ type: 'tool_call', id: name, name, input: {} },
        ...(name === 'reads' ? { isReadOnly: true } : {}),
      })),
    )
    const shown = events.flatMap<unknown>((event) => {
      if (event.type === 'notice') return [event.text]
      if (event.type === 'tool_started') return [`start ${event.id}`]
      return event.type === 'tool_finished' ? [event.result] : []
    })
    expect(shown).toEqual([
      ...['before reads', 'start reads', success({ changed: 'reads' }), 'after reads'],
      ...['before writes', 'start writes', failure('denied', 'no')],
      ...['before other', 'start other', success({ changed: 'other' }), 'after other'],
      ...['before unknown', 'start unknown', success({ changed: 'unknown' }), 'after unknown'],
      ...['start i', success({ changed: 'reads' }), 'after reads'],
    ])
  })

  it('is not asked about the result of an interrupted call', async () => {
    const abort = new AbortController()
    const stopping = { ...tool('stops'), run: async () => (abort.abort(), success({ ran: 1 })) }
    const guard = {
      before: async () => ({ notices: [] }),
      after: async () => ({ result: failure('no', 'no'), notices: ['after'] }),
    }
    const { model } = modelOf([
      ...call('a', 'stops', {}),
      ...call('b', 'stops', {}),
      stop('tool_use'),
    ])
    const { events, history } = await take(model, {
      signal: abort.signal,
      more: { guard, tools: [stopping] },
    })
    const finished = events.filter(({ type }) => type === 'tool_finished')
    expect(finished).toEqual([{ type: 'tool_finished', id: 'a', result: success({ ran: 1 }) }])
    expect(JSON.stringify(history[2])).toContain(
      JSON.stringify(JSON.stringify(failure('cancelled', 'Interrupted by the user'))),
    )
  })
})
