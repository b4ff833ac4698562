// The client side of one connection: sends one request and hands out the frames of the answer.
// All connections of a process share one read buffer: each read is copied before the next one starts,
// and a buffer per read would dominate the cost of a call.
import type { Socket } from 'node:net'
import { createConnection } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { errnoOf, reasonOf, ZeeError } from '@zee/core/errors'
import type { Message } from '../wire/wire.ts'
import { checkSocketPath, FrameReader } from '../wire/wire.ts'
import { isRestarting } from './restart-wait.ts'

/** The connection failed; the request was not sent. */
export const unreachableCode = 'service_unreachable'
/** The request was sent, but the answer is incomplete. */
export const lostCode = 'service_lost'
/** The answer was not complete within its deadline. */
export const timeoutCode = 'service_timeout'
/** The answer ended because another service was lost; the turn can be resumed. */
export const interruptedCode = 'interrupted'
/** The called service is stopping. */
export const stoppingCode = 'stopping'
/** A capability of the turn does not permit the request. */
export const notAllowedCode = 'not_allowed'

/** Above this the socket is paused until the caller has read the buffered frames. */
const maxBufferedBytes = 1024 * 1024
/** A burst of callers can fill the listen backlog for a moment (EAGAIN). */
const maxFullQueueRetries = 100
const fullQueuePauseMs = 10
const restartPauseMs = 25
/** Longer than the steps that follow an answer. */
const closeDelayMs = 10

let readBuffer: Buffer | undefined

export interface ConnectOptions {
  signal?: AbortSignal | undefined
  /** How long to wait for a service that is being restarted; 0 by default. */
  waitMs?: number | undefined
}

/** Connects to the service at `path`. */
export async function connectService(
  path: string,
  { signal, waitMs = 0 }: ConnectOptions = {},
): Promise<ServiceConnection> {
  checkSocketPath(path)
  const end = performance.now() + waitMs
  let wasRestarting = false
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    const connection = new ServiceConnection(path)
    connection.watch(signal)
    try {
      await connection.opened
      return connection
    } catch (error) {
      connection.close()
      signal?.throwIfAborted()
      const isFull = errnoOf(error) === 'EAGAIN' && attempt < maxFullQueueRetries
      // A restarting service removes its predecessor's socket before it creates its own.
      wasRestarting ||= performance.now() < end && (await isRestarting(path, error))
      if (!isFull && (!wasRestarting || performance.now() >= end)) {
        throw new ZeeError(unreachableCode, `cannot reach ${path}: ${reasonOf(error)}`, {
          cause: error,
        })
      }
    }
    await pause(wasRestarting ? restartPauseMs : fullQueuePauseMs)
  }
}

export class ServiceConnection {
  /** Rejects with the system error when the connection fails. */
  readonly opened: Promise<void>
  readonly #path: string
  readonly #socket: Socket
  readonly #reader = new FrameReader()
  #signal: AbortSignal | undefined
  #timer: NodeJS.Timeout | undefined
  #failure: unknown
  #isPaused = false
  #closesLater = false
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
    const closed = () => {
      if (!this.#closesLater) this.#fail('the service closed the connection')
    }
    socket.on('end', closed)
    socket.on('close', closed)
  }

  /** False after the first failure. */
  get isOpen(): boolean {
    return this.#failure === undefined
  }

  /** Closes the connection when `signal` fires. */
  watch(signal: AbortSignal | undefined): void {
    if (signal === undefined || this.#signal === signal) return
    this.#signal = signal
    if (signal.aborted) this.#onAbort()
    else signal.addEventListener('abort', this.#onAbort, { once: true })
  }

  /** Sends the request; `deadlineMs` limits the complete answer. */
  send(request: Buffer, deadlineMs?: number): void {
    if (deadlineMs !== undefined) {
      const onTimeout = () => this.#fail(`timed out after ${deadlineMs} ms`, timeoutCode)
      this.#timer = setTimeout(onTimeout, deadlineMs)
    }
    this.#socket.write(request)
  }

  /** Resolves to the next frame; throws when the connection has failed. */
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

  /** Closes at once, unless `closeLater` was called. */
  close(): void {
    this.#release()
    if (!this.#closesLater) this.#socket.destroy()
  }

  /**
   * Closes a connection whose answer is complete. Closing wakes the service, and on few cores that would
   * delay the next step of the turn.
   */
  closeLater(): void {
    this.#release()
    this.#closesLater = true
    this.#socket.unref()
    setTimeout(() => this.#socket.destroy(), closeDelayMs).unref()
  }

  #release(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#onAbort)
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
    this.#socket.destroy(new Error('aborted'))
    this.#notify()
  }

  #fail(reason: string, code = lostCode): void {
    this.#failure ??= new ZeeError(code, `no complete answer from ${this.#path}: ${reason}`)
    this.#notify()
  }

  #notify(): void {
    const resolve = this.#resolveWait
    this.#resolveWait = undefined
    resolve?.()
  }
}
