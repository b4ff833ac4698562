// Limits the requests of a JSON-RPC connection that are not answered yet. A client that sends requests and
// does not read the answers would fill the memory: its input waits.
/* oxlint-disable unicorn/prefer-add-event-listener -- a transport is not an EventTarget */
import type { Readable } from 'node:stream'
import { isObject } from '../json/json.ts'

/** The part of an MCP transport that the pacing uses. */
export interface MessageTransport<Message, Options> {
  onmessage?: ((message: Message) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  start(): Promise<void>
  /** Resolves when the client has read enough for more answers. */
  send(message: Message, options?: Options): Promise<void>
  close(): Promise<void>
}

/** Far more than a client has open at a time. */
const maxOpen = 128

/** What a server passes to the handler of a request. */
export interface DeliveredRequest {
  id: unknown
  signal: AbortSignal
}

interface OpenRequests {
  /** A client may use an id twice. */
  count: number
  cancelled: AbortController
}

/**
 * Delivers at most 128 requests that have no answer; `input` is paused while more wait. A cancelled request
 * counts until its handler ends: the server answers it like any other, and the answer is dropped.
 */
export class PacedTransport<Message extends object, Options> implements MessageTransport<
  Message,
  Options
> {
  onmessage?: ((message: Message) => void) | undefined
  onclose?: (() => void) | undefined
  onerror?: ((error: Error) => void) | undefined
  readonly #inner: MessageTransport<Message, Options>
  readonly #input: Pick<Readable, 'pause' | 'resume'>
  readonly #open = new Map<unknown, OpenRequests>()
  #openCount = 0
  #waiting: Message[] = []

  constructor(
    inner: MessageTransport<Message, Options>,
    input: Pick<Readable, 'pause' | 'resume'>,
  ) {
    this.#inner = inner
    this.#input = input
  }

  async start(): Promise<void> {
    this.#inner.onmessage = (message) => this.#receive(message)
    this.#inner.onclose = () => this.onclose?.()
    this.#inner.onerror = (error) => this.onerror?.(error)
    await this.#inner.start()
  }

  async send(message: Message, options?: Options): Promise<void> {
    if ('method' in message || !('id' in message)) return this.#inner.send(message, options)
    const { id } = message
    try {
      if (this.#open.get(id)?.cancelled.signal.aborted !== true) {
        await this.#inner.send(message, options)
      }
    } finally {
      this.#close(id)
    }
  }

  async close(): Promise<void> {
    this.#waiting = []
    await this.#inner.close()
  }

  /** The signal of a delivered request that also aborts when the client cancels it. */
  signalOf({ id, signal }: DeliveredRequest): AbortSignal {
    const open = this.#open.get(id)
    return open === undefined ? signal : AbortSignal.any([signal, open.cancelled.signal])
  }

  #receive(message: Message): void {
    if (!('method' in message)) this.onmessage?.(message)
    else if ('id' in message) this.#take(message)
    else if (message.method === 'notifications/cancelled') this.#cancel(cancelledId(message))
    else this.onmessage?.(message)
  }

  #take(message: Message): void {
    this.#waiting.push(message)
    if (this.#openCount < maxOpen) this.#deliver()
    else this.#input.pause()
  }

  #deliver(): void {
    while (this.#openCount < maxOpen) {
      const message = this.#waiting.shift()
      if (message === undefined) return
      const id = idOf(message)
      const open = this.#open.get(id) ?? { count: 0, cancelled: new AbortController() }
      open.count += 1
      this.#open.set(id, open)
      this.#openCount += 1
      this.onmessage?.(message)
    }
  }

  #cancel(id: unknown): void {
    this.#waiting = this.#waiting.filter((message) => idOf(message) !== id)
    this.#open.get(id)?.cancelled.abort()
  }

  #close(id: unknown): void {
    const open = this.#open.get(id)
    if (open === undefined) return
    open.count -= 1
    if (open.count === 0) this.#open.delete(id)
    this.#openCount -= 1
    this.#deliver()
    if (this.#waiting.length === 0) this.#input.resume()
  }
}

function idOf(message: object): unknown {
  return 'id' in message ? message.id : undefined
}

function cancelledId(message: object): unknown {
  const params = 'params' in message ? message.params : undefined
  return isObject(params) ? params.requestId : undefined
}
