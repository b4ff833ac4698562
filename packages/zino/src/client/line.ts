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
export const unreachable = 'service_unreachable'
/** The request was sent, the answer did not come to its end. */
export const lost = 'service_lost'

/** Above this the socket is not read until the caller has taken what is there. */
const highWaterBytes = 1024 * 1024
/** A burst of callers may fill the queue of a listening socket for a moment. */
const fullQueueRetries = 100
const fullQueuePauseMs = 10

let readBuffer: Buffer | undefined

/** A connection to the service at `path`. */
export async function openLine(path: string, signal?: AbortSignal): Promise<Line> {
  checkSocketPath(path)
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted()
    const line = new Line(path)
    line.watch(signal)
    try {
      await line.opened
      return line
    } catch (error) {
      line.close()
      signal?.throwIfAborted()
      if (errnoOf(error) !== 'EAGAIN' || attempt >= fullQueueRetries) {
        throw new ZeeError(unreachable, `cannot reach ${path}: ${reasonOf(error)}`, {
          cause: error,
        })
      }
    }
    await pause(fullQueuePauseMs)
  }
}

export class Line {
  /** Rejects with the system's error when nobody is there. */
  readonly opened: Promise<void>
  readonly #path: string
  readonly #socket: Socket
  readonly #reader = new FrameReader()
  #signal: AbortSignal | undefined
  #timer: NodeJS.Timeout | undefined
  #failure: unknown
  /** More has come than was taken, so nothing is read. */
  #isHeld = false
  #wake: (() => void) | undefined

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
  get isGood(): boolean {
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
        throw new ZeeError(lost, `unusable answer from ${this.#path}: ${frame.reason}`)
      }
      if (this.#failure !== undefined) throw this.#failure
      if (this.#isHeld) this.#readOn()
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

  readonly #onRead = (size: number, buffer: Uint8Array): boolean => {
    this.#reader.push(Buffer.from(buffer.subarray(0, size)))
    if (!this.#reader.ready) return true
    this.#isHeld = this.#reader.bytes > highWaterBytes
    this.#awaken()
    return !this.#isHeld
  }

  #readOn(): void {
    this.#isHeld = false
    this.#socket.resume()
  }

  readonly #onAbort = (): void => {
    this.#failure = this.#signal?.reason
    this.#socket.destroy(new Error('given up'))
    this.#awaken()
  }

  #fail(reason: string): void {
    this.#failure ??= new ZeeError(lost, `no complete answer from ${this.#path}: ${reason}`)
    this.#awaken()
  }

  #awaken(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}
