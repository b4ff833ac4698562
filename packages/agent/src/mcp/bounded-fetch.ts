// `fetch` for servers over HTTP whose answers are bounded: one of them must not fill the memory.
import type { FetchLike } from '@modelcontextprotocol/client'

/**
 * The answer to one message fails beyond this many bytes; streams that stay open have no end anyway.
 * The SDK would go on waiting for the rest of an answer, so `fail` is told as well.
 */
export function boundedFetch(mostBytes: number, fail: (error: Error) => void): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init)
    if (init?.method !== 'POST' || !response.ok || response.body === null) return response
    const { status, statusText, headers } = response
    const body = response.body.pipeThrough(limit(mostBytes, fail))
    return new Response(body, { status, statusText, headers })
  }
}

function limit(
  mostBytes: number,
  fail: (error: Error) => void,
): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.byteLength
      if (bytes <= mostBytes) return controller.enqueue(chunk)
      const error = new Error(`it sent more than ${mostBytes} bytes`)
      controller.error(error)
      fail(error)
    },
  })
}
