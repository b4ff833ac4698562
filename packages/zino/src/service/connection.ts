// The service side of one connection: answers its requests one at a time, in order. End of input is
// not a disconnect: a caller may half-close and wait for the answer. A probe then detects when the
// caller is gone.
import { setMaxListeners } from 'node:events'
import type { Socket } from 'node:net'
import { reasonOf, ZeeError } from '@zee/core/errors'
import type { Logger } from '@zee/core/log'
import type { ServiceConnection } from '../client/client.ts'
import { interruptedCode, notAllowedCode, SpareConnection, stoppingCode } from '../client/client.ts'
import type { Frame, Message } from '../wire/wire.ts'
import { encodeFrame, FrameReader } from '../wire/wire.ts'
import { PresenceProbe } from './presence-probe.ts'
import type { Exchange, Handler, Service } from './service.ts'

export interface ConnectionOptions {
  service: Service
  log: Logger
  maxFrameBytes?: number | undefined
}

/** While a request runs, at most about this much further input is read. */
const maxQueuedBytes = 1024 * 1024
const resolved = Promise.resolve()
/** Error codes that callers act on. */
const toldCodes: ReadonlySet<string> = new Set([stoppingCode, interruptedCode, notAllowedCode])

export class Connection implements Exchange {
  /** Resolves when the caller is gone and no request of it is running. */
  readonly finished: Promise<void>
  readonly #socket: Socket
  readonly #service: Service
  readonly #log: Logger
  readonly #maxFrameBytes: number | undefined
  readonly #reader: FrameReader
  readonly #probe: PresenceProbe
  /** Created on first use: most requests finish without needing a signal. */
  #abort: AbortController | undefined
  /** Why the running request must stop. */
  #stopReason: ZeeError | undefined
  readonly #spareConnection: SpareConnection | undefined
  #resolveFinished: () => void = () => {}
  #isBusy = false
  #isClosed = false
  #hasInputEnded = false
  #isFinishing = false
  #pendingDelta = ''
  /** The running request has sent a chunk. */
  #hasStreamed = false
  /** Fields added to every frame of the running request. */
  #stamp: Readonly<Record<string, unknown>> = {}
  #onLastSent: ((isSent: boolean) => void) | undefined
  #drained: { promise: Promise<void>; settle: (error?: unknown) => void } | undefined

