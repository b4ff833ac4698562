import { describe, expect, it } from 'vitest'
import { anthropic, ask, hello, helloText, request } from '../../test/ask.ts'
import { closeAfterEach } from '../../test/closing.ts'
import { fixture } from '../../test/decoding.ts'
import { brokenAfter, hangUp, json, silence, sse, startServer } from '../../test/server.ts'
import type { ModelError } from '../errors/errors.ts'
import type { RetryWait } from '../retry/retry.ts'

const keep = closeAfterEach()

describe('an answer whose events arrive one by one', () => {
  it('is complete', async () => {
    const events = fixture('anthropic-text.sse')
      .toString()
      .split(/(?<=\n\n)/)
    const server = keep(
      await startServer((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const next = (): unknown => {
          const event = events.shift()
          return event === undefined
            ? response.end()
            : response.write(event, () => setTimeout(next, 5))
        }
        next()
      }),
    )
    expect((await ask(keep(anthropic(server)))).text).toBe(helloText)
  })
})

describe('an HTTP error status', () => {
  it('is reported with the server’s message and the raw body', async () => {
    const body = { type: 'error', error: { type: 'invalid_request_error', message: 'too\nlong' } }
    const server = keep(await startServer(json(400, body)))
    expect((await ask(keep(anthropic(server)))).error).toMatchObject({
      kind: 'http_status',
      message: 'HTTP 400: too long',
      details: JSON.stringify(body),
      status: 400,
    })
    expect(server.requests).toHaveLength(1)
  })

  it('is reported alone if the body has no message, and without details if there is no body', async () => {
    const server = keep(
      await startServer(
        (response) => response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>no</h1>'),
        (response) => response.writeHead(403).end(),
      ),
    )
    const page = await ask(keep(anthropic(server)))
    expect(page.error).toMatchObject({ message: 'HTTP 404', details: '<h1>no</h1>' })
    const empty = await ask(keep(anthropic(server)))
    expect(empty.error).toMatchObject({ message: 'HTTP 403', details: undefined })
  })

  it('keeps at most 64 KiB of the body and does not wait for the rest', async () => {
    const server = keep(
      await startServer((response) => {
        response.writeHead(400)
        response.write('x'.repeat(200_000))
      }),
    )
    const { error } = await ask(keep(anthropic(server)))
    expect((error as ModelError).details).toHaveLength(65_536)
  })

  it('is reported even if the body is cut off or never arrives', async () => {
    const server = keep(
      await startServer(
        (response) => {
          response.writeHead(400, { 'content-length': '100' })
          response.write('{"error"', () => setTimeout(() => response.socket?.resetAndDestroy(), 50))
        },
        (response) => response.writeHead(403, { 'content-length': '100' }).flushHeaders(),
      ),
    )
    const broken = await ask(keep(anthropic(server)))
    expect(broken.error).toMatchObject({ message: 'HTTP 400', details: '{"error"' })
    const silent = await ask(keep(anthropic(server, { deadlines: { idleMs: 50 } })))
    expect(silent.error).toMatchObject({ message: 'HTTP 403', details: undefined })
  })

  it('that is transient is retried, with at most 3 requests and a report of each wait', async () => {
    const waits: RetryWait[] = []
    const server = keep(
      await startServer(
        json(429, { error: { message: 'slow' } }, { 'retry-after': '0' }),
        json(529, {}),
        hello,
      ),
    )
    const { text } = await ask(
      keep(anthropic(server, { onRetry: (wait) => void waits.push(wait) })),
    )
    expect(text).toBe(helloText)
    expect(waits).toMatchObject([
      { attempt: 1, delayMs: 0, error: { message: 'HTTP 429: slow' } },
      { attempt: 2, error: { message: 'HTTP 529' } },
    ])
    const always = keep(await startServer(json(503, { error: { message: 'down' } })))
    const { error } = await ask(keep(anthropic(always)))
    expect(error).toMatchObject({ message: 'HTTP 503: down' })
    expect(always.requests).toHaveLength(3)
  })

  it('may carry a retry time as a date or in milliseconds', async () => {
    const clock = { now: () => new Date('2026-01-02T03:04:05Z'), monotonicMs: () => 0 }
    const slept: number[] = []
    const server = keep(
      await startServer(
        json(503, {}, { 'retry-after': 'Fri, 02 Jan 2026 03:04:07 GMT' }),
        json(503, {}, { 'retry-after': '9', 'retry-after-ms': '15' }),
        hello,
      ),
    )
    const sleep = async (ms: number): Promise<void> => void slept.push(ms)
    expect((await ask(keep(anthropic(server, { clock, sleep })))).text).toBe(helloText)
    expect(slept).toEqual([2000, 15])
  })

  it.each([
    ['0', 0],
    ['7.5', 7.5],
    ['-1', 3000],
    ['soon', 3000],
    ['', 3000],
  ])('with retry-after-ms %j waits for %d ms', async (value, expected) => {
    const slept: number[] = []
    const server = keep(
      await startServer(json(503, {}, { 'retry-after': '3', 'retry-after-ms': value }), hello),
    )
    const sleep = async (ms: number): Promise<void> => void slept.push(ms)
    expect((await ask(keep(anthropic(server, { sleep })))).text).toBe(helloText)
    expect(slept).toEqual([expected])
  })

  it('that redirects is not followed, because the key is for this server only', async () => {
    const server = keep(
      await startServer((response) => response.writeHead(307, { location: '/elsewhere' }).end()),
    )
    expect((await ask(keep(anthropic(server)))).error).toMatchObject({ message: 'HTTP 307' })
    expect(server.requests).toHaveLength(1)
  })
})

