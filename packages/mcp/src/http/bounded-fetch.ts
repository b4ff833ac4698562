// `fetch` with a size limit for MCP servers over HTTP, to bound memory.
import type { FetchLike } from '@modelcontextprotocol/client'

/** Messages in flight. A server that sends requests without reading the answers reaches this number. */
const maxInFlight = 256

/**
 * Limits each response, and each event of a stream that stays open. The SDK would keep waiting for the rest
 * of a response, so `fail` is called in addition. It reads the body of a failure only to drop it.
 */
export function boundedFetch(
  maxBytes: number,
  fail: (error: Error) => void,
  fetch: FetchLike,
): FetchLike {
  let inFlight = 0
  return async (url, init) => {
    if (init?.method !== 'POST') {
      const response = await fetch(url, init)
      const isStream = response.ok && isEventStream(response)
      return isStream ? limitEvents(response, maxBytes, fail) : limitResponse(response, maxBytes)
    }
    if (inFlight >= maxInFlight) {
      const error = new Error(`it left ${maxInFlight} messages unanswered`)
      fail(error)
      throw error
    }
    inFlight++
    try {
      const response = await fetch(url, init)
      return limitResponse(response, maxBytes, response.ok ? fail : undefined)
    } finally {
      inFlight--
    }
  }
}

/** The same response; reading more than `maxBytes` of its body fails. */
export function limitResponse(
  response: Response,
  maxBytes: number,
  fail: (error: Error) => void = () => {},
): Response {
  let bytes = 0
  return limited(response, maxBytes, fail, (chunk) => (bytes += chunk.byteLength))
}

function isEventStream({ headers }: Response): boolean {
  return headers.get('content-type')?.startsWith('text/event-stream') === true
}

/** The same stream; an event of more than `maxBytes` fails. */
function limitEvents(response: Response, maxBytes: number, fail: (error: Error) => void): Response {
  let bytes = 0
  let isLineStart = false
  let before = 0
  return limited(response, maxBytes, fail, (chunk) => {
    let longest = 0
    for (const byte of chunk) {
      bytes++
      if (bytes > longest) longest = bytes
      // CR, LF and CR LF end a line, and an empty line ends the event.
      const isEnd = byte === 13 || (byte === 10 && before !== 13)
      if (isEnd && isLineStart) bytes = 0
      isLineStart = isEnd || byte === 10
      before = byte
    }
    return longest
  })
}

/** `count` returns what the limit applies to, after a chunk. */
function limited(
  response: Response,
  maxBytes: number,
  fail: (error: Error) => void,
  count: (chunk: Uint8Array) => number,
): Response {
  if (response.body === null) return response
  const { status, statusText, headers } = response
  const body = response.body.pipeThrough(limit(maxBytes, fail, count))
  return new Response(body, { status, statusText, headers })
}

function limit(
  maxBytes: number,
  fail: (error: Error) => void,
  count: (chunk: Uint8Array) => number,
): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    transform(chunk, controller) {
      if (count(chunk) <= maxBytes) return controller.enqueue(chunk)
      const error = new Error(`it sent more than ${maxBytes} bytes`)
      controller.error(error)
      fail(error)
    },
  })
}
