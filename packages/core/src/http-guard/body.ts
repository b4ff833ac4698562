// Reads a request body within a size and a time limit.
import type { IncomingMessage } from 'node:http'
import type { Refusal } from './http-guard.ts'

export type Body = { bytes: Buffer; refusal?: undefined } | { bytes?: undefined; refusal: Refusal }

export interface BodyLimits {
  maxBytes: number
  /** Time for the whole body. Default 30 s. */
  timeoutMs?: number
}

/**
 * The whole body, or a refusal as soon as it exceeds a limit. A refused request is not read further:
 * the refusal's headers close the connection. Rejects if the client leaves.
 */
export function readBody(request: IncomingMessage, limits: BodyLimits): Promise<Body> {
  const { maxBytes, timeoutMs = 30_000 } = limits
  const announced = Number(request.headers['content-length'] ?? 0)
  if (announced > maxBytes) return Promise.resolve({ refusal: tooLarge(maxBytes) })
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = []
    let bytes = 0
    const timer = setTimeout(() => finish({ refusal: tooSlow }), timeoutMs)
    const finish = (body: Body): void => {
      clearTimeout(timer)
      request.off('data', take).pause()
      resolve(body)
    }
    const take = (piece: Buffer): void => {
      bytes += piece.length
      if (bytes > maxBytes) return finish({ refusal: tooLarge(maxBytes) })
      pieces.push(piece)
    }
    request.on('data', take)
    request.once('end', () => finish({ bytes: Buffer.concat(pieces) }))
    request.once('error', fail)
    request.once('close', () => fail(new Error('the client left')))
    function fail(error: Error): void {
      clearTimeout(timer)
      reject(error)
    }
  })
}

const closing = { connection: 'close' } as const

function tooLarge(maxBytes: number): Refusal {
  const message = `the request is larger than ${maxBytes} bytes`
  return { status: 413, code: 'too_large', message, headers: closing }
}

const tooSlow: Refusal = {
  status: 408,
  code: 'timeout',
  message: 'the request did not arrive in time',
  headers: closing,
}