describe('a connection', () => {
  it('that is reset before the first event is retried', async () => {
    const start = 'data: {"type":"message_start","message":{"usage":{}}}\n\n'
    const server = keep(await startServer(hangUp, brokenAfter(start), hello))
    expect((await ask(keep(anthropic(server)))).text).toBe(helloText)
    expect(server.requests).toHaveLength(3)
  })

  it('that is lost after text is an error, and the text stays delivered', async () => {
    const body = fixture('anthropic-text.sse').toString()
    const server = keep(await startServer(brokenAfter(body.slice(0, body.indexOf('🌍')))))
    const { text, error } = await ask(keep(anthropic(server)))
    expect(text).toBe('Grüße an 世界')
    expect(error).toMatchObject({
      kind: 'internal',
      message: expect.stringMatching(/^Stream error: ./) as string,
    })
    expect(server.requests).toHaveLength(1)
  })

  it('that closes cleanly before the end of the stream is an error', async () => {
    const body = fixture('anthropic-text.sse').toString()
    const server = keep(await startServer(sse(body.slice(0, body.indexOf('event: message_delta')))))
    const { text, error } = await ask(keep(anthropic(server)))
    expect(text).toBe(helloText)
    expect(error).toMatchObject({ message: 'Stream error: the stream ended before message_stop' })
  })

  it('that ends with an error event is not retried', async () => {
    const server = keep(await startServer(sse(fixture('anthropic-error.sse'))))
    const { text, error } = await ask(keep(anthropic(server)))
    expect(text).toBe('Partial')
    expect(error).toMatchObject({ kind: 'api_error', message: 'overloaded_error: Overloaded' })
    expect(server.requests).toHaveLength(1)
  })

  it('that cannot be established is reported after 3 attempts', async () => {
    const server = await startServer(silence)
    await server.close()
    const waits: RetryWait[] = []
    const { error } = await ask(
      keep(anthropic(server, { onRetry: (wait) => void waits.push(wait) })),
    )
    expect(error).toMatchObject({
      kind: 'timeout',
      message: expect.stringMatching(/^Connection failed: .*ECONNREFUSED/) as string,
    })
    expect(waits).toHaveLength(2)
  })

  it('that the server keeps open after the last event does not delay the answer', async () => {
    const server = keep(
      await startServer((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(fixture('anthropic-text.sse'))
      }),
    )
    expect((await ask(keep(anthropic(server)))).text).toBe(helloText)
    await server.requests[0]?.closed
  })

  it('that delivers a compressed body is an error', async () => {
    const server = keep(
      await startServer((response) =>
        response.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      ),
    )
    expect((await ask(keep(anthropic(server)))).error).toMatchObject({ kind: 'parse' })
  })

  it('is aborted in every phase with the reason of the signal', async () => {
    const reason = new Error('enough')
    const server = keep(
      await startServer(silence, (response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(': hello\n\n')
      }),
    )
    for (let n = 1; n <= 2; n++) {
      const stop = new AbortController()
      const asked = ask(keep(anthropic(server)), {}, stop.signal)
      const seen = await server.request(n)
      stop.abort(reason)
      expect((await asked).error).toBe(reason)
      await seen.closed
    }
    expect((await ask(keep(anthropic(server)), {}, AbortSignal.abort(reason))).error).toBe(reason)
    expect(server.requests).toHaveLength(2)
  })

  it('is closed when the consumer leaves the loop', async () => {
    const body = fixture('anthropic-text.sse').toString()
    const server = keep(
      await startServer((response) => {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        response.write(body.slice(0, body.indexOf('event: message_delta')))
      }),
    )
    for await (const event of keep(anthropic(server)).stream(request)) {
      expect(event.type).toBe('text')
      break
    }
    await server.requests[0]?.closed
  })
})
