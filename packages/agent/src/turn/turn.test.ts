import { rmSync } from 'node:fs'
import path from 'node:path'
import { fixedClock } from '@zee/core/clock'
import { ZeeError } from '@zee/core/errors'
import type { Message, ModelEvent } from '@zee/llm'
import { ModelError } from '@zee/llm'
import { describe, expect, it } from 'vitest'
import { openSession } from '../session/file.ts'
import { loadHistory } from '../session/session.ts'
import { defaultTools } from '../tools/tools.ts'
import type { AgentEvent } from './events.ts'
import { runTurn } from './turn.ts'
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

describe('an answer beyond its limits', () => {
  const mebibyte = 'x'.repeat(1024 * 1024)
  const args: ModelEvent = { type: 'tool_call_args', id: 'a', json: mebibyte }
  const calls = Array.from({ length: 200_000 }, (_, index) => call(`${index}`, 'none', {})).flat()

  it.each<[string, ModelEvent[]]>([
    ['16 MiB of text', text(...Array.from({ length: 17 }, () => mebibyte))],
    [
      '8 MiB',
      [
        { type: 'tool_call_start', id: 'a', name: 'write' },
        ...Array.from({ length: 9 }, () => args),
      ],
    ],
    ['128 tool calls', [...calls, stop('tool_use')]],
  ])('is an error that names the limit of %s, and the next turn works', async (limit, answer) => {
    const { model, requests } = modelOf(answer, [...text('ok'), stop('end')])
    const history: Message[] = []
    const { events, end } = await take(model, { history })
    expect(events.at(-1)).toMatchObject({ type: 'error', kind: 'api_error' })
    expect(events.at(-1)).toHaveProperty('message', expect.stringContaining(`more than ${limit}`))
    expect(events.some(({ type }) => type === 'tool_started')).toBe(false)
    expect(end).toBe('error')
    expect(await take(model, { history })).toMatchObject({ end: 'done' })
    expect(requests[1]?.messages).toHaveLength(1)
  })
})

describe('an interrupt', () => {
  it('ends a turn of failing calls whose answers need no I/O', async () => {
    const answers = Array.from({ length: 2000 }, (_, index) => [
      ...call(`${index}`, 'none', {}),
      stop('tool_use'),
    ])
    const { model, requests } = modelOf(...answers)
    const controller = new AbortController()
    setImmediate(() => controller.abort())
    const { end } = await take(model, { signal: controller.signal })
    expect(end).toBe('interrupted')
    expect(requests.length).toBeLessThan(10)
  })
})

describe('a turn whose session cannot be written', () => {
  const fail = (code: string) => () => {
    throw new ZeeError(code, `${code}: the disk reported an error`)
  }

  it('ends with an error after the answer if the flush fails', async () => {
    const { model } = modelOf([...text('Hello'), stop('end')])
    const { events, end } = await take(model, { session: { sync: fail('may_not_be_recorded') } })
    expect(events.slice(1)).toEqual([
      { type: 'assistant_final', text: 'Hello' },
      {
        type: 'error',
        kind: 'internal',
        message: 'may_not_be_recorded: the disk reported an error',
      },
    ])
    expect(end).toBe('error')
  })

  it('reports that an interrupt is not recorded', async () => {
    const { model } = modelOf([])
    const session = { append: fail('not_recorded') }
    const { events, end } = await take(model, { session, signal: AbortSignal.abort() })
    expect(events).toMatchObject([
      { type: 'interrupted' },
      { type: 'error', message: 'not_recorded: the disk reported an error' },
    ])
    expect(end).toBe('error')
  })
})

