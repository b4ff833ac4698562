import { afterEach, describe, expect, it } from 'vitest'
import { fixture } from '../test/decoding.ts'
import {
  brokenAfter,
  hangUp,
  json,
  silence,
  sse,
  startServer,
  type TestServer,
} from '../test/server.ts'
import { createModel, type ModelOptions } from './create-model.ts'
import { ModelError } from './model-error.ts'
import type { Model, ModelEvent, ModelRequest } from './model.ts'
import type { RetryWait } from './retry.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const thing of open.splice(0)) await thing.close()
})

async function serve(...responders: Parameters<typeof startServer>): Promise<TestServer> {
  const server = await startServer(...responders)
  open.push(server)
  return server
}

const KEY = 'sk-test-0123456789'

function anthropic(server: TestServer, more: Partial<ModelOptions> = {}): Model {
  const environment = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url }
  const model = createModel({ provider: 'anthropic', environment, sleep: async () => {}, ...more })
  open.push(model)
  return model
}

const request: ModelRequest = {
  model: 'claude-haiku-4-5',
  maxTokens: 64,
  messages: [{ role: 'user', parts: [{ type: 'text', text: 'Hi' }] }],
}

interface Told {
  events: ModelEvent[]
  text: string
  error: unknown
}

async function ask(
  model: Model,
  more: Partial<ModelRequest> = {},
  signal?: AbortSignal,
): Promise<Told> {
  const told: Told = { events: [], text: '', error: undefined }
  try {
    for await (const event of model.stream({ ...request, ...more }, signal)) {
      told.events.push(event)
      if (event.type === 'text') told.text += event.text
    }
  } catch (error) {
    told.error = error
  }
  return told
}

const TEXT = 'Grüße an 世界🌍!\n'
const hello = sse(fixture('anthropic-text.sse'))

