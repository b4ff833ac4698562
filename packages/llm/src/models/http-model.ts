// A model over HTTP: encodes the request, sends it, decodes the response, and retries while no
// event has become visible.
import { hideSecret, ModelError } from '../errors/errors.ts'
import { findApiKey, requireApiKey, type ProviderRow } from '../providers/providers.ts'
import type { Model, ModelEvent, ModelRequest } from '../request/request.ts'
import { withRetries, type OnRetry, type Sleep } from '../retry/retry.ts'
import type { Environment, Transport } from '../transport/transport.ts'
import type { Wire, WireContext } from '../wires/wires.ts'
import { createAttempt } from './attempt.ts'

interface HttpModelOptions {
  row: ProviderRow
  base: URL
  environment: Environment
  key?: string | undefined
  userAgent: string
  /** Wall clock in milliseconds, for dates in `retry-after`. */
  now(): number
  monotonicMs(): number
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
    const attempt = createAttempt({
      request,
      signal,
      wire,
      transport,
      context: createWireContext(row, options.random ?? Math.random),
      base: options.base,
      headers: requestHeaders(wire, request, secret, options.userAgent),
      now: options.now,
      monotonicMs: options.monotonicMs,
    })
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