describe('a turn', () => {
  it('streams the text, ends with the complete text and writes three records', async () => {
    const { model, requests } = modelOf([...text('Hel', 'lo'), stop('end')])
    const { events, history } = await take(model)
    expect(events).toEqual([
      { type: 'assistant_delta', text: 'Hel' },
      { type: 'assistant_delta', text: 'lo' },
      { type: 'assistant_final', text: 'Hello' },
    ])
    expect(requests[0]?.messages).toEqual([{ role: 'user', parts: [{ type: 'text', text: 'hi' }] }])
    expect(requests[0]?.tools?.map(({ name }) => name)).toEqual(['bash', 'edit', 'read', 'write'])
    const ts = '2026-01-02T03:04:05Z'
    expect(lines()).toEqual([
      { type: 'meta', schema_version: 1, ts },
      { type: 'message', role: 'user', text: 'hi', ts },
      {
        type: 'message',
        role: 'assistant',
        text: 'Hello',
        provider: 'test',
        model: 'm',
        usage: { input_tokens: expect.any(Number) as number, output_tokens: 2 },
        usage_estimated: true,
        stop: 'end',
        duration_ms: 0,
        cost_usd: 0.02,
        ts,
      },
    ])
    expect(history).toHaveLength(2)
  })

  it('runs the tools of a round in order and sends their results in one message', async () => {
    const { model, requests } = modelOf(
      [
        ...text('I will look.'),
        ...call('a', 'write', { path: 'f', content: 'x' }),
        ...call('b', 'bash', { command: 'cat f' }),
        stop('tool_use'),
      ],
      [...text('Done.'), stop('end')],
    )
    const { types, history } = await take(model)
    expect(types).toEqual([
      'assistant_delta',
      'tool_requested',
      'tool_requested',
      'tool_started',
      'tool_finished',
      'tool_started',
      'tool_finished',
      'assistant_delta',
      'assistant_final',
    ])
    const results = requests[1]?.messages[2]
    expect(results?.role).toBe('user')
    expect(results?.parts.map((part) => part.type === 'tool_result' && part.id)).toEqual(['a', 'b'])
    expect(JSON.stringify(results)).toContain('\\"stdout\\":\\"x\\"')
    expect(lines().map(({ type }) => type)).toEqual([
      'meta',
      'message',
      'message',
      'tool_use',
      'tool_use',
      'tool_result',
      'tool_result',
      'message',
    ])
    expect(loadHistory(turnFolder(), 's').messages).toEqual(history)
  })

  it('answers a call with invalid input so that the model can retry', async () => {
    const invalid = { message: 'Invalid tool input JSON for read: no', raw: '{' }
    const { model, requests } = modelOf(
      [{ type: 'tool_call_end', id: 'a', name: 'read', invalid }, stop('tool_use')],
      [...text('ok'), stop('end')],
    )
    await take(model)
    expect(JSON.stringify(requests[1])).toContain('Invalid tool input JSON for read')
  })

  it('drops a call that the token limit cut off and reports it', async () => {
    const { model } = modelOf([
      ...text('I'),
      { type: 'tool_call_start', id: 'a', name: 'bash' },
      { type: 'tool_call_args', id: 'a', json: '{"comm' },
      stop('max_tokens'),
    ])
    const { events, types } = await take(model)
    expect(types).not.toContain('tool_requested')
    expect(JSON.stringify(events)).toContain('raise max_tokens')
    expect(lines().some(({ type }) => type === 'tool_use')).toBe(false)
  })

  it('turns a failure into an event, drops the prompt from the history and keeps the file valid', async () => {
    const { model } = modelOf(() => {
      throw new ModelError('http_status', 'HTTP 500: boom', { details: '{"x":1}' })
    })
    const { events, history } = await take(model)
    expect(events).toEqual([
      { type: 'error', kind: 'http_status', message: 'HTTP 500: boom', details: '{"x":1}' },
    ])
    expect(history).toEqual([])
    expect(lines().map(({ type }) => type)).toEqual(['meta', 'message'])
  })

  it('keeps completed tool calls in the history if a later request fails', async () => {
    const { model } = modelOf([...call('a', 'bash', { command: 'true' }), stop('tool_use')], () => {
      throw new ModelError('timeout', 'Connection failed: refused')
    })
    const { history, types } = await take(model)
    expect(types.at(-1)).toBe('error')
    expect(history.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('writes nothing if the check of the model fails', async () => {
    const { model } = modelOf()
    model.check = () => {
      throw new ModelError('internal', 'X_API_KEY environment variable is not set')
    }
    const { types } = await take(model)
    expect(types).toEqual(['error'])
    expect(() => lines()).toThrow(/ENOENT/)
  })

  it('ends an interrupted stream with one record and keeps the text so far', async () => {
    const controller = new AbortController()
    const { model } = modelOf(async function* (signal) {
      yield { type: 'text', text: 'half an ans' } as const
      signal.throwIfAborted()
    })
    const { types } = await take(model, {
      signal: controller.signal,
      onEvent: () => controller.abort(),
    })
    expect(types).toEqual(['assistant_delta', 'interrupted'])
    expect(lines().map(({ type, text: said }) => said ?? type)).toEqual([
      'meta',
      'hi',
      'half an ans',
      'Interrupted',
    ])
  })

  it('ends an interrupted tool with a cancelled result that a resumed session can send', async () => {
    const controller = new AbortController()
    const { model, requests } = modelOf([
      ...call('a', 'bash', { command: 'sleep 60' }),
      ...call('b', 'bash', { command: 'echo never' }),
      stop('tool_use'),
    ])
    let seen = 0
    const { types } = await take(model, {
      signal: controller.signal,
      onEvent: () => {
        seen += 1
        if (seen === 3) setTimeout(() => controller.abort(), 50)
      },
    })
    expect(types.at(-1)).toBe('interrupted')
    expect(requests).toHaveLength(1)
    const messages = loadHistory(turnFolder(), 's').messages
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
    expect(JSON.stringify(messages).match(/cancelled/g)).toHaveLength(2)
  })

  it('never throws, even if the session cannot be written', async () => {
    const { model } = modelOf([...text('x'), stop('end')])
    rmSync(turnFolder(), { recursive: true })
    const blocked = path.join(turnFolder(), 'file')
    const events: AgentEvent[] = []
    const session = openSession(path.join(blocked, '\0'), 's', fixedClock('2026-01-01T00:00:00Z'))
    const turn = {
      model,
      request: { model: 'm' },
      tools: defaultTools,
      toolContext: { root: turnFolder(), timeoutMs: undefined, env: {} },
      history: [],
      prompt: 'hi',
      session,
      signal: new AbortController().signal,
      clock: fixedClock('2026-01-01T00:00:00Z'),
    }
    for await (const event of runTurn(turn)) events.push(event)
    expect(events).toEqual([
      expect.objectContaining({ type: 'error', kind: 'internal' }),
      { type: 'turn_end', reason: 'error' },
    ])
  })
})
