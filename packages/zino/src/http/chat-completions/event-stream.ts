// Server-sent events of a streamed answer. Comments keep the connection alive while a tool runs; a client
// that does not read is cut off.
import type { ServerResponse } from 'node:http'
import { ZeeError } from '@zee/core/errors'
import { setSecurityHeaders, writeBounded } from '@zee/core/http-guard'
import { errorBody, toHttpError } from '../reply.ts'

const keepAliveMs = 15_000
/** A client that takes nothing for this long is cut off. */
const slowReaderMs = 30_000

export class EventStream {
  readonly #response: ServerResponse
  #timer: NodeJS.Timeout | undefined

  constructor(response: ServerResponse) {
    this.#response = response
  }

  /** Whether the head was sent. */
  get isOpen(): boolean {
    return this.#response.headersSent
  }

  /** Sends one event; throws when the client has left or reads too slowly. */
  async send(value: object): Promise<void> {
    if (!this.isOpen) this.#open()
    await this.#write(`data: ${JSON.stringify(value)}\n\n`)
  }

  async end(): Promise<void> {
    await this.#write('data: [DONE]\n\n')
    this.#response.end()
  }

  /** Reports a failure after the head was sent. */
  async fail(error: unknown): Promise<void> {
    await this.#write(`data: ${JSON.stringify(errorBody(toHttpError(error)))}\n\n`)
    this.#response.end()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  #open(): void {
    setSecurityHeaders(this.#response)
    this.#response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      // Proxies such as nginx would collect the events.
      'x-accel-buffering': 'no',
    })
    this.#timer = setInterval(() => {
      if (!this.#response.writableNeedDrain) this.#response.write(': keep-alive\n\n')
    }, keepAliveMs)
  }

  async #write(text: string): Promise<void> {
    if (await writeBounded(this.#response, text, slowReaderMs)) return
    throw new ZeeError('left', 'the client has left or does not read')
  }
}
