// Writes a child's output to our own stdout or stderr, byte for byte. A slow reader never blocks the
// event loop: what the descriptor accepts is written synchronously, the rest is queued.
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { errnoOf } from '../errors/errors.ts'
import { openSocket } from './pipes.ts'

export interface Passthrough {
  /** Returns undefined if all is written; otherwise the chunk must not change until it resolves. */
  write(chunk: Uint8Array): Promise<void> | undefined
  /** The system's error name once writing failed; `EPIPE` if the reader closed the stream. */
  readonly failure: string | undefined
  /** Drops queued writes. Our stdout and stderr stay open. */
  close(): void
}

/** Returns a writer for our stdout (1) or stderr (2). */
export function openPassthrough(fd: 1 | 2): Passthrough {
  const stats = fstatSync(fd)
  if (stats.isFile()) return new DescriptorWriter(fd, false)
  if (stats.isCharacterDevice()) {
    // A stopped terminal (Ctrl+S) must not block us, and Node's sockets cannot poll a terminal.
    const reopened = reopen(fd)
    return reopened === undefined
      ? new DescriptorWriter(fd, false)
      : new DescriptorWriter(reopened, true)
  }
  if (stats.isFIFO()) {
    const reopened = reopen(fd)
    if (reopened !== undefined) return new PipeWriter(reopened)
  }
  return new StreamWriter(fd === 1 ? process.stdout : process.stderr)
}

/**
 * Opens the same pipe or terminal again. The new file description is non-blocking; that of the other
 * writers stays blocking. Returns undefined for a socket or without /proc.
 */
function reopen(fd: number): number | undefined {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
  try {
    return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return undefined
  }
}

/** Writes to a non-blocking pipe that it owns. Uses the event loop only while the pipe is full. */
export class PipeWriter implements Passthrough {
  failure: string | undefined
  readonly #fd: number
  #socket: Socket | undefined
  #pendingWrites = 0

  constructor(fd: number) {
    this.#fd = fd
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.failure !== undefined) return undefined
    let rest = chunk
    if (this.#pendingWrites === 0) {
      rest = chunk.subarray(this.#writeNow(chunk))
      if (rest.length === 0 || this.failure !== undefined) return undefined
    }
    this.#pendingWrites++
    return new Promise((resolve) => {
      this.#pollingSocket().write(rest, (error) => {
        this.#pendingWrites--
        if (error) this.failure ??= errnoOf(error) ?? 'EPIPE'
        resolve()
      })
    })
  }

  close(): void {
    this.failure ??= 'EPIPE'
    if (this.#socket !== undefined) this.#socket.destroy()
    else closeSync(this.#fd)
  }

  #writeNow(chunk: Uint8Array): number {
    try {
      return writeSync(this.#fd, chunk)
    } catch (error) {
      const errno = errnoOf(error)
      if (errno !== 'EAGAIN') this.failure = errno ?? 'EIO'
      return 0
    }
  }

  #pollingSocket(): Socket {
    if (this.#socket !== undefined) return this.#socket
    this.#socket = openSocket({ fd: this.#fd, readable: false, writable: true })
    // The write callback has the error already.
    this.#socket.on('error', () => {})
    return this.#socket
  }
}

/** Writes to a file, a device or a terminal. After EAGAIN it retries every 10 ms. */
class DescriptorWriter implements Passthrough {
  failure: string | undefined
  readonly #fd: number
  readonly #ownsFd: boolean
  #lastWrite: Promise<void> | undefined

  constructor(fd: number, ownsFd: boolean) {
    this.#fd = fd
    this.#ownsFd = ownsFd
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#lastWrite !== undefined) return this.#queue(this.#lastWrite, chunk)
    const rest = this.#writeNow(chunk)
    return rest.length === 0 ? undefined : this.#queue(Promise.resolve(), rest)
  }

  close(): void {
    this.failure ??= 'EPIPE'
    if (this.#ownsFd) closeSync(this.#fd)
  }

  #queue(before: Promise<void>, chunk: Uint8Array): Promise<void> {
    const done = before.then(async () => {
      let rest = this.#writeNow(chunk)
      while (rest.length > 0) {
        await new Promise((resolve) => setTimeout(resolve, retryMs))
        rest = this.#writeNow(rest)
      }
      if (this.#lastWrite === done) this.#lastWrite = undefined
    })
    this.#lastWrite = done
    return done
  }

  /** Returns the bytes that are not written yet; none once the target failed. */
  #writeNow(chunk: Uint8Array): Uint8Array {
    let rest = chunk
    while (rest.length > 0 && this.failure === undefined) {
      try {
        rest = rest.subarray(writeSync(this.#fd, rest))
      } catch (error) {
        const errno = errnoOf(error)
        if (errno === 'EAGAIN') return rest
        this.failure = errno ?? 'EIO'
      }
    }
    return this.failure === undefined ? rest : empty
  }
}

const empty = new Uint8Array(0)
const retryMs = 10

/** Writes through Node's stream: a socket cannot be opened a second time. */
class StreamWriter implements Passthrough {
  failure: string | undefined
  readonly #stream: Writable

  constructor(stream: Writable) {
    this.#stream = stream
    if (!withErrorListener.has(stream)) stream.on('error', () => {})
    withErrorListener.add(stream)
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.failure !== undefined) return undefined
    return new Promise((resolve) => {
      this.#stream.write(chunk, (error) => {
        if (error) this.failure ??= errnoOf(error) ?? 'EPIPE'
        resolve()
      })
    })
  }

  close(): void {
    this.failure ??= 'EPIPE'
  }
}

// Streams that already have an error listener; without one EPIPE would end the program.
const withErrorListener = new WeakSet<Writable>()
