// A model over HTTP: encodes the request, sends it, decodes the response, and retries while no
// event has become visible.
import { hideSecret, httpStatusError, ModelError } from '../errors/errors.ts'
import { findApiKey, requireApiKey, type ProviderRow } from '../providers/providers.ts'
import type { Model, ModelEvent, ModelRequest } from '../request/request.ts'
import { parseRetryAfter, withRetries, type OnRetry, type Sleep } from '../retry/retry.ts'
import {
  endpointUrl,
  isSuccess,
  maxErrorBody,
  readBounded,
  type Environment,
  type HttpResponse,
  type Transport,
} from '../transport/transport.ts'
import { createStreamDecoder, type Wire, type WireContext } from '../wires/wires.ts'

interface HttpModelOptions {
  row: ProviderRow
  base: URL
  environment: Environment
  key?: string | undefined
  userAgent: string
  /** Wall clock in milliseconds, for dates in `retry-after`. */
  now(): number
  onRetry?: OnRetry | undefined
  /** Joins text deltas, and thinking deltas, that arrive in one read of the socket. */
  joinText: boolean
  sleep?: Sleep | undefined
  random?: (() => number) | undefined
  /** Called with the first request. */
  load(): Promise<{ wire: Wire; transport: Transport }>
  close(): void
}

export function createHttpModel(options: HttpModelOptions): Model {
  const { row, environment } = options
  const key = (): string | undefined => findApiKey(row, environment, options.key)

  async function* stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent> {
    const secret = key()
    requireApiKey(row, secret)
    const { wire, transport } = await options.load()
    const context = createWireContext(row, options.random ?? Math.random)
    const body = JSON.stringify(wire.encode(request, context))
    const headers = requestHeaders(wire, request, secret, options.userAgent)
    const url = endpointUrl(options.base, wire.path(request))
    const attempt = async function* (): AsyncGenerator<readonly ModelEvent[]> {
      const response = await transport.send({ method: 'POST', url, headers, body, signal })
      if (!isSuccess(response.status)) throw await readStatusError(response, options)
      yield* decode(response, wire, context)
    }
    try {
      const { onRetry, sleep, random } = options
      for await (const events of withRetries(attempt, { signal, onRetry, sleep, random })) {
        for (const event of options.joinText ? joinTextEvents(events) : events) yield event
      }
    } catch (error) {
      throw error instanceof ModelError ? hideSecret(error, secret) : error
    }
  }

  return {
    provider: row.name,
    check: () => requireApiKey(row, key()),
    stream: (request, signal) => stream(request, signal ?? new AbortController().signal),
    close: options.close,
  }
}

function createWireContext(row: ProviderRow, random: () => number): WireContext {
  const newId = (): string => `call_${random().toString(36).slice(2, 12).padEnd(10, '0')}`
  return { provider: row.name, quirks: row.quirks ?? {}, newId }
}

function requestHeaders(
  wire: Wire,
  request: ModelRequest,
  key: string | undefined,
  userAgent: string,
): Record<string, string> {
  return {
    ...wire.headers(key),
    'content-type': 'application/json',
    accept: request.stream === false ? 'application/json' : 'text/event-stream',
    'user-agent': userAgent,
  }
}

async function readStatusError(
  response: HttpResponse,
  options: HttpModelOptions,
): Promise<ModelError> {
  const { status, headers } = response
  // `readBounded` ignores a connection fault: the status says more than it would.
  const body = (await readBounded(response.body, maxErrorBody)).toString('utf8')
  const exactMs = Number.parseFloat(String(headers['retry-after-ms'] ?? ''))
  const isExact = Number.isFinite(exactMs) && exactMs >= 0
  const retryAfterMs = isExact ? exactMs : parseRetryAfter(headers['retry-after'], options.now())
  return httpStatusError(status, body, retryAfterMs)
}

async function* decode(
  response: HttpResponse,
  wire: Wire,
  context: WireContext,
): AsyncGenerator<readonly ModelEvent[]> {
  const encoding = response.headers['content-encoding'] ?? 'identity'
  if (encoding !== 'identity') {
    await readBounded(response.body, 0)
    throw new ModelError(
      'parse',
      `The answer has the content encoding ${encoding}, which was not requested`,
    )
  }
  const decoder = createStreamDecoder(wire, context, response.headers['content-type'])
  for await (const chunk of response.body) {
    const events = decoder.feed(chunk)
    if (events.length > 0) yield events
    if (!decoder.done()) continue
    response.body.discardRest()
    break
  }
  const last = decoder.done() ? [] : decoder.end()
  if (last.length > 0) yield last
  const failure = decoder.failure()
  if (failure !== undefined) throw failure
}

function joinTextEvents(events: readonly ModelEvent[]): readonly ModelEvent[] {
  if (events.length < 2) return events
  const joined: ModelEvent[] = []
  for (const event of events) {
    const last = joined.at(-1)
    if (last?.type === 'text' && event.type === 'text') last.text += event.text
    else if (last?.type === 'thinking' && event.type === 'thinking') last.text += event.text
    // Copied, because joining must not change the decoder's event.
    else joined.push(event.type === 'text' || event.type === 'thinking' ? { ...event } : event)
  }
  return joined
}
