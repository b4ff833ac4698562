// The calling end of one connection: made for one request, it hands out the frames of the answer.
// All lines of a process read into one buffer: a read is used up before the next one begins, and a
// buffer for each read would cost more than everything else here.
import type { Socket } from 'node:net'
import { createConnection } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { errnoOf, reasonOf, ZeeError } from '@zee/core/errors'
import type { Message } from '../wire/wire.ts'
import { checkSocketPath, FrameReader } from '../wire/wire.ts'

/** Nobody could be reached: the request was not sent. */
export const unreachableCode = 'service_unreachable'
/** The request was sent, the answer did not come to its end. */
export const lostCode = 'service_lost'

/** Above this the socket is not read until the caller has taken what is there. */
const maxBufferedBytes = 1024 * 1024
/** A burst of callers may fill the queue of a listening socket for a moment. */
const maxFullQueueRetries = 100
const fullQueuePauseMs = 10

let readBuffer: Buffer | undefined

/** A connection to the service at `path`. */
export async function connectService(
  path: string,
  signal?: AbortSignal,
): Promise<ServiceConnection> {
  checkSocketPath(path)
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    const line = new ServiceConnection(path)
    line.watch(signal)
    try {
      await line.opened
      return line
    } catch (error) {
      line.close()
      signal?.throwIfAborted()
      if (errnoOf(error) !== 'EAGAIN' || attempt >= maxFullQueueRetries) {
        throw new ZeeError(unreachableCode, `cannot reach ${path}: ${reasonOf(error)}`, {
          cause: error,
        })
      }
    }
    await pause(fullQueuePauseMs)
  }
}

export class ServiceConnection {
  /** Rejects with the system's error when nobody is there. */
  readonly opened: Promise<void>
  readonly #path: string
  readonly #socket: Socket
  readonly #reader = new FrameReader()
  #signal: AbortSignal | undefined
  #timer: NodeJS.Timeout | undefined
  #failure: unknown
  /** More has come than was taken, so nothing is read. */
  #isPaused = false
  #resolveWait: (() => void) | undefined

  constructor(path: string) {
    this.#path = path
    readBuffer ??= Buffer.allocUnsafeSlow(64 * 1024)
    const onread = { buffer: readBuffer, callback: this.#onRead }
    const socket = createConnection({ path, onread })
    this.#socket = socket
    this.opened = new Promise((resolve, reject) => {
      socket.once('connect', resolve)
      socket.on('error', (error) => {
        reject(error)
        this.#fail(reasonOf(error))
      })
    })
    const closed = () => this.#fail('it closed the connection')
    socket.on('end', closed)
    socket.on('close', closed)
  }

  /** Whether nothing has gone wrong so far. */
  get isOpen(): boolean {
    return this.#failure === undefined
  }

  /** Gives the line up when `signal` fires. */
  watch(signal: AbortSignal | undefined): void {
    if (signal === undefined || this.#signal === signal) return
    this.#signal = signal
    if (signal.aborted) this.#onAbort()
    else signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Sends the request; `deadlineMs` is for the whole answer. */
  send(request: Buffer, deadlineMs?: number): void {
    if (deadlineMs !== undefined) {
      const late = () => this.#fail(`nothing came within ${deadlineMs} ms`)
      this.#timer = setTimeout(late, deadlineMs)
    }
    this.#socket.write(request)
  }

  /** The next frame; throws when there will be none. */
  async next(): Promise<Message> {
    for (;;) {
      const frame = this.#reader.next()
      if (frame?.kind === 'message') return frame.message
      if (frame !== undefined) {
        throw new ZeeError(lostCode, `unusable answer from ${this.#path}: ${frame.reason}`)
      }
      if (this.#failure !== undefined) throw this.#failure
      if (this.#isPaused) this.#resume()
      await new Promise<void>((resolve) => {
        this.#resolveWait = resolve
      })
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#socket.destroy()
  }

  readonly #onRead = (size: number, buffer: Uint8Array): boolean => {
    this.#reader.push(Buffer.from(buffer.subarray(0, size)))
    if (!this.#reader.isReady) return true
    this.#isPaused = this.#reader.bytes > maxBufferedBytes
    this.#notify()
    return !this.#isPaused
  }

  #resume(): void {
    this.#isPaused = false
    this.#socket.resume()
  }

  readonly #onAbort = (): void => {
    this.#failure = this.#signal?.reason
    this.#socket.destroy(new Error('given up'))
    this.#notify()
  }

  #fail(reason: string): void {
    this.#failure ??= new ZeeError(lostCode, `no complete answer from ${this.#path}: ${reason}`)
    this.#notify()
  }

  #notify(): void {
    const wake = this.#resolveWait
    this.#resolveWait = undefined
    wake?.()
  }
}
