import { describe, expect, it } from 'vitest'
import { anthropic, ask, hello, helloText, request, testKey } from '../../test/ask.ts'
import { closeAfterEach } from '../../test/closing.ts'
import { fixture } from '../../test/decoding.ts'
import { json, sse, startServer } from '../../test/server.ts'
import { ModelError } from '../errors/errors.ts'
import type { ModelEvent } from '../request/request.ts'
import { createModel } from './models.ts'

const keep = closeAfterEach()

describe('a model over HTTP', () => {
  it('sends one request with key, version and body, and streams the answer', async () => {
    const server = keep(await startServer(hello))
    const { text, events, error } = await ask(keep(anthropic(server)))
    expect(error).toBeUndefined()
    expect(text).toBe(helloText)
    expect(events.at(-1)).toMatchObject({ type: 'stop', reason: 'end' })
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/messages' })
    expect(server.requests[0]?.headers).toMatchObject({
      'x-api-key': testKey,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'user-agent': 'zee',
    })
    expect(JSON.parse(server.requests[0]?.body ?? '')).toEqual({
      model: 'claude-haiku-4-5',
      max_tokens: 64,
      messages: [{ role: 'user', content: 'Hi' }],
      stream: true,
    })
  })

  it('yields text as it arrives', async () => {
    const body = fixture('anthropic-text.sse').toString()
    const half = body.indexOf('Grüße') + 40
    let rest = (): void => {}
    const server = keep(
      await startServer((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(body.slice(0, half))
        rest = () => response.end(body.slice(half))
      }),
    )
    const events: ModelEvent[] = []
    for await (const event of keep(anthropic(server)).stream(request)) {
      events.push(event)
      if (events.length === 1) rest()
    }
    expect(events[0]).toEqual({ type: 'text', text: 'Grüße ' })
    expect(events).toHaveLength(5)
  })

  it('accepts a JSON document or a stream, whichever it requested', async () => {
    const whole = fixture('anthropic-message.json')
    const server = keep(
      await startServer(
        (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(whole),
        (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(whole),
        hello,
      ),
    )
    const model = keep(anthropic(server))
    expect((await ask(model, { stream: false })).text).toBe('Hello')
    expect((await ask(model)).text).toBe('Hello')
    expect((await ask(model, { stream: false })).text).toBe(helloText)
    expect(server.requests.map(({ body }) => JSON.parse(body).stream)).toEqual([false, true, false])
    expect(server.requests[0]?.headers.accept).toBe('application/json')
  })

  it('joins only text that arrives together, and only with joinText', async () => {
    const server = keep(await startServer(hello, sse(fixture('anthropic-tools.sse'))))
    const model = keep(anthropic(server, { joinText: true }))
    expect((await ask(model)).events[0]).toEqual({ type: 'text', text: helloText })
    const plain = await ask(
      keep(anthropic(keep(await startServer(sse(fixture('anthropic-tools.sse')))))),
    )
    expect((await ask(model)).events).toEqual(plain.events)
  })

  it('sends Chat Completions for any row of that wire, with a key only if there is one', async () => {
    const server = keep(await startServer(sse(fixture('openai-text.sse'))))
    const row = {
      name: 'mine',
      title: 'Mine',
      wire: 'openai-chat',
      baseUrl: `${server.url}/v1`,
    } as const
    for (const key of [undefined, 'sk-mine']) {
      const model = createModel({ provider: row, environment: {}, ...(key ? { key } : {}) })
      keep(model)
      expect((await ask(model)).text).toBe('Grüße 世界🌍')
    }
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/v1/chat/completions',
      '/v1/chat/completions',
    ])
    expect(server.requests.map(({ headers }) => headers.authorization)).toEqual([
      undefined,
      'Bearer sk-mine',
    ])
    expect(Object.keys(JSON.parse(server.requests[0]?.body ?? ''))).toEqual([
      'model',
      'messages',
      'max_tokens',
      'stream',
    ])
  })
})

describe('an API key', () => {
  it('that is missing fails the check and every request before it is sent', async () => {
    const server = keep(await startServer(hello))
    const model = keep(anthropic(server, { environment: { ANTHROPIC_BASE_URL: server.url } }))
    expect(() => model.check()).toThrow(/ANTHROPIC_API_KEY environment variable is not set/)
    expect((await ask(model)).error).toMatchObject({ kind: 'internal', code: 'missing_key' })
    expect(server.requests).toHaveLength(0)
  })

  it('is read with each request', async () => {
    const server = keep(await startServer(hello))
    const environment: Record<string, string> = { ANTHROPIC_BASE_URL: server.url }
    const model = keep(anthropic(server, { environment }))
    environment.ANTHROPIC_API_KEY = testKey
    expect(() => model.check()).not.toThrow()
    expect((await ask(model)).text).toBe(helloText)
  })

  it('never appears in an error, however the server echoes it', async () => {
    const server = keep(
      await startServer(
        json(401, { error: { message: `bad key ${testKey}`, echo: [testKey] } }),
        sse(`event: error\ndata: {"type":"error","error":{"type":"x","message":"${testKey}"}}\n\n`),
        sse(`data: {"${testKey}\n\n`),
      ),
    )
    const model = keep(anthropic(server))
    for (let n = 0; n < 3; n++) {
      const { error } = await ask(model)
      expect(error).toBeInstanceOf(ModelError)
      const { message, details, cause, stack } = error as ModelError
      expect([message, details, stack, String(cause)].join()).not.toContain(testKey)
      expect(message + details).toContain('[redacted]')
    }
  })

  it('with characters that are invalid in a header is reported without its value', async () => {
    const server = keep(await startServer(hello))
    const environment = { ANTHROPIC_API_KEY: 'sk-te\nst', ANTHROPIC_BASE_URL: server.url }
    const { error } = await ask(keep(anthropic(server, { environment })))
    expect(error).toMatchObject({
      kind: 'http_status',
      message: expect.stringContaining('x-api-key') as string,
    })
    expect((error as Error).message).not.toContain('sk-te')
  })
})

describe('createModel', () => {
  it('rejects an unknown provider with a usage error that lists the known ones', () => {
    expect(() => createModel({ provider: 'acme', environment: {} })).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: expect.stringContaining('anthropic, openai, openai-responses, gemini') as string,
      }),
    )
  })

  it('rejects an invalid base URL before any request', () => {
    expect(() =>
      createModel({ provider: 'openai', environment: { OPENAI_BASE_URL: 'nope' } }),
    ).toThrow('Invalid OpenAI base URL: nope')
  })
})
