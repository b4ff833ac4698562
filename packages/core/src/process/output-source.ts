// Reads one output pipe of a child chunk by chunk. A few buffers are used over and over, so that
// gigabytes pass without garbage, and reading stops while the consumer is behind.
import { closeSync, readSync } from 'node:fs'
import { type OnReadOpts, Socket, type SocketConstructorOpts } from 'node:net'

/** Our end of a pipe: a descriptor of a real pipe, or the socket that Node made. */
export type PipeEnd = { fd: number } | { socket: Socket }

/** Undefined when done with the chunk; otherwise the chunk stays as it is until it resolves. */
export type Consumer = (chunk: Buffer) => Promise<void> | undefined

// A pipe holds 64 KiB, so a read never gives more. The others fill while the first is written.
const bufferBytes = 65_536
const bufferCount = 4

export class OutputSource {
  /** Resolves at the end of the stream, when all of it was consumed, or after `close`. */
  readonly ended: Promise<void>
  /** Counts chunks, so that others can see whether anything came. */
  chunks = 0
  isEnded = false
  readonly #consume: Consumer
  readonly #free: Buffer[] = []
  readonly #end: PipeEnd
  #socket: Socket | undefined
  #current: Buffer | undefined
  #held = false
  #pending = 0
  #atEnd = false
  #closed = false
  #resolveEnded: () => void = () => {}

  constructor(end: PipeEnd, consume: Consumer) {
    this.#consume = consume
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve
    })
    this.#end = end
  }

  /** From now on chunks are read as they come. */
  listen(): void {
    if (this.#socket !== undefined || this.isEnded) return
    const end = this.#end
    const socket = 'fd' in end ? this.#openRing(end.fd) : this.#listenTo(end.socket)
    this.#socket = socket
    // A read error has no more bytes behind it than the end has.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#atEnd = true
      this.#finishIfDone()
    })
    if (!this.#held) socket.resume()
  }

  /**
   * Reads at once what a child left that ended before anybody listened: for most commands that is
   * all, and the event loop is not asked at all. Listens when there may be more.
   */
  readLeft(): void {
    if (this.#socket !== undefined || this.isEnded) return
    if (!('fd' in this.#end)) return this.listen()
    while (!this.isEnded) {
      const buffer = this.#freeBuffer()
      const length = readNow(this.#end.fd, buffer)
      if (length === 0) break
      if (length === undefined || !this.#took(buffer.subarray(0, length))) return this.listen()
    }
    if (!this.#closed) closeSync(this.#end.fd)
    this.#closed = true
    this.#atEnd = true
    this.#finishIfDone()
  }

  /** The consumer is behind, so silence says nothing about the child. */
  get isStalled(): boolean {
    return this.#pending > 0
  }

  /** Reads no more: whoever still writes gets a broken pipe. What is being consumed may go on. */
  close(): void {
    if (this.#socket !== undefined) this.#socket.destroy()
    else if (!this.#closed) this.#closeUnread()
    this.#closed = true
    this.isEnded = true
    this.#resolveEnded()
  }

  #closeUnread(): void {
    if ('fd' in this.#end) closeSync(this.#end.fd)
    else this.#end.socket.destroy()
  }

  #openRing(fd: number): Socket {
    // The declarations list `onread` for connections only; sockets over descriptors take it too.
    const options: SocketConstructorOpts & { onread: OnReadOpts } = {
      fd,
      readable: true,
      writable: false,
      onread: {
        buffer: () => this.#freeBuffer(),
        callback: (length) => this.#took(this.#filled().subarray(0, length)),
      },
    }
    return new Socket(options)
  }

  /** Node's own stream gives a fresh buffer for each chunk. */
  #listenTo(socket: Socket): Socket {
    socket.on('data', (chunk: Buffer) => {
      if (!this.#took(chunk)) socket.pause()
    })
    return socket
  }

  #freeBuffer(): Buffer {
    this.#current = this.#free.pop() ?? Buffer.allocUnsafeSlow(bufferBytes)
    return this.#current
  }

  #filled(): Buffer {
    return this.#current ?? this.#freeBuffer()
  }

  /** Whether reading goes on. */
  #took(chunk: Buffer): boolean {
    const buffer = this.#current
    this.chunks++
    const consumed = this.#consume(chunk)
    if (consumed === undefined) {
      if (buffer !== undefined) this.#free.push(buffer)
      return true
    }
    this.#pending++
    void consumed.then(() => this.#gaveBack(buffer))
    this.#held = this.#pending >= bufferCount - 1
    return !this.#held
  }

  #gaveBack(buffer: Buffer | undefined): void {
    this.#pending--
    if (buffer !== undefined) this.#free.push(buffer)
    if (this.#held) {
      this.#held = false
      this.#socket?.resume()
    }
    this.#finishIfDone()
  }

  #finishIfDone(): void {
    if (!this.#atEnd || this.#pending > 0 || this.isEnded) return
    this.isEnded = true
    this.#resolveEnded()
  }
}

/** Zero at the end; undefined while others hold the pipe and there is nothing in it. */
function readNow(fd: number, buffer: Buffer): number | undefined {
  try {
    return readSync(fd, buffer, 0, buffer.length, null)
  } catch {
    return undefined
  }
}
