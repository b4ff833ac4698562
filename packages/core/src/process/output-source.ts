// Reads one output pipe of a child chunk by chunk. A ring of four buffers is reused, so gigabytes pass
// without garbage; reading pauses while the consumer is slower than the child.
import { closeSync, readSync } from 'node:fs'
import type { OnReadOpts, Socket, SocketConstructorOpts } from 'node:net'
import { openSocket } from './pipes.ts'

/** Our end of a pipe: a descriptor of a real pipe, or the socket that Node made. */
export type PipeEnd = { fd: number } | { socket: Socket }

/** Returns undefined if done with the chunk; otherwise the chunk is not reused until it resolves. */
export type Consumer = (chunk: Buffer) => Promise<void> | undefined

// A Linux pipe holds 64 KiB, so a read never returns more. One buffer fills while others are written.
const bufferBytes = 65_536
const bufferCount = 4

export class OutputSource {
  /** Resolves when the stream has ended and all of it is consumed, or after `close`. */
  readonly ended: Promise<void>
  /** Number of chunks read: `drain` compares it to detect silence. */
  chunks = 0
  isEnded = false
  readonly #consume: Consumer
  readonly #freeBuffers: Buffer[] = []
  readonly #pipe: PipeEnd
  #socket: Socket | undefined
  #current: Buffer | undefined
  #isPaused = false
  #pending = 0
  #isAtEnd = false
  #isClosed = false
  #resolveEnded: () => void = () => {}

  constructor(end: PipeEnd, consume: Consumer) {
    this.#consume = consume
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve
    })
    this.#pipe = end
    // Node reads its socket from the start, and discards what has no listener when the child exits.
    if ('socket' in end) this.listen()
  }

  /** Starts reading chunks as they arrive. */
  listen(): void {
    if (this.#socket !== undefined || this.isEnded) return
    const end = this.#pipe
    const socket = 'fd' in end ? this.#openWithRing(end.fd) : this.#attach(end.socket)
    this.#socket = socket
    // A read error ends the stream; `close` follows.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#isAtEnd = true
      this.#finishIfDone()
    })
    if (!this.#isPaused) socket.resume()
  }

  /**
   * Reads synchronously what a child wrote that exited before `listen`. For most commands that is all
   * output, and no event loop round is needed. Calls `listen` if more may follow.
   */
  readRemaining(): void {
    if (this.#socket !== undefined || this.isEnded) return
    if (!('fd' in this.#pipe)) return this.listen()
    while (!this.isEnded) {
      const buffer = this.#freeBuffer()
      const length = tryRead(this.#pipe.fd, buffer)
      if (length === 0) break
      if (length === undefined || !this.#handle(buffer.subarray(0, length))) return this.listen()
    }
    if (!this.#isClosed) closeSync(this.#pipe.fd)
    this.#isClosed = true
    this.#isAtEnd = true
    this.#finishIfDone()
  }

  /** The consumer is busy with earlier chunks, so silence says nothing about the child. */
  get isStalled(): boolean {
    return this.#pending > 0
  }

  /** Stops reading: further writes to the pipe fail with EPIPE. Chunks in progress may finish. */
  close(): void {
    if (this.#socket !== undefined) this.#socket.destroy()
    else if (!this.#isClosed) this.#closeUnread()
    this.#isClosed = true
    this.isEnded = true
    this.#resolveEnded()
  }

  #closeUnread(): void {
    if ('fd' in this.#pipe) closeSync(this.#pipe.fd)
    else this.#pipe.socket.destroy()
  }

  #openWithRing(fd: number): Socket {
    // @types/node declares `onread` for connections only; sockets over descriptors support it too.
    const options: SocketConstructorOpts & { onread: OnReadOpts } = {
      fd,
      readable: true,
      writable: false,
      onread: {
        buffer: () => this.#freeBuffer(),
        callback: (length) => this.#handle(this.#filledBuffer().subarray(0, length)),
      },
    }
    return openSocket(options)
  }

  /** Node's own stream allocates a new buffer for each chunk. */
  #attach(socket: Socket): Socket {
    socket.on('data', (chunk: Buffer) => {
      if (!this.#handle(chunk)) socket.pause()
    })
    return socket
  }

  #freeBuffer(): Buffer {
    this.#current = this.#freeBuffers.pop() ?? Buffer.allocUnsafeSlow(bufferBytes)
    return this.#current
  }

  #filledBuffer(): Buffer {
    return this.#current ?? this.#freeBuffer()
  }

  /** Passes a chunk to the consumer; returns whether reading goes on. */
  #handle(chunk: Buffer): boolean {
    const buffer = this.#current
    this.chunks++
    const consumed = this.#consume(chunk)
    if (consumed === undefined) {
      if (buffer !== undefined) this.#freeBuffers.push(buffer)
      return true
    }
    this.#pending++
    void consumed.then(() => this.#recycle(buffer))
    this.#isPaused = this.#pending >= bufferCount - 1
    return !this.#isPaused
  }

  #recycle(buffer: Buffer | undefined): void {
    this.#pending--
    if (buffer !== undefined) this.#freeBuffers.push(buffer)
    if (this.#isPaused) {
      this.#isPaused = false
      this.#socket?.resume()
    }
    this.#finishIfDone()
  }

  #finishIfDone(): void {
    if (!this.#isAtEnd || this.#pending > 0 || this.isEnded) return
    this.isEnded = true
    this.#resolveEnded()
  }
}

/** Returns 0 at the end, undefined if the pipe is empty and still open for writing. */
function tryRead(fd: number, buffer: Buffer): number | undefined {
  try {
    return readSync(fd, buffer, 0, buffer.length, null)
  } catch {
    return undefined
  }
}
