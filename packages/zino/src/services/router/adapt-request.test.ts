import { describe, expect, it, onTestFinished } from 'vitest'
import type { Check } from '../../../../../test/support/strict-models.ts'
import { onLoopback } from '../../../../../test/support/loopback.ts'
import { strictChecks, strictModel } from '../../../../../test/support/strict-models.ts'
import { answerOf, lastOf } from '../../../test/caller.ts'
import { contextIn } from '../../../test/config.ts'
import { serveHere } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { startRouter } from './router.ts'

async function start(
  checks: readonly Check[],
  agent: Record<string, unknown> = {},
  provider = '',
  service: Record<string, unknown> = {},
) {
  const model = await strictModel(provider === 'anthropic' ? 'anthropic' : 'chat', checks)
  onTestFinished(() => model.close())
  const base_url = provider === 'anthropic' ? model.url : `${model.url}/v1`
  const context = contextIn(tempFolder(), {
    api: { base_url, key: 'k', provider },
    service: { model: 'm', ...service },
    agent,
  })
  await serveHere(startRouter(context), context.config.rtr.socket)
  const infer = (messages: object[] = [{ role: 'user', content: 'x' }], sampling: object = {}) =>
    lastOf(context.config.rtr.socket, { type: 'infer', messages, ...sampling })
  return { model, infer, log: context.log }
}

const turn = {
  role: 'assistant',
  content: 'A<tool_call>1</tool_call>\n<tool_response>\nr\n</tool_response>\n',
  own_text: 'A<tool_call>1</tool_call>',
  results: '<tool_response>\nr\n</tool_response>',
}
const prompt = [{ role: 'user', content: 'look' }, turn]

