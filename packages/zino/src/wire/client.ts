// The calling end of the wire: one connection for each request, its frames as an async iterable.
// `chunk` is the only packet that is not the last one of an answer, so the first other one ends it.
import type { Socket } from 'node:net'
import { createConnection } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { errnoOf, reasonOf, ZeeError } from '@zee/core/errors'
import type { Message } from './frame.ts'
import { encodeFrame, FrameReader } from './frame.ts'
import { checkSocketPath } from './socket-path.ts'

export interface CallOptions {
  /** Gives the call up; the other side sees the connection close. */
  signal?: AbortSignal | undefined
  /** How long the whole answer may take; no limit unless given. */
  deadlineMs?: number
  /** From `connect`, begun before the request was ready; the call closes it. */
  connection?: Promise<Socket>
}

/** Nobody could be reached: the request was not sent. */
export const unreachable = 'service_unreachable'
/** The request was sent, the answer did not come to its end. */
export const lost = 'service_lost'

/** Above this the socket is not read until the caller has taken what is there. */
const highWaterBytes = 1024 * 1024
/** A burst of callers may fill the queue of a listening socket for a moment. */
const fullQueueRetries = 100
const fullQueuePauseMs = 10

/** Sends one request and yields the frames of its answer, the last one included. */
export async function* callService(
  path: string,
  message: object,
  options: CallOptions = {},
): AsyncGenerator<Message, void> {
  const request = encodeFrame(message)
  options.signal?.throwIfAborted()
  const socket = await (options.connection ?? connect(path, options.signal))
  const answer = new Answer(socket, path, options)
  try {
    socket.write(request)
    for (;;) {
      const frame = await answer.next()
      yield frame
      if (frame.type !== 'chunk') return
    }
  } finally {
    answer.close()
  }
}

/** The first frame of the answer to a request that has only one. */
export async function askService(
  path: string,
  message: object,
  options: CallOptions = {},
): Promise<Message> {
  for await (const frame of callService(path, message, options)) return frame
  throw new ZeeError(lost, `no answer from ${path}`)
}

/** An open connection to the service at `path`. */
export async function connect(path: string, signal?: AbortSignal): Promise<Socket> {
  checkSocketPath(path)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connectOnce(path, signal)
    } catch (error) {
      signal?.throwIfAborted()
      if (errnoOf(error) === 'EAGAIN' && attempt < fullQueueRetries) {
        await pause(fullQueuePauseMs)
        continue
      }
      throw new ZeeError(unreachable, `cannot reach ${path}: ${reasonOf(error)}`, { cause: error })
    }
  }
}

function connectOnce(path: string, signal: AbortSignal | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path })
    const settle = (act: () => void) => () => {
      signal?.removeEventListener('abort', onAbort)
      socket.removeAllListeners()
      // Until somebody uses the connection, nobody else hears of its end.
      socket.on('error', () => {})
      act()
    }
    const onAbort = () => socket.destroy(new Error('given up'))
    socket.once(
      'connect',
      settle(() => resolve(socket)),
    )
    socket.once('error', (error) => settle(() => reject(error))())
    signal?.addEventListener('abort', onAbort, { once: true })
  })
}

/** Collects what the other side sends and hands it out frame by frame. */
class Answer {
  readonly #socket: Socket
  readonly #path: string
  readonly #signal: AbortSignal | undefined
  readonly #reader = new FrameReader()
  #timer: NodeJS.Timeout | undefined
  #failure: unknown
  #wake: (() => void) | undefined

  constructor(socket: Socket, path: string, options: CallOptions) {
    this.#socket = socket
    this.#path = path
    this.#signal = options.signal
    socket.on('data', (piece) => this.#onData(piece))
    socket.on('end', () => this.#fail(this.#lostError('it closed the connection')))
    socket.on('error', (error) => this.#fail(this.#lostError(reasonOf(error))))
    socket.on('close', () => this.#fail(this.#lostError('it closed the connection')))
    this.#signal?.addEventListener('abort', this.#onAbort, { once: true })
    if (this.#signal?.aborted === true) this.#onAbort()
    if (socket.destroyed) this.#fail(this.#lostError('it closed the connection'))
    if (options.deadlineMs !== undefined) this.#startDeadline(options.deadlineMs)
  }

  async next(): Promise<Message> {
    for (;;) {
      const frame = this.#reader.next()
      if (frame?.kind === 'message') return frame.message
      if (frame !== undefined) {
        throw new ZeeError(lost, `unusable answer from ${this.#path}: ${frame.reason}`)
      }
      if (this.#failure !== undefined) throw this.#failure
      if (this.#socket.isPaused()) this.#socket.resume()
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }

  close(): void {
    clearTimeout(this.#timer)
    this.#signal?.removeEventListener('abort', this.#onAbort)
    this.#socket.destroy()
  }

  #onData(piece: Buffer): void {
    this.#reader.push(piece)
    if (!this.#reader.ready) return
    if (this.#reader.bytes > highWaterBytes) this.#socket.pause()
    this.#awaken()
  }

  #startDeadline(deadlineMs: number): void {
    this.#timer = setTimeout(() => {
      this.#fail(this.#lostError(`nothing came within ${deadlineMs} ms`))
    }, deadlineMs)
  }

  readonly #onAbort = (): void => {
    this.#failure = this.#signal?.reason
    this.#socket.destroy()
    this.#awaken()
  }

  #fail(error: unknown): void {
    this.#failure ??= error
    this.#awaken()
  }

  #awaken(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }

  #lostError(reason: string): ZeeError {
    return new ZeeError(lost, `no complete answer from ${this.#path}: ${reason}`)
  }
}
