// The body of an answer as it arrives. Nothing is read ahead of the consumer beyond what the
// socket delivers at once; a body that breaks off is an error, never a short end.
import type { IncomingMessage } from 'node:http'
import { wordsFor } from './connection-error.ts'
import { ModelError, streamError } from './model-error.ts'

/** Can be walked once; leaving the loop drops the connection. */
export interface Body extends AsyncIterable<Buffer> {
  /** What is still to come is not wanted, so leaving may keep the connection for the next request. */
  finish(): void
}

/** How long the rest of an answer that nobody wants may take before the connection is dropped. */
const DRAIN_MS = 1000

/** `idleMs` counts only while the consumer waits: a slow consumer is no fault of the server. */
export function openBody(response: IncomingMessage, signal: AbortSignal, idleMs: number): Body {
  let failure: unknown
  let ended = false
  let finished = false
  let wake = (): void => {}

  const fail = (error: unknown): void => {
    failure ??= error
    wake()
  }
  const onAbort = (): void => {
    response.destroy()
    fail(signal.reason)
  }
  signal.addEventListener('abort', onAbort, { once: true })
  response.on('readable', () => wake())
  response.on('end', () => {
    ended = true
    wake()
  })
  response.on('error', (error) => fail(streamError(wordsFor(error))))
  response.on('close', () => {
    signal.removeEventListener('abort', onAbort)
    if (!ended) fail(streamError('the server closed the connection'))
  })

  const arrival = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        response.destroy()
        fail(idleError(idleMs))
      }, idleMs)
      wake = () => {
        clearTimeout(timer)
        wake = () => {}
        resolve()
      }
    })

  async function* chunks(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        if (signal.aborted) throw signal.reason
        const chunk = response.read() as Buffer | null
        if (chunk !== null) yield chunk
        else if (failure !== undefined) throw failure
        else if (ended) return
        else await arrival()
      }
    } finally {
      signal.removeEventListener('abort', onAbort)
      if (finished && !ended) drain(response)
      else if (!ended) response.destroy()
    }
  }
  const iterator = chunks()
  return {
    [Symbol.asyncIterator]: () => iterator,
    finish() {
      finished = true
    },
  }
}

/** What there is of it up to `maxBytes`; neither a rest nor a fault is waited for. */
export async function readBounded(body: Body, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxBytes) break
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error
  }
  return Buffer.concat(chunks).subarray(0, maxBytes)
}

/** A rest that comes soon is worth a moment, but must not keep the process alive. */
function drain(response: IncomingMessage): void {
  if (response.destroyed) return
  response.removeAllListeners('readable')
  response.resume()
  if (response.complete) return
  response.socket.unref()
  const timer = setTimeout(() => response.destroy(), DRAIN_MS)
  timer.unref()
  response.once('close', () => clearTimeout(timer))
}

function idleError(ms: number): ModelError {
  const message = `Stream error: nothing received for ${inWords(ms)}`
  return new ModelError('timeout', message, { transient: true })
}

/** A length of time for people. */
export function inWords(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`
}