describe('rtr', () => {
  it('drops each parameter that the model refuses, once, and remembers it', async () => {
    const { model, infer } = await start([strictChecks.gpt5], { temperature: 0.7, top_p: 0.9 })
    expect(await infer()).toMatchObject({ content: 'ok' })
    expect(model.requests).toHaveLength(3)
    expect(await infer()).toMatchObject({ content: 'ok' })
    expect(model.requests).toHaveLength(4)
    expect(model.requests[3]).not.toHaveProperty('temperature')
    expect(model.requests[3]).not.toHaveProperty('top_p')
  })

  it('drops both parameters of a refusal that names both, with one retry', async () => {
    const message = "Unsupported parameters: 'temperature', 'top_p' are not supported."
    const neither: Check = ({ temperature, top_p }) =>
      temperature === undefined && top_p === undefined
        ? undefined
        : { status: 400, json: { error: { message } } }
    const { model, infer } = await start([neither], { temperature: 0.7, top_p: 0.9 })
    for (let time = 0; time < 2; time += 1) expect(await infer()).toMatchObject({ content: 'ok' })
    expect(model.refusals).toBe(1)
  })

  it('keeps the parameter that a refusal of the other one recommends', async () => {
    const message = "Unsupported parameter: 'top_p'. Use 'temperature' instead."
    const noTopP: Check = ({ top_p }) =>
      top_p === undefined ? undefined : { status: 400, json: { error: { message } } }
    const { model, infer } = await start([noTopP], { temperature: 0.7, top_p: 0.9 })
    expect(await infer()).toMatchObject({ content: 'ok' })
    expect(model.requests.map(({ temperature }) => temperature)).toEqual([0.7, 0.7])
  })

  it('drops the parameters that an error list of FastAPI locates', async () => {
    const listed: Check = ({ temperature, top_p }) => {
      const names = Object.entries({ temperature, top_p }).filter(
        ([, value]) => value !== undefined,
      )
      if (names.length === 0) return undefined
      const msg = 'Extra inputs are not permitted'
      const detail = names.map(([name]) => ({ type: 'extra_forbidden', loc: ['body', name], msg }))
      return { status: 422, json: { detail } }
    }
    const { model, infer } = await start([listed], { temperature: 0.7, top_p: 0.9 })
    expect(await infer()).toMatchObject({ content: 'ok' })
    expect(model.refusals).toBe(1)
  })

  it('drops the other parameter, too, when a model refuses the pair and then the one that was kept', async () => {
    const stubborn: Check = ({ temperature, top_p }) =>
      temperature === undefined && top_p === undefined
        ? undefined
        : { status: 400, json: { error: { message: 'temperature and top_p cannot both be set' } } }
    const { infer } = await start([stubborn], { temperature: 0.7, top_p: 0.9 })
    expect(await infer()).toMatchObject({ content: 'ok' })
  })

  it('still sends top_p alone to a model that refuses it beside a temperature', async () => {
    const { model, infer } = await start([strictChecks.pair])
    const both = { temperature: 0.5, top_p: 0.25 }
    const messages = [{ role: 'user', content: 'x' }]
    expect(await infer(messages, both)).toMatchObject({ content: 'ok' })
    expect(await infer(messages, { top_p: 0.25 })).toMatchObject({ content: 'ok' })
    expect(model.requests.at(-1)).toMatchObject({ top_p: 0.25 })
  })

  it.each([
    ['a parameter', strictChecks.gpt5, { temperature: 0.7, top_p: 0.9 }, { max_tokens: 77 }],
    ['the pair', strictChecks.pair, { temperature: 0.7, top_p: 0.9 }, {}],
    ['the assistant turn', strictChecks.prefill, {}, {}],
  ])(
    'answers 20 concurrent requests although each meets a refusal of %s',
    async (_, check, agent, service) => {
      const { infer, log } = await start([check], agent, '', service)
      const answers = await Promise.all(Array.from({ length: 20 }, () => infer(prompt)))
      expect(answers.filter(({ content }) => content === 'ok')).toHaveLength(20)
      const warnings = log.lines.filter((line) => line.includes('WARNING'))
      expect(warnings).toEqual([...new Set(warnings)])
    },
  )

  it('sends no top_p beside a temperature to Anthropic, and warns once', async () => {
    const sampling = { temperature: 0.25, top_p: 0.5 }
    const { model, infer, log } = await start([strictChecks.anthropic], sampling, 'anthropic')
    await infer()
    await infer()
    expect(model.refusals).toBe(0)
    expect(log.lines.filter((line) => line.includes('top_p'))).toHaveLength(1)
  })

  it('sends the token limit under the name that the endpoint wants', async () => {
    const { model, infer } = await start([strictChecks.gpt5], {}, '', { max_tokens: 77 })
    expect(await infer()).toMatchObject({ content: 'ok' })
    expect(model.requests.at(-1)).toMatchObject({ max_completion_tokens: 77 })
  })

  it.each([
    ['a plain endpoint', strictChecks.prefill],
    ['a gateway', strictChecks.routed(strictChecks.prefill)],
    ['Mistral', strictChecks.mistral],
  ])('sends results as a user message after %s refused the assistant turn', async (_, check) => {
    const { model, infer } = await start([check])
    expect(await infer(prompt)).toMatchObject({ content: 'ok' })
    expect(model.requests[0]?.messages?.at(-1)).toEqual({
      role: 'assistant',
      content: turn.content,
    })
    expect(model.requests[1]?.messages?.slice(-2)).toEqual([
      { role: 'assistant', content: turn.own_text },
      { role: 'user', content: turn.results },
    ])
    await infer(prompt)
    expect(model.refusals).toBe(1)
  })

  const alternating: Check = ({ messages = [] }) => {
    const roles = messages.map(({ role }) => role)
    if (!roles.some((role, index) => role === roles[index - 1])) return undefined
    const message = 'Conversation roles must alternate user/assistant/user/assistant/...'
    return { status: 400, json: { object: 'error', message, code: 400 } }
  }

  it('joins messages of one role in a row after the model refused them', async () => {
    const { model, infer } = await start([alternating])
    const image = { type: 'image_url', image_url: { url: 'data:,' } }
    const messages = [
      { role: 'user', content: 'one' },
      { role: 'user', content: 'two' },
      ...[turn, turn],
      { role: 'user', content: [{ type: 'text', text: 'look' }, image] },
      { role: 'user', content: 'three' },
    ]
    for (let time = 0; time < 2; time += 1)
      expect(await infer(messages)).toMatchObject({ content: 'ok' })
    expect(model.refusals).toBe(1)
    expect(model.requests.at(-1)?.messages).toEqual([
      { role: 'user', content: 'one\n\ntwo' },
      { role: 'assistant', content: `${turn.content}\n\n${turn.content}` },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          image,
          { type: 'text', text: '\n\n' },
          { type: 'text', text: 'three' },
        ],
      },
    ])
  })

  it('sends results as user messages when only a second assistant turn is refused', async () => {
    const second: Check = ({ messages = [] }) =>
      messages.slice(-2).every(({ role }) => role === 'assistant')
        ? {
            status: 400,
            json: {
              error: {
                code: 400,
                message: 'Cannot have 2 or more assistant messages at the end of the list.',
                type: 'invalid_request_error',
              },
            },
          }
        : undefined
    const { model, infer } = await start([second])
    expect(await infer([...prompt, turn])).toMatchObject({ content: 'ok' })
    expect(model.requests.at(-1)?.messages?.map(({ role }) => role)).toEqual([
      ...['user', 'assistant', 'user', 'assistant', 'user'],
    ])
  })

  const refusedInside = {
    error: { message: "'temperature' is not supported with this model", code: 400 },
  }

  it('drops a parameter that is refused inside an answer with status 200', async () => {
    const inside: Check = ({ temperature }) =>
      temperature === undefined ? undefined : { status: 200, json: refusedInside }
    const { model, infer } = await start([inside], { temperature: 0.5 })
    expect(await infer()).toMatchObject({ content: 'ok' })
    expect(model.requests).toHaveLength(2)
  })

  it('does not ask again after a refusal that follows text', async () => {
    let requests = 0
    const { url, close } = await onLoopback((_, __, response) => {
      requests += 1
      const events = [{ choices: [{ delta: { content: 'some' } }] }, refusedInside]
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.end(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join(''))
    })
    onTestFinished(() => close())
    const context = contextIn(tempFolder(), {
      api: { base_url: `${url}/v1` },
      service: { model: 'm' },
      agent: { temperature: 0.5 },
    })
    await serveHere(startRouter(context), context.config.rtr.socket)
    const request = { type: 'infer', messages: [{ role: 'user', content: 'x' }], stream: true }
    const frames = await answerOf(context.config.rtr.socket, request)
    expect(frames.map(({ type }) => type)).toEqual(['chunk', 'error'])
    expect(requests).toBe(1)
  })

  it('returns the words of the API when nothing can be left out', async () => {
    const message = "Unsupported parameter: 'temperature' is not supported with this model."
    const stubborn = () => ({ status: 400, json: { error: { message } } })
    const { model, infer } = await start([stubborn], { temperature: 0.7 })
    expect(await infer()).toMatchObject({
      type: 'error',
      message: expect.stringContaining(message),
    })
    expect(model.requests).toHaveLength(2)
  })
})
