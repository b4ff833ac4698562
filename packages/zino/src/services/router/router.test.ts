import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { answerOf, Caller, lastOf } from '../../../test/caller.ts'
import { contextIn, put } from '../../../test/config.ts'
import type { Reply } from '../../../test/fake-api.ts'
import { delta, event, fails, fakeApi, finish, says, streams } from '../../../test/fake-api.ts'
import { serveHere } from '../../../test/host.ts'
import { tempFolder } from '../../../test/temp-folder.ts'
import { until } from '../../../test/until.ts'
import type { Message } from '../../wire/wire.ts'
import { startRouter } from './router.ts'

type Over = Record<string, Record<string, unknown>>

async function startAt(base: string, over: Over = {}, env: Record<string, string> = {}) {
  const context = contextIn(
    tempFolder(),
    {
      ...over,
      api: { base_url: base, key: 'sk-test-key-0001', ...over.api },
      service: { model: 'fake-model', ...over.service },
    },
    env,
  )
  const { socket } = context.config.rtr
  await serveHere(startRouter(context), socket)
  const infer = (more: object = {}) =>
    answerOf(socket, {
      type: 'infer',
      messages: [{ role: 'user', content: 'hi' }],
      temperature: 0.2,
      top_p: 0.8,
      stream: true,
      ...more,
    })
  return { infer, socket, log: context.log }
}

async function startWith(reply: Reply, over: Over = {}, env: Record<string, string> = {}) {
  const api = await fakeApi(reply)
  return { ...(await startAt(`${api.base}/`, over, env)), api }
}

const text = (frames: Message[]) => frames.map(({ delta }) => delta ?? '').join('')

