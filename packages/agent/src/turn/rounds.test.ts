import type { Message, ModelEvent } from '@zee/llm'
import { describe, expect, it } from 'vitest'
import { createContextMeter, openResultStore } from '../elision/elision.ts'
import { success } from '../envelope/envelope.ts'
import type { ExternalTool } from '../tools/tool.ts'
import type { Turn } from './turn.ts'
import { call, lines, modelOf, stop, take, text, useTurnFolder } from './turn.fixtures.ts'

useTurnFolder()

const ended = (reason: string, detail?: string): ModelEvent =>
  ({ type: 'stop', reason, ...(detail === undefined ? {} : { detail }) }) as ModelEvent
const notices = (events: readonly { type: string; text?: string }[]) =>
  events.flatMap((event) => (event.type === 'notice' ? [event.text] : []))
const done = [...text('ok'), stop('end')]
const calling = (...ids: string[]) => [
  ...ids.flatMap((id) => call(id, 'none', {})),
  stop('tool_use'),
]

describe('the end of an answer', () => {
  const cutCall: ModelEvent = { type: 'tool_call_start', id: 'a', name: 'bash' }

  it.each<[end: string, answer: ModelEvent[], notices: string[]]>([
    ['done', [...text('a'), stop('end')], []],
    ['done', [...text('a'), stop('tool_use')], []],
    [
      'max_tokens',
      [...text('a'), stop('max_tokens')],
      ['The answer was cut off at the token limit: raise max_tokens'],
    ],
    [
      'max_tokens',
      [...text('a'), cutCall, stop('max_tokens')],
      ['A tool call was cut off at the token limit: raise max_tokens'],
    ],
    ['other', [...text('a'), ended('other', 'PAUSE')], ['The model stopped early (PAUSE)']],
    ['other', text('a'), ['The model stopped early (no reason)']],
    ['refusal', [...text('a'), ended('refusal')], ['The model refused to continue']],
  ])('is %s', async (end, answer, expected) => {
    const { model, requests } = modelOf(answer)
    const taken = await take(model)
    expect([taken.end, notices(taken.events)]).toEqual([end, expected])
    expect(taken.events.at(-1)).toEqual({ type: 'assistant_final', text: 'a' })
    expect(requests).toHaveLength(1)
  })

  it.each<[answer: ModelEvent[], reason: string]>([
    [[stop('end')], ''],
    [[...text(' \n'), stop('end')], ''],
    [[stop('tool_use')], ' (stop reason: tool_use)'],
    [[ended('refusal')], ' (stop reason: refusal)'],
    [[ended('other', 'PAUSE')], ' (stop reason: PAUSE)'],
  ])('without text or calls is an error: %j', async (answer, reason) => {
    const { events, end, history } = await take(modelOf(answer).model)
    expect(events.at(-1)).toMatchObject({
      type: 'error',
      kind: 'api_error',
      message: `the model returned no text and no completed tool call${reason}`,
    })
    expect([end, history]).toEqual(['error', []])
  })

  it('may be without text after a round with calls', async () => {
    const { events, end, history } = await take(modelOf(calling('a'), [stop('end')]).model)
    expect(end).toBe('done')
    expect(events.map(({ type }) => type)).not.toContain('assistant_final')
    expect(history).toHaveLength(3)
    expect(lines().at(-1)).toMatchObject({ type: 'receipt', stop: 'end' })
  })
})

describe('onEnd', () => {
  it('continues a finished turn with its message, at most three times', async () => {
    const reasons: string[] = []
    const onEnd: Turn['onEnd'] = async (reason) => {
      reasons.push(reason)
      return { message: `go on ${reasons.length}`, notices: [`notice ${reasons.length}`] }
    }
    const { model, requests } = modelOf(done, done, done, done, done)
    const { end, events, history } = await take(model, { more: { onEnd } })
    expect(requests).toHaveLength(4)
    expect(reasons).toEqual(['done', 'done', 'done', 'done'])
    expect(notices(events)).toEqual(['notice 1', 'notice 2', 'notice 3', 'notice 4'])
    expect(end).toBe('done')
    const prompts = history.filter(({ role }) => role === 'user')
    expect(prompts.map(({ parts }) => parts[0])).toEqual(
      ['hi', 'go on 1', 'go on 2', 'go on 3'].map((said) => ({ type: 'text', text: said })),
    )
    expect(lines().filter(({ role }) => role === 'user')).toHaveLength(4)
  })

  it('does not continue a turn that was cut off, or without a message', async () => {
    for (const [answer, message] of [
      [[...text('a'), stop('max_tokens')], 'go on'],
      [done, undefined],
    ] as const) {
      const { model, requests } = modelOf(answer, done)
      const onEnd = async () => ({ ...(message === undefined ? {} : { message }), notices: [] })
      await take(model, { more: { onEnd } })
      expect(requests).toHaveLength(1)
    }
  })

  it('may be continued by an answer without text', async () => {
    let isFirst = true
    const onEnd: Turn['onEnd'] = async () => {
      const message = isFirst ? { message: 'go on' } : {}
      isFirst = false
      return { ...message, notices: [] }
    }
    const { end } = await take(modelOf(done, [stop('end')]).model, { more: { onEnd } })
    expect(end).toBe('done')
  })

  it('reports a failed turn, and its own failure changes nothing', async () => {
    const reasons: string[] = []
    const onEnd: Turn['onEnd'] = async (reason) => {
      reasons.push(reason)
      if (reasons.length === 2) throw new Error('no')
      return { message: 'go on', notices: ['it failed'] }
    }
    const { events } = await take(modelOf([stop('end')]).model, { more: { onEnd } })
    expect(notices(events)).toEqual(['it failed'])
    const second = await take(modelOf([stop('end')]).model, { more: { onEnd } })
    expect([notices(second.events), second.end]).toEqual([[], 'error'])
    expect(reasons).toEqual(['error', 'error'])
  })
})

