// `fetch` with a size limit for MCP servers over HTTP, to bound memory.
import type { FetchLike } from '@modelcontextprotocol/client'

/**
 * Limits the response to each POST; streams that stay open are not limited. The SDK would keep waiting
 * for the rest of a response, so `fail` is called in addition.
 */
export function boundedFetch(
  maxBytes: number,
  fail: (error: Error) => void,
  fetch: FetchLike,
): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (init?.method !== 'POST' || !response.ok || response.body === null) return response
    return limitResponse(response, maxBytes, fail)
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