describe('rtr', () => {
  it('sends five fields and the API key, and streams the answer', async () => {
    const { infer, api } = await startWith(says('Hel', 'lo ', '☃'))
    const messages = [
      { role: 'system', content: 's' },
      { role: 'assistant', content: 'a' },
      { role: 'user', content: '' },
      { role: 'assistant', content: 'end with me ' },
    ]
    const frames = await infer({ messages })
    expect(text(frames)).toBe('Hello ☃')
    expect(frames.at(-1)).toEqual({ type: 'done', full_text: 'Hello ☃' })
    expect(api.requests[0]).toMatchObject({
      url: '/v1/chat/completions',
      body: { model: 'fake-model', messages, temperature: 0.2, top_p: 0.8, stream: true },
    })
    expect(Object.keys(api.requests[0]?.body ?? {}).sort()).toEqual(
      ['messages', 'model', 'stream', 'temperature', 'top_p'].sort(),
    )
    expect(api.requests[0]?.headers.authorization).toBe('Bearer sk-test-key-0001')
  })

  it('answers collected on request, with streaming off, and by default', async () => {
    const { infer, api, socket } = await startWith(says('all'))
    expect(await infer({ stream: false })).toEqual([{ type: 'response', content: 'all' }])
    const bare = { type: 'infer', messages: [{ role: 'user', content: 'x' }] }
    expect(await answerOf(socket, bare)).toEqual([{ type: 'response', content: 'all' }])
    expect(api.requests[1]?.body).toMatchObject({ stream: false })
    const off = await startWith(says('all'), { rtr: { streaming: false } })
    expect(await off.infer()).toEqual([{ type: 'response', content: 'all' }])
  })

  it('reads null content as an empty answer', async () => {
    const { infer } = await startWith((response) => {
      response.end(JSON.stringify({ choices: [{ message: { content: null } }] }))
    })
    expect(await infer({ stream: false })).toEqual([{ type: 'response', content: '' }])
  })

  it('reports its capabilities', async () => {
    const { infer, socket } = await startWith(says('x'))
    await infer()
    expect(await lastOf(socket, { type: 'capabilities' })).toMatchObject({
      streaming: true,
      model: 'fake-model',
      routes: [{ model: 'fake-model', requests: 1, failures: 0 }],
    })
  })

  it('reads streams in every valid form, cut at every byte', async () => {
    const whole = [
      ': keep-alive\r\n\r\n',
      'event: message\r\n',
      `data: ${JSON.stringify({ choices: [{ delta: { role: 'assistant' } }] })}\r\n\r\n`,
      event({ choices: [] }),
      delta(null),
      delta('a☃'),
      delta('b'),
      event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 2 } }),
      finish,
      'data: [DONE]\n\n',
      delta('ignored'),
    ].join('')
    const { infer } = await startWith(
      streams(async (response) => {
        for (const byte of Buffer.from(whole)) response.write(Buffer.from([byte]))
        response.end()
      }),
    )
    expect((await infer()).at(-1)).toEqual({ type: 'done', full_text: 'a☃b' })
  })

  it('accepts a finish reason without [DONE] as the end', async () => {
    const { infer } = await startWith(streams((response) => void response.end(delta('x') + finish)))
    expect((await infer()).at(-1)).toEqual({ type: 'done', full_text: 'x' })
  })

  it('forwards each delta immediately', async () => {
    let go = () => {}
    const held = new Promise<void>((resolve) => (go = resolve))
    const { socket } = await startWith(
      streams(async (response) => {
        response.write(delta('first'))
        await held
        response.end(delta('second') + finish)
      }),
    )
    const caller = await Caller.open(socket)
    caller.send({ type: 'infer', messages: [], stream: true })
    expect(await caller.next()).toEqual({ type: 'chunk', delta: 'first' })
    go()
    expect((await caller.answer()).at(-1)).toMatchObject({ full_text: 'firstsecond' })
  })

  it.each<[string, Reply, RegExp]>([
    ['a status', fails(401, 'bad key sk-test-key-0001 here'), /401.*bad key (?!sk-test)/],
    ['a shape', (response) => void response.end('{"nothing":1}'), /./],
    ['no JSON', (response) => void response.end('<html>'), /./],
    ['an error inside', (response) => void response.end('{"error":{"message":"inner"}}'), /inner/],
  ])('answers one error for %s, without the API key', async (_name, reply, words) => {
    for (const stream of [true, false]) {
      const { infer } = await startWith(reply)
      const frames = await infer({ stream })
      expect(frames).toHaveLength(1)
      expect(frames[0]).toMatchObject({ type: 'error', message: expect.stringMatching(words) })
      expect(JSON.stringify(frames)).not.toContain('sk-test-key-0001')
    }
  })

  it.each<[string, (response: Parameters<Reply>[0]) => void]>([
    ['a dropped socket', (response) => void response.destroy()],
    ['an error event', (response) => void response.end(event({ error: { message: 'broke' } }))],
    ['an end without a reason', (response) => void response.end()],
  ])('answers an error, not done, for %s after some chunks', async (_name, end) => {
    const { infer, api } = await startWith(
      streams((response) => {
        response.write(delta('half'))
        setTimeout(() => end(response), 50)
      }),
    )
    const frames = await infer()
    expect(frames).toMatchObject([{ type: 'chunk', delta: 'half' }, { type: 'error' }])
    expect(api.requests).toHaveLength(1)
  })

  it.each([429, 500, 503, 408, 409])(
    'sends three requests in total for status %d',
    async (status) => {
      const { infer, api } = await startWith(fails(status, 'busy', { 'retry-after': '0' }))
      const frames = await infer({ stream: false })
      expect(frames).toMatchObject([
        { type: 'error', message: expect.stringMatching(new RegExp(`${status}.*busy`)) },
      ])
      expect(api.requests).toHaveLength(3)
    },
  )

  it('answers when a later attempt succeeds', async () => {
    const { infer } = await startWith((response, request, number) =>
      number < 3
        ? fails(503, 'busy', { 'retry-after': '0' })(response, request, number)
        : says('ok')(response, request, number),
    )
    expect((await infer()).at(-1)).toEqual({ type: 'done', full_text: 'ok' })
  })

  it.each([400, 401, 403, 404, 422])('sends one request for status %d', async (status) => {
    const { infer, api } = await startWith(fails(status, 'no'))
    await infer()
    expect(api.requests).toHaveLength(1)
  })

  it('answers one error when the connection is refused', async () => {
    const { infer } = await startAt('http://127.0.0.1:9/v1')
    expect(await infer()).toMatchObject([{ type: 'error' }])
  })

  it.each(['', 'not a url'])(
    'starts with base_url %j and answers what is wrong with it',
    async (base) => {
      const { infer } = await startAt(base)
      expect(await infer()).toMatchObject([
        { type: 'error', message: expect.stringMatching(/URL/i) },
      ])
    },
  )

  it('uses LLM_API_KEY, or sends no key and warns', async () => {
    const without = await startWith(says('x'), { api: { key: '' } })
    await without.infer()
    expect(without.api.requests[0]?.headers.authorization).toBeUndefined()
    expect(without.log.lines.join()).toMatch(/WARNING requests carry no API key/)
    const env = await startWith(says('x'), { api: { key: '' } }, { LLM_API_KEY: 'sk-env' })
    await env.infer()
    expect(env.api.requests[0]?.headers.authorization).toBe('Bearer sk-env')
  })

  it('aborts the model request when the caller disconnects, before or during the answer', async () => {
    for (const early of [true, false]) {
      const { socket, api } = await startWith(
        streams((response) => {
          if (!early) response.write(delta('x'))
          else response.flushHeaders()
        }),
      )
      const caller = await Caller.open(socket)
      caller.send({ type: 'infer', messages: [], stream: true })
      await until(() => api.requests.length === 1)
      if (!early) await caller.next()
      caller.socket.destroy()
      await until(() => api.requests[0]?.aborted === true, 1000)
    }
  })

  it('sends 16 requests concurrently', async () => {
    let open = () => {}
    const all = new Promise<void>((resolve) => (open = resolve))
    const { infer, api } = await startWith(async (response, request, number) => {
      if (number === 16) open()
      await all
      await says('x')(response, request, number)
    })
    const frames = await Promise.all(Array.from({ length: 16 }, () => infer()))
    expect(api.requests).toHaveLength(16)
    expect(frames.every((each) => each.at(-1)?.type === 'done')).toBe(true)
  })

  it.each([
    {},
    { messages: 'x' },
    { messages: [{ content: 'x' }] },
    { messages: [{ role: 'wizard', content: 'x' }] },
    { messages: [{ role: 'user', content: 5 }] },
    { messages: [], temperature: 'hot' },
    { messages: [], top_p: {} },
    { messages: [], stream: 'yes' },
  ])('answers %j with an error and does not call the model', async (message) => {
    const { socket, api } = await startWith(says('x'))
    expect(await lastOf(socket, { type: 'infer', ...message })).toMatchObject({ type: 'error' })
    expect(api.requests).toEqual([])
  })
})