describe('a queued line', () => {
  it('follows the results of a round and is recorded as steered', async () => {
    const queued = [['first', 'second'], []]
    const steer = async () => queued.shift() ?? []
    const { model, requests } = modelOf(calling('a'), calling('b'), done)
    const { events } = await take(model, { more: { steer } })
    expect(events.filter(({ type }) => type === 'steered')).toEqual([
      { type: 'steered', text: 'first' },
      { type: 'steered', text: 'second' },
    ])
    // Neighbours of one role are joined in a request.
    expect(requests[1]?.messages.at(-1)?.parts.slice(1)).toEqual([
      { type: 'text', text: 'first\n\nsecond' },
    ])
    expect(lines().filter(({ steered }) => steered === true)).toHaveLength(2)
  })
})

describe('a request that would not fit into the context window', () => {
  it('has old results elided, and the model may recall them', async () => {
    const results = openResultStore({ folder: '/', id: undefined, isSaved: false })
    const meter = createContextMeter()
    const large = success({ content: 'x'.repeat(4000) })
    const tool: ExternalTool = {
      external: true,
      name: 'large',
      description: 'd',
      schema: { type: 'object' },
      run: async () => large,
    }
    const round = (id: string) => [...call(id, 'large', {}), stop('tool_use')]
    const { model, requests } = modelOf(round('a'), round('b'), round('c'), done)
    const more = { tools: [tool], context: { window: 3500, meter, results } }
    const { events } = await take(model, { more })
    expect(notices(events)).toEqual([
      expect.stringMatching(
        /^The context window is almost full: elided 1 old tool results \(about \d+ tokens\) from the request; the model can recall them$/,
      ),
    ])
    const names = requests.map(({ tools }) => tools?.map(({ name }) => name))
    expect(names).toEqual([['large'], ['large'], ['large'], ['large', 'recall']])
    expect(JSON.stringify(requests[3]?.messages)).toContain('[elided: result of event 1 ')
  })

  it('is measured with the system prompt, the tools and the messages', async () => {
    const recorded: number[] = []
    const meter = {
      ...createContextMeter(),
      record: (_usage: unknown, bytes: number) => void recorded.push(bytes),
    }
    const results = openResultStore({ folder: '/', id: undefined, isSaved: false })
    const usage: ModelEvent = { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } }
    const context = { window: 1e6, meter, results }
    const run = (request: object, tools: Turn['tools']) =>
      take(modelOf([...text('ok'), usage, stop('end')]).model, {
        more: { context, tools, request: { model: 'm', ...request } },
      })
    await run({}, [])
    await run({ system: '12345' }, [])
    // The prompt `hi`, and `[]` for the tools.
    expect(recorded).toEqual([4, 9])
  })
})

describe('the messages of a request', () => {
  const image = { type: 'image' as const, mediaType: 'image/png', data: 'AA==' }
  const prompt = [{ type: 'text' as const, text: 'see' }, image]
  const result = {
    type: 'tool_result' as const,
    id: 'a',
    content: '{}',
    isError: false,
    images: [image],
  }

  it('have no images for a model that accepts none', async () => {
    const history = (): Message[] => [
      { role: 'user', parts: [{ type: 'text', text: 'go' }] },
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'a', name: 'read', input: {} }] },
      { role: 'user', parts: [result] },
      { role: 'assistant', parts: [{ type: 'text', text: 'seen' }] },
    ]
    const sent = async (acceptsImages: boolean | undefined) => {
      const { model, requests } = modelOf(done)
      const more = { prompt, ...(acceptsImages === undefined ? {} : { acceptsImages }) }
      const taken = await take(model, { history: history(), more })
      expect(taken.history[4]?.parts).toEqual(prompt)
      const messages = requests[0]?.messages ?? []
      return [messages[2]?.parts[0], messages[4]?.parts]
    }
    const without = [
      { ...result, images: undefined },
      [prompt[0], { type: 'text', text: '[image/png left out]' }],
    ]
    expect(await sent(undefined)).toEqual(without)
    expect(await sent(false)).toEqual(without)
    expect(await sent(true)).toEqual([result, prompt])
  })

  it('are recorded with their images', async () => {
    await take(modelOf(done).model, { more: { prompt: [...prompt, ...prompt] } })
    expect(lines()[1]).toMatchObject({
      text: 'see\n\nsee',
      images: [
        { media_type: 'image/png', data: 'AA==' },
        { media_type: 'image/png', data: 'AA==' },
      ],
    })
  })
})
