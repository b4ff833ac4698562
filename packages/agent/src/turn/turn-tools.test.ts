import { describe, expect, it } from 'vitest'
import { failure, success } from '../envelope/envelope.ts'
import type { ExternalTool } from '../tools/tool.ts'
import type { Turn } from './turn.ts'
import { loadHistory } from '../session/session.ts'
import {
  call,
  lines,
  modelOf,
  stop,
  take,
  text,
  turnFolder,
  useTurnFolder,
} from './turn.fixtures.ts'

useTurnFolder()

describe('external tools', () => {
  const tool: ExternalTool = {
    external: true,
    name: 'far__add',
    description: 'adds',
    schema: { type: 'object', properties: { list: { type: 'array' } } },
    run: async (input) => success({ got: input }),
  }

  it('are gathered when the turn starts and receive their input unchanged', async () => {
    const { model, requests } = modelOf(
      [...call('t1', 'far__add', { list: [1, { a: null }] }), stop('tool_use')],
      [...text('ok'), stop('end')],
    )
    const gather = async () => ({ tools: [tool], notices: ['one is missing'] })
    const { events } = await take(model, { gather })
    expect(events[0]).toEqual({ type: 'notice', text: 'one is missing' })
    expect(requests[0]?.tools?.at(-1)).toMatchObject({ name: 'far__add', schema: tool.schema })
    expect(events.find(({ type }) => type === 'tool_finished')).toMatchObject({
      result: { ok: true, data: { got: { list: [1, { a: null }] } } },
    })
  })

  it('have at least 20 s to start, even if the tool timeout is shorter', async () => {
    let given: number | undefined
    const gather: Turn['gather'] = async ({ timeoutMs }) => {
      given = timeoutMs
      return { tools: [], notices: [] }
    }
    await take(modelOf([stop('end')]).model, { gather })
    expect(given).toBe(20_000)
  })

  it('end the turn as interrupted if the user aborts while they are gathered', async () => {
    const leaving = new AbortController()
    const { model, requests } = modelOf([stop('end')])
    const gather: Turn['gather'] = async ({ signal }) => {
      leaving.abort()
      signal.throwIfAborted()
      return { tools: [], notices: [] }
    }
    const { end } = await take(model, { gather, signal: leaving.signal })
    expect(end).toBe('interrupted')
    expect(requests).toHaveLength(0)
    expect(lines().map(({ type }) => type)).toEqual(['meta', 'message', 'interrupted'])
  })
})

describe('call ids', () => {
  it('are unique in a request if the model repeats them, and the same after the session is loaded', async () => {
    const read = call('call:1', 'read', { path: 'none' })
    const { model, requests } = modelOf(
      [...read, stop('tool_use')],
      [...read, stop('tool_use')],
      [...text('ok'), stop('end')],
    )
    await take(model)
    const { messages } = loadHistory(turnFolder(), 's')
    const calls = messages.flatMap(({ parts }) =>
      parts.filter((part) => part.type === 'tool_call').map(({ id }) => id),
    )
    expect(calls).toEqual(['call_1', 'call_1-2'])
    const sent = requests[2]?.messages ?? []
    expect(messages.slice(0, sent.length)).toEqual(sent)
  })
})

describe('a wrapper of calls', () => {
  it('may refuse a call, and its notice follows the result', async () => {
    const { model } = modelOf(
      [...call('t1', 'write', { path: 'f', content: 'x' }), stop('tool_use')],
      [...text('ok'), stop('end')],
    )
    const around: Turn['around'] = async ({ name }) => ({
      result: failure('denied', `no ${name}`),
      notice: 'it was refused',
    })
    const { types, events } = await take(model, { around })
    expect(types.slice(0, 4)).toEqual(['tool_requested', 'tool_started', 'tool_finished', 'notice'])
    expect(events[2]).toMatchObject({ result: { error: { code: 'denied', message: 'no write' } } })
  })

  it('may abort a call with its own signal, and the turn continues', async () => {
    const { model } = modelOf(
      [...call('t1', 'bash', { command: 'sleep 300' }), stop('tool_use')],
      [...text('ok'), stop('end')],
    )
    const around: Turn['around'] = async (_call, run) => ({
      result: await run(AbortSignal.abort()),
    })
    const { end, events } = await take(model, { around })
    expect(end).toBe('done')
    expect(events.find(({ type }) => type === 'tool_finished')).toMatchObject({
      result: { ok: false, error: { code: 'cancelled' } },
    })
  })
})