describe('rtr with fallback routes', () => {
  it('falls back immediately and skips the failing route', async () => {
    const second = await fakeApi(says('second'))
    const { infer, api, socket } = await startWith(fails(503, 'down', { 'retry-after': '60' }), {
      rtr: { fallback: [{ base_url: second.base, model: 'm2', key: 'sk-second' }] },
    })
    expect((await infer()).at(-1)).toEqual({ type: 'done', full_text: 'second' })
    expect((await infer()).at(-1)).toEqual({ type: 'done', full_text: 'second' })
    expect(api.requests).toHaveLength(1)
    expect(second.requests).toHaveLength(2)
    expect(second.requests[0]?.body.model).toBe('m2')
    expect(second.requests[0]?.headers.authorization).toBe('Bearer sk-second')
    const { routes } = (await lastOf(socket, { type: 'capabilities' })) as { routes: Message[] }
    expect(routes[0]).toMatchObject({ requests: 1, failures: 1 })
    expect(Number(routes[0]?.cooling_seconds)).toBeGreaterThan(50)
  })

  it('never changes the route after a chunk was sent', async () => {
    const second = await fakeApi(says('second'))
    const { infer } = await startWith(
      streams((response) => {
        response.write(delta('half'))
        setTimeout(() => response.destroy(), 30)
      }),
      { rtr: { fallback: [{ base_url: second.base, model: 'm2' }] } },
    )
    expect((await infer()).at(-1)).toMatchObject({ type: 'error' })
    expect(second.requests).toEqual([])
  })

  it('falls back for a prompt that is too long, not for an invalid request', async () => {
    const second = await fakeApi(says('second'))
    const rtr = { fallback: [{ base_url: second.base, model: 'm2' }] }
    const long = await startWith(fails(400, 'maximum context length is 8192 tokens'), { rtr })
    expect((await long.infer()).at(-1)).toMatchObject({ full_text: 'second' })
    const wrong = await startWith(fails(400, 'unknown field'), { rtr })
    expect((await wrong.infer()).at(-1)).toMatchObject({ type: 'error' })
  })

  it('tries the last route three times and answers its error', async () => {
    const second = await fakeApi(fails(500, 'also down', { 'retry-after': '0' }))
    const { infer, api } = await startWith(fails(500, 'down'), {
      rtr: { fallback: [{ base_url: second.base, model: 'm2' }] },
    })
    expect(await infer()).toMatchObject([
      { type: 'error', message: expect.stringContaining('also down') },
    ])
    expect(api.requests).toHaveLength(1)
    expect(second.requests).toHaveLength(3)
  })
})

describe('rtr with a daily token limit', () => {
  const counted: Reply = streams((response) => {
    const usage = event({ choices: [], usage: { prompt_tokens: 70, completion_tokens: 40 } })
    response.end(delta('x') + finish + usage + event('[DONE]'))
  })

  it('answers one error when it is reached, also after a restart', async () => {
    const file = path.join(tempFolder(), 'tokens.json')
    const rtr = { daily_tokens: 100, usage_file: file }
    const { infer, api } = await startWith(counted, { rtr })
    expect((await infer()).at(-1)).toMatchObject({ type: 'done' })
    expect(api.requests[0]?.body.stream_options).toEqual({ include_usage: true })
    expect(await infer()).toMatchObject([
      { type: 'error', message: expect.stringMatching(/ceiling of 100 tokens/) },
    ])
    expect(api.requests).toHaveLength(1)
    await until(() => existsSync(file) && readFileSync(file, 'utf8').includes('110'))
    const again = await startWith(counted, { rtr })
    expect(await again.infer()).toMatchObject([{ type: 'error' }])
  })
})

describe('rtr with other providers', () => {
  it('plays a screenplay', async () => {
    const script = put(
      tempFolder(),
      'play.jsonl',
      '{"text":"from "}\n{"text":"the script"}\n{"end":true}\n',
    )
    const { infer } = await startAt('', { api: { provider: 'script', script } })
    expect((await infer()).at(-1)).toEqual({ type: 'done', full_text: 'from the script' })
  })
})
