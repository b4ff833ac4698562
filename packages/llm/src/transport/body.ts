// The body of an answer as it arrives. Nothing is read ahead of the consumer beyond what the
// socket delivers at once; a body that breaks off is an error, never a short end.
import type { IncomingMessage } from 'node:http'
import { ModelError, streamError } from '../errors/errors.ts'
import { describeConnectionError } from './connection-error.ts'

/** Can be walked once; leaving the loop drops the connection. */
export interface Body extends AsyncIterable<Buffer> {
  /** What is still to come is not wanted, so leaving may keep the connection for the next request. */
  discardRest(): void
}

/** How much of an error answer is kept. */
export const maxErrorBody = 64 * 1024

/** How long the rest of an answer that nobody wants may take before the connection is dropped. */
const maxDrainMs = 1000

/** `idleMs` counts only while the consumer waits: a slow consumer is no fault of the server. */
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
    signal.addEventListener('abort', this.#onAbort, { once: true })
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
        else await this.#arrival()
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

  #arrival(): Promise<void> {
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
  const timer = setTimeout(() => response.destroy(), maxDrainMs)
  timer.unref()
  response.once('close', () => clearTimeout(timer))
}

function idleError(ms: number): ModelError {
  const message = `Stream error: nothing received for ${formatDuration(ms)}`
  return new ModelError('timeout', message, { transient: true })
}

/** A length of time for people. */
export function formatDuration(ms: number): string {
  return ms < 1000 ? `${ms} ms` : `${Math.round(ms / 1000)} s`
}
