// The body of a response as an async iterable. Back-pressure: it reads no further ahead than the
// socket's buffer. A connection that closes early throws instead of ending the body.
import type { IncomingMessage } from 'node:http'
import { ModelError, streamError } from '../errors/errors.ts'
import { describeConnectionError } from './connection-error.ts'

/** Iterable once. Leaving the loop early drops the connection. */
export interface Body extends AsyncIterable<Buffer> {
  /** Marks the rest as unneeded: leaving the loop then drains it and may keep the connection. */
  discardRest(): void
}

/** Bytes of an error response that are read. */
export const maxErrorBody = 64 * 1024

/** Time to drain an unneeded rest before the connection is dropped. */
const maxDrainMs = 1000

/** `idleMs` runs only while the consumer waits, so that a slow consumer causes no timeout. */
export function openBody(response: IncomingMessage, signal: AbortSignal, idleMs: number): Body {
  return new IncomingBody(response, signal, idleMs)
}

class IncomingBody implements Body {
  readonly #response: IncomingMessage
  readonly #signal: AbortSignal
  readonly #idleMs: number
  readonly #chunks: AsyncGenerator<Buffer> = this.#read()
  #failure: unknown
  #ended = false
  #finished = false
  #wake = (): void => {}
  readonly #onAbort = (): void => {
    this.#response.destroy()
    this.#fail(this.#signal.reason)
  }

  constructor(response: IncomingMessage, signal: AbortSignal, idleMs: number) {
    this.#response = response
    this.#signal = signal
    this.#idleMs = idleMs
    signal.addEventListener('abort', this.#onAbort)
    response.on('readable', () => this.#wake())
    response.on('end', () => {
      this.#ended = true
      this.#wake()
    })
    response.on('error', (error) => this.#fail(streamError(describeConnectionError(error))))
    response.on('close', () => {
      signal.removeEventListener('abort', this.#onAbort)
      if (!this.#ended) this.#fail(streamError('the server closed the connection'))
    })
  }

  [Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    return this.#chunks
  }

  discardRest(): void {
    this.#finished = true
  }

  async *#read(): AsyncGenerator<Buffer> {
    try {
      for (;;) {
        if (this.#signal.aborted) throw this.#signal.reason
        const chunk = this.#response.read() as Buffer | null
        if (chunk !== null) yield chunk
        else if (this.#failure !== undefined) throw this.#failure
        else if (this.#ended) return
        else await this.#waitForData()
      }
    } finally {
      this.#signal.removeEventListener('abort', this.#onAbort)
      if (this.#finished && !this.#ended) drain(this.#response)
      else if (!this.#ended) this.#response.destroy()
    }
  }

  #fail(error: unknown): void {
    this.#failure ??= error
    this.#wake()
  }

  #waitForData(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#response.destroy()
        this.#fail(idleError(this.#idleMs))
      }, this.#idleMs)
      this.#wake = () => {
        clearTimeout(timer)
        this.#wake = () => {}
        resolve()
      }
    })
  }
}

/** Up to `maxBytes` of the body; a connection fault ends it like the end of the body. */
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

/** Reads the rest, so that the connection can be reused; does not keep the process alive. */
function drain(response: IncomingMessage): void {
  if (response.destroyed) return
  response.removeAllListeners('readable')
  response.resume()
  if (response.complete) return
  response.socket.unref()
  const timer = setTimeout(() => response.destroy(), maxDrainMs)
  timer.unref()
  response.once('close', () => clearTimeout(timer))
}

function idleError(ms: number): ModelError {
  const message = `Stream error: nothing received for ${formatDuration(ms)}`
  return new ModelError('timeout', message, { transient: true })
}

/** A duration for messages: milliseconds below 1 s, else whole seconds. */
export function formatDuration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`
}