  constructor(socket: Socket, options: ConnectionOptions) {
    this.#socket = socket
    this.#service = options.service
    this.#log = options.log
    this.#maxFrameBytes = options.maxFrameBytes
    this.#reader = new FrameReader(options.maxFrameBytes)
    this.#probe = new PresenceProbe(socket)
    this.finished = new Promise((resolve) => {
      this.#resolveFinished = resolve
    })
    const { preconnect, needsSignal } = options.service
    if (needsSignal === true) setImmediate(() => void this.signal)
    if (preconnect !== undefined) this.#spareConnection = new SpareConnection(preconnect)
    this.#spareConnection?.open()
    socket.on('data', (piece) => this.#onData(piece))
    socket.on('end', () => this.#onEnd())
    socket.on('drain', () => this.#onDrain())
    // The caller is gone and 'close' follows; the error itself is of no use.
    socket.on('error', () => {})
    socket.on('close', () => this.#onClose())
  }

  get signal(): AbortSignal {
    if (this.#abort === undefined) {
      this.#abort = new AbortController()
      setMaxListeners(0, this.#abort.signal)
      if (this.#stopReason !== undefined) this.#abort.abort(this.#stopReason)
    }
    return this.#abort.signal
  }

  takeConnection(): Promise<ServiceConnection> | undefined {
    return this.#spareConnection?.take()
  }

  /** Accepts no further request; closes now or after the running request. */
  finish(): void {
    this.#isFinishing = true
    if (!this.#isBusy) this.#end()
  }

  /** Makes the running request fail with `reason`, which the caller receives as an error frame. */
  fail(reason: string): void {
    this.#isFinishing = true
    this.#stop(new ZeeError(stoppingCode, reason))
  }

  destroy(): void {
    this.#socket.destroy()
  }

  stamp(fields: Readonly<Record<string, unknown>>): void {
    this.#stamp = fields
  }

  onLastSent(callback: (isSent: boolean) => void): void {
    this.#onLastSent = callback
  }

  send(message: object): Promise<void> {
    if (this.#stopReason !== undefined) return this.#writable()
    this.#flush()
    this.#socket.write(encodeFrame({ ...message, ...this.#stamp }, this.#maxFrameBytes))
    return this.#writable()
  }

  chunk(delta: string): Promise<void> {
    if (delta === '') return resolved
    if (this.#pendingDelta === '' && this.#hasStreamed) process.nextTick(() => this.#flush())
    this.#pendingDelta += delta
    // A short answer is complete in one read: its first chunk must not wait for the records of its end.
    if (!this.#hasStreamed) this.#flush()
    this.#hasStreamed = true
    return this.#writable()
  }

  #flush(): void {
    if (this.#pendingDelta === '') return
    const delta = this.#pendingDelta
    this.#pendingDelta = ''
    if (this.#socket.destroyed) return
    this.#socket.write(encodeFrame({ type: 'chunk', delta, ...this.#stamp }))
  }

  /** Resolves when the caller reads again, rejects when the request must stop. */
  #writable(): Promise<void> {
    if (this.#stopReason === undefined && !this.#socket.writableNeedDrain) return resolved
    this.#drained ??= deferred()
    const { promise } = this.#drained
    if (this.#stopReason !== undefined) this.#onDrain()
    return promise
  }

  #stop(reason: ZeeError): void {
    this.#stopReason ??= reason
    this.#abort?.abort(this.#stopReason)
    this.#onDrain()
  }

  #onDrain(): void {
    const waiting = this.#drained
    this.#drained = undefined
    waiting?.settle(this.#stopReason)
  }

  #onData(piece: Buffer): void {
    this.#reader.push(piece)
    if (!this.#isBusy) {
      void this.#serve()
    } else if (this.#reader.bytes > maxQueuedBytes) {
      this.#socket.pause()
      this.#probe.start()
    }
  }

  #onEnd(): void {
    this.#hasInputEnded = true
    if (this.#isBusy) this.#probe.start()
    else this.#end()
  }

  #onClose(): void {
    this.#probe.stop()
    this.#isFinishing = true
    if (this.#isBusy) this.#stop(new ZeeError('gone', 'the caller disconnected'))
    this.#spareConnection?.close()
    this.#isClosed = true
    if (!this.#isBusy) this.#resolveFinished()
  }

  async #serve(): Promise<void> {
    this.#isBusy = true
    for (;;) {
      const frame = this.#isFinishing ? undefined : this.#reader.next()
      if (frame === undefined) break
      await this.#answer(frame)
    }
    this.#isBusy = false
    this.#probe.stop()
    if (this.#isClosed) this.#resolveFinished()
    else if (this.#hasInputEnded || this.#isFinishing) this.#end()
    else if (this.#socket.isPaused()) this.#socket.resume()
  }

  async #answer(frame: Frame): Promise<void> {
    this.#stamp = {}
    this.#onLastSent = undefined
    this.#hasStreamed = false
    try {
      if (frame.kind === 'oversized') this.#isFinishing = true
      const reply =
        frame.kind === 'message' ? await this.#reply(frame.message) : errorFrame(frame.reason)
      if (reply !== undefined) await this.#sendLast(reply)
    } catch (error) {
      this.#answerError(error)
    }
  }

  /** Sends the last frame even if the request was stopped meanwhile. */
  async #sendLast(reply: object): Promise<void> {
    const frame = encodeFrame({ ...reply, ...this.#stamp }, this.#maxFrameBytes)
    this.#writeLast(frame)
    await this.#writable().catch(() => {})
  }

  #writeLast(frame: Buffer): void {
    const onLastSent = this.#onLastSent
    if (this.#socket.destroyed) return onLastSent?.(false)
    this.#flush()
    this.#socket.write(frame, onLastSent && ((error) => onLastSent(error == null)))
  }

  #reply(message: Message): ReturnType<Handler> {
    const { type } = message
    if (type === 'ping') {
      this.#service.onPing?.()
      return { type: 'pong' }
    }
    if (type === undefined && this.#service.untyped !== undefined) {
      return this.#service.untyped(message, this)
    }
    if (typeof type !== 'string')
      return errorFrame('the message has no type, or its type is not a string')
    const handler = this.#service.handlers.get(type)
    if (handler === undefined) return errorFrame(`Unknown message type: ${type.slice(0, 200)}`)
    return handler(message, this)
  }

  #answerError(error: unknown): void {
    const expected = error instanceof ZeeError
    if (!expected && !this.#socket.destroyed) this.#log.error(`request failed: ${stackOf(error)}`)
    const reason = expected ? error.message : `internal error: ${reasonOf(error)}`
    const code = expected && toldCodes.has(error.code) ? error.code : undefined
    this.#writeLast(encodeFrame({ ...errorFrame(reason), code, ...this.#stamp }))
  }

  #end(): void {
    if (this.#socket.destroyed) return
    // Without reading, a caller that keeps sending cannot hold the connection open.
    this.#socket.pause()
    this.#socket.end(() => this.#socket.destroy())
  }
}

function errorFrame(message: string): { type: 'error'; message: string } {
  return { type: 'error', message }
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

function deferred(): { promise: Promise<void>; settle: (error?: unknown) => void } {
  let settle: (error?: unknown) => void = () => {}
  const promise = new Promise<void>((resolve, reject) => {
    settle = (error) => (error === undefined ? resolve() : reject(error as Error))
  })
  // Waiting handlers see the rejection; without a waiter it must not crash the process.
  promise.catch(() => {})
  return { promise, settle }
}
