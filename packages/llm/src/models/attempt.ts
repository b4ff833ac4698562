// One attempt of a request: encodes and sends it, decodes the response, and reports the attempt if the
// provider may charge it although the answer is incomplete.
import { httpStatusError, ModelError } from '../errors/errors.ts'
import { modelFacts } from '../facts/facts.ts'
import type { ModelEvent, ModelRequest } from '../request/request.ts'
import { createAttemptMeter } from '../request/request.ts'
import { parseRetryAfter } from '../retry/retry.ts'
import {
  endpointUrl,
  isSuccess,
  maxErrorBody,
  readBounded,
  type HttpResponse,
  type Transport,
} from '../transport/transport.ts'
import { createStreamDecoder, type Wire, type WireContext } from '../wires/wires.ts'
import { findNamedLimit, rememberedLimit, rememberLimit, sentLimit } from './token-limit.ts'

interface AttemptOptions {
  request: ModelRequest
  signal: AbortSignal
  wire: Wire
  transport: Transport
  context: WireContext
  base: URL
  headers: Record<string, string>
  now(): number
  monotonicMs(): number
}

/** Returns the function that makes one attempt; all attempts of a request share its output limit. */
export function createAttempt(
  options: AttemptOptions,
): () => AsyncGenerator<readonly ModelEvent[]> {
  const { request, signal, wire, transport, context, base, headers } = options
  const url = endpointUrl(base, wire.path(request))
  let encoded = encodeWithLimit(options, rememberedLimit(base, request.model))
  let isLimitCorrected = false

  async function* attempt(): AsyncGenerator<readonly ModelEvent[]> {
    const { body } = encoded
    const meter = createAttemptMeter(request, Buffer.byteLength(body), options.monotonicMs)
    try {
      const onSent = meter.sent
      const response = await transport
        .send({ method: 'POST', url, headers, body, signal, onSent })
        .catch((error: unknown) => {
          if (error instanceof ModelError && !error.mayBeCharged) meter.refused()
          throw error
        })
      if (!isSuccess(response.status)) {
        meter.refused()
        throw await readStatusError(response, options.now)
      }
      meter.sent()
      const lastUsageOnly = usageFilter()
      for await (const events of decode(response, wire, context)) {
        meter.received(events)
        yield lastUsageOnly(events)
      }
    } finally {
      meter.end()
    }
  }

  return async function* attemptWithNamedLimit() {
    try {
      yield* attempt()
    } catch (error) {
      const named = isLimitCorrected ? undefined : namedLimit(error, encoded.limit)
      if (named === undefined) throw error
      isLimitCorrected = true
      if (!named.isForThisRequest) rememberLimit(base, request.model, named.limit)
      encoded = encodeWithLimit(options, named.limit)
      yield* attempt()
    }
  }
}

function namedLimit(error: unknown, sent: number | undefined): ReturnType<typeof findNamedLimit> {
  if (sent === undefined || !(error instanceof ModelError)) return undefined
  return findNamedLimit(error, sent)
}

/** Encodes the request; `limit` is a maximum that the server named. */
function encodeWithLimit(
  { request, wire, context }: AttemptOptions,
  limit: number | undefined,
): { body: string; limit: number | undefined } {
  const { maxTokens, model } = request
  const limited =
    limit === undefined || maxTokens === undefined || maxTokens <= limit
      ? request
      : { ...request, maxTokens: limit }
  const maxOutput = limit ?? modelFacts(context.provider, model)?.maxOutput
  const body = wire.encode(limited, { ...context, maxOutput })
  return { body: JSON.stringify(body), limit: sentLimit(body) }
}

/** Returns a filter that holds back token counts until the answer stops: earlier ones are partial. */
function usageFilter(): (events: readonly ModelEvent[]) => readonly ModelEvent[] {
  let usage: ModelEvent | undefined
  return (events) =>
    events.flatMap((event) => {
      if (event.type === 'usage') usage = event
      if (event.type === 'stop' && usage !== undefined) return [usage, event]
      return event.type === 'usage' ? [] : [event]
    })
}

async function readStatusError(response: HttpResponse, now: () => number): Promise<ModelError> {
  const { status, headers } = response
  // `readBounded` ignores a connection fault: the status says more than it would.
  const body = (await readBounded(response.body, maxErrorBody)).toString('utf8')
  const exactMs = Number.parseFloat(String(headers['retry-after-ms']))
  const isExact = Number.isFinite(exactMs) && exactMs >= 0
  const retryAfterMs = isExact ? exactMs : parseRetryAfter(headers['retry-after'], now())
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
    yield decoder.feed(chunk)
    if (!decoder.done()) continue
    response.body.discardRest()
    break
  }
  if (!decoder.done()) yield decoder.end()
  const failure = decoder.failure()
  if (failure !== undefined) throw failure
}
