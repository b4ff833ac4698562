// `fetch` with a size limit for MCP servers over HTTP, to bound memory.
import type { FetchLike } from '@modelcontextprotocol/client'

/** Messages in flight. A server that sends requests without reading the answers reaches this number. */
const maxInFlight = 256

/**
 * Limits the response to each POST; streams that stay open are not limited. The SDK would keep waiting
 * for the rest of a response, so `fail` is called in addition.
 */
export function boundedFetch(
  maxBytes: number,
  fail: (error: Error) => void,
  fetch: FetchLike,
): FetchLike {
  let inFlight = 0
  return async (url, init) => {
    if (init?.method !== 'POST') return fetch(url, init)
    if (inFlight >= maxInFlight) {
      const error = new Error(`it left ${maxInFlight} messages unanswered`)
      fail(error)
      throw error
    }
    inFlight++
    try {
      const response = await fetch(url, init)
      return response.ok ? limitResponse(response, maxBytes, fail) : response
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
  if (response.body === null) return response
  const { status, statusText, headers } = response
  const body = response.body.pipeThrough(limit(maxBytes, fail))
  return new Response(body, { status, statusText, headers })
}

function limit(
  maxBytes: number,
  fail: (error: Error) => void,
): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes <= maxBytes) return controller.enqueue(chunk)
      const error = new Error(`it sent more than ${maxBytes} bytes`)
      controller.error(error)
      fail(error)
    },
  })
}