describe('a model behind HTTP', () => {
  it('sends one request with key, version and body, and streams the answer', async () => {
    const server = await serve(hello)
    const { text, events, error } = await ask(anthropic(server))
    expect(error).toBeUndefined()
    expect(text).toBe(TEXT)
    expect(events.at(-1)).toMatchObject({ type: 'stop', reason: 'end' })
    expect(server.requests).toHaveLength(1)
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/messages' })
    expect(server.requests[0]?.headers).toMatchObject({
      'x-api-key': KEY,
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

  it('gives text out as it arrives', async () => {
    const body = fixture('anthropic-text.sse').toString()
    const half = body.indexOf('Grüße') + 40
    let rest = (): void => {}
    const server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(body.slice(0, half))
      rest = () => response.end(body.slice(half))
    })
    const events: ModelEvent[] = []
    for await (const event of anthropic(server).stream(request)) {
      events.push(event)
      if (events.length === 1) rest()
    }
    expect(events[0]).toEqual({ type: 'text', text: 'Grüße ' })
    expect(events).toHaveLength(5)
  })

  it('understands an answer in one piece, asked for or not, and a stream that was not asked for', async () => {
    const whole = fixture('anthropic-message.json')
    const server = await serve(
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(whole),
      (response) => response.writeHead(200, { 'content-type': 'application/json' }).end(whole),
      hello,
    )
    const model = anthropic(server)
    expect((await ask(model, { stream: false })).text).toBe('Hello')
    expect((await ask(model)).text).toBe('Hello')
    expect((await ask(model, { stream: false })).text).toBe(TEXT)
    expect(server.requests.map(({ body }) => JSON.parse(body).stream)).toEqual([false, true, false])
    expect(server.requests[0]?.headers.accept).toBe('application/json')
  })

  it('joins text that arrives together when asked to, and nothing else', async () => {
    const server = await serve(hello, sse(fixture('anthropic-tools.sse')))
    const model = anthropic(server, { joinText: true })
    expect((await ask(model)).events[0]).toEqual({ type: 'text', text: TEXT })
    const plain = await ask(anthropic(await serve(sse(fixture('anthropic-tools.sse')))))
    expect((await ask(model)).events).toEqual(plain.events)
  })

  it('speaks Chat Completions to any row of that wire, with a key only when there is one', async () => {
    const server = await serve(sse(fixture('openai-text.sse')))
    const row = {
      name: 'mine',
      title: 'Mine',
      wire: 'openai-chat',
      baseUrl: `${server.url}/v1`,
    } as const
    for (const key of [undefined, 'sk-mine']) {
      const model = createModel({ provider: row, environment: {}, ...(key ? { key } : {}) })
      open.push(model)
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

describe('a key', () => {
  it('that is missing fails the check and every request, before any is sent', async () => {
    const server = await serve(hello)
    const model = anthropic(server, { environment: { ANTHROPIC_BASE_URL: server.url } })
    expect(() => model.check()).toThrow(/ANTHROPIC_API_KEY environment variable is not set/)
    expect((await ask(model)).error).toMatchObject({ kind: 'internal', code: 'missing_key' })
    expect(server.requests).toHaveLength(0)
  })

  it('is read when a request is made', async () => {
    const server = await serve(hello)
    const environment: Record<string, string> = { ANTHROPIC_BASE_URL: server.url }
    const model = anthropic(server, { environment })
    environment.ANTHROPIC_API_KEY = KEY
    expect(() => model.check()).not.toThrow()
    expect((await ask(model)).text).toBe(TEXT)
  })

  it('never comes back in an error, however the server echoes it', async () => {
    const server = await serve(
      json(401, { error: { message: `bad key ${KEY}`, echo: [KEY] } }),
      sse(`event: error\ndata: {"type":"error","error":{"type":"x","message":"${KEY}"}}\n\n`),
      sse(`data: {"${KEY}\n\n`),
    )
    const model = anthropic(server)
    for (let n = 0; n < 3; n++) {
      const { error } = await ask(model)
      expect(error).toBeInstanceOf(ModelError)
      const { message, details, cause, stack } = error as ModelError
      expect([message, details, stack, String(cause)].join()).not.toContain(KEY)
      expect(message + details).toContain('[redacted]')
    }
  })

  it('with characters that no header can carry is reported without its value', async () => {
    const server = await serve(hello)
    const environment = { ANTHROPIC_API_KEY: 'sk-te\nst', ANTHROPIC_BASE_URL: server.url }
    const { error } = await ask(anthropic(server, { environment }))
    expect(error).toMatchObject({
      kind: 'http_status',
      message: expect.stringContaining('x-api-key') as string,
    })
    expect((error as Error).message).not.toContain('sk-te')
  })
})

describe('an HTTP status', () => {
  it('is told with the server’s own message and the raw body', async () => {
    const body = { type: 'error', error: { type: 'invalid_request_error', message: 'too\nlong' } }
    const server = await serve(json(400, body))
    expect((await ask(anthropic(server))).error).toMatchObject({
      kind: 'http_status',
      message: 'HTTP 400: too long',
      details: JSON.stringify(body),
      status: 400,
    })
    expect(server.requests).toHaveLength(1)
  })

  it('without a message is only the status; without a body there are no details', async () => {
    const server = await serve(
      (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>no</h1>'),
      (response) => response.writeHead(403).end(),
    )
    const page = await ask(anthropic(server))
    expect(page.error).toMatchObject({ message: 'HTTP 404', details: '<h1>no</h1>' })
    const empty = await ask(anthropic(server))
    expect(empty.error).toMatchObject({ message: 'HTTP 403', details: undefined })
  })

  it('keeps at most 64 KiB of the body and does not wait for its end', async () => {
    const server = await serve((response) => {
      response.writeHead(400)
      response.write('x'.repeat(200_000))
    })
    const { error } = await ask(anthropic(server))
    expect((error as ModelError).details).toHaveLength(65_536)
  })

  it('is told even when its explanation breaks off or never comes', async () => {
    const server = await serve(
      (response) => {
        response.writeHead(400, { 'content-length': '100' })
        response.write('{"error"', () => setTimeout(() => response.socket?.resetAndDestroy(), 50))
      },
      (response) => response.writeHead(403, { 'content-length': '100' }).flushHeaders(),
    )
    const broken = await ask(anthropic(server))
    expect(broken.error).toMatchObject({ message: 'HTTP 400', details: '{"error"' })
    const silent = await ask(anthropic(server, { deadlines: { idleMs: 50 } }))
    expect(silent.error).toMatchObject({ message: 'HTTP 403', details: undefined })
  })

  it('that passes is retried, three requests in all, and each wait is told', async () => {
    const waits: RetryWait[] = []
    const server = await serve(
      json(429, { error: { message: 'slow' } }, { 'retry-after': '0' }),
      json(529, {}),
      hello,
    )
    const { text } = await ask(anthropic(server, { onRetry: (wait) => waits.push(wait) }))
    expect(text).toBe(TEXT)
    expect(waits).toMatchObject([
      { attempt: 1, delayMs: 0, error: { message: 'HTTP 429: slow' } },
      { attempt: 2, error: { message: 'HTTP 529' } },
    ])
    const always = await serve(json(503, { error: { message: 'down' } }))
    const { error } = await ask(anthropic(always))
    expect(error).toMatchObject({ message: 'HTTP 503: down' })
    expect(always.requests).toHaveLength(3)
  })

  it('may name a date or milliseconds to wait until', async () => {
    const clock = { now: () => new Date('2026-01-02T03:04:05Z'), monotonicMs: () => 0 }
    const slept: number[] = []
    const server = await serve(
      json(503, {}, { 'retry-after': 'Fri, 02 Jan 2026 03:04:07 GMT' }),
      json(503, {}, { 'retry-after': '9', 'retry-after-ms': '15' }),
      hello,
    )
    const sleep = async (ms: number): Promise<void> => void slept.push(ms)
    expect((await ask(anthropic(server, { clock, sleep }))).text).toBe(TEXT)
    expect(slept).toEqual([2000, 15])
  })

  it('that redirects is not followed: the key is for this server only', async () => {
    const server = await serve((response) =>
      response.writeHead(307, { location: '/elsewhere' }).end(),
    )
    expect((await ask(anthropic(server))).error).toMatchObject({ message: 'HTTP 307' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a connection', () => {
  it('that is reset before anything was seen is tried again', async () => {
    const start = 'data: {"type":"message_start","message":{"usage":{}}}\n\n'
    const server = await serve(hangUp, brokenAfter(start), hello)
    expect((await ask(anthropic(server))).text).toBe(TEXT)
    expect(server.requests).toHaveLength(3)
  })

  it('that is lost after text is an error, with the text kept', async () => {
    const body = fixture('anthropic-text.sse').toString()
    const server = await serve(brokenAfter(body.slice(0, body.indexOf('🌍'))))
    const { text, error } = await ask(anthropic(server))
    expect(text).toBe('Grüße an 世界')
    expect(error).toMatchObject({
      kind: 'internal',
      message: expect.stringMatching(/^Stream error: ./) as string,
    })
    expect(server.requests).toHaveLength(1)
  })

  it('that closes cleanly too early is an error too', async () => {
    const body = fixture('anthropic-text.sse').toString()
    const server = await serve(sse(body.slice(0, body.indexOf('event: message_delta'))))
    const { text, error } = await ask(anthropic(server))
    expect(text).toBe(TEXT)
    expect(error).toMatchObject({ message: 'Stream error: the stream ended before message_stop' })
  })

  it('that an error event ends is not tried again', async () => {
    const server = await serve(sse(fixture('anthropic-error.sse')))
    const { text, error } = await ask(anthropic(server))
    expect(text).toBe('Partial')
    expect(error).toMatchObject({ kind: 'api_error', message: 'overloaded_error: Overloaded' })
    expect(server.requests).toHaveLength(1)
  })

  it('that cannot be made says so after three tries', async () => {
    const server = await startServer(silence)
    await server.close()
    const waits: RetryWait[] = []
    const { error } = await ask(anthropic(server, { onRetry: (wait) => waits.push(wait) }))
    expect(error).toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/^Connection failed: .*ECONNREFUSED/) as string,
    })
    expect(waits).toHaveLength(2)
  })

  it('that the server holds open after the last event does not hold the answer', async () => {
    const server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(fixture('anthropic-text.sse'))
    })
    expect((await ask(anthropic(server))).text).toBe(TEXT)
    await server.requests[0]?.closed
  })

  it('that answers with packed bytes is not misread', async () => {
    const server = await serve((response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
    )
    expect((await ask(anthropic(server))).error).toMatchObject({ kind: 'parse' })
  })

  it('is aborted in every phase with the reason given', async () => {
    const reason = new Error('enough')
    const server = await serve(silence, (response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(': hello\n\n')
    })
    for (let n = 1; n <= 2; n++) {
      const stop = new AbortController()
      const asked = ask(anthropic(server), {}, stop.signal)
      const seen = await server.request(n)
      stop.abort(reason)
      expect((await asked).error).toBe(reason)
      await seen.closed
    }
    expect((await ask(anthropic(server), {}, AbortSignal.abort(reason))).error).toBe(reason)
    expect(server.requests).toHaveLength(2)
  })

  it('is dropped when the consumer leaves', async () => {
    const body = fixture('anthropic-text.sse').toString()
    const server = await serve((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(body.slice(0, body.indexOf('event: message_delta')))
    })
    for await (const event of anthropic(server).stream(request)) {
      expect(event.type).toBe('text')
      break
    }
    await server.requests[0]?.closed
  })
})

describe('createModel', () => {
  it('refuses an unknown provider as a usage error that lists the known ones', () => {
    expect(() => createModel({ provider: 'nobody', environment: {} })).toThrow(
      expect.objectContaining({
        exitCode: 2,
        message: expect.stringContaining('anthropic, openai, openai-responses, gemini') as string,
      }),
    )
  })

  it('refuses a base URL that is none, before any request', () => {
    expect(() =>
      createModel({ provider: 'openai', environment: { OPENAI_BASE_URL: 'nope' } }),
    ).toThrow('Invalid OpenAI base URL: nope')
  })
})
