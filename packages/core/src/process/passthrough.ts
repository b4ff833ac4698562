// Writes a child's output to a descriptor of ours, byte for byte, without ever blocking the event
// loop on a slow reader: what the descriptor takes at once is written at once, the rest waits.
import { closeSync, constants, fstatSync, openSync, writeSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { errnoOf } from '../errors/errors.ts'

export interface Passthrough {
  /** Undefined when all is written; otherwise the chunk must stay as it is until it resolves. */
  write(chunk: Uint8Array): Promise<void> | undefined
  /** Why nothing more can be written: the system's error name; `EPIPE` when the reader is gone. */
  readonly failure: string | undefined
  /** Gives up what is still waiting. Our own stdout and stderr stay open. */
  close(): void
}

/** Our stdout (1) or stderr (2) as a target. */
export function openPassthrough(fd: 1 | 2): Passthrough {
  const stats = fstatSync(fd)
  if (stats.isFile()) return new DescriptorWriter(fd, false)
  if (stats.isCharacterDevice()) {
    // A stopped terminal must not stop us, and it cannot be polled through Node's sockets.
    const own = reopened(fd)
    return own === undefined ? new DescriptorWriter(fd, false) : new DescriptorWriter(own, true)
  }
  if (stats.isFIFO()) {
    const own = reopened(fd)
    if (own !== undefined) return new PipeWriter(own)
  }
  return new StreamWriter(fd === 1 ? process.stdout : process.stderr)
}

/**
 * A description of our own for the same pipe or terminal, so that making it non-blocking changes
 * nothing for others that write there. Undefined where the system refuses (a socket, no /proc).
 */
function reopened(fd: number): number | undefined {
  const { O_WRONLY, O_NONBLOCK, O_NOCTTY } = constants
  try {
    return openSync(`/proc/self/fd/${fd}`, O_WRONLY | O_NONBLOCK | O_NOCTTY)
  } catch {
    return undefined
  }
}

/** A non-blocking pipe that this object owns; the event loop is only asked when it is full. */
export class PipeWriter implements Passthrough {
  failure: string | undefined
  readonly #fd: number
  #socket: Socket | undefined
  #waiting = 0

  constructor(fd: number) {
    this.#fd = fd
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.failure !== undefined) return undefined
    let rest = chunk
    if (this.#waiting === 0) {
      rest = chunk.subarray(this.#writeNow(chunk))
      if (rest.length === 0 || this.failure !== undefined) return undefined
    }
    this.#waiting++
    return new Promise((resolve) => {
      this.#polled().write(rest, (error) => {
        this.#waiting--
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

  #polled(): Socket {
    if (this.#socket !== undefined) return this.#socket
    this.#socket = new Socket({ fd: this.#fd, readable: false, writable: true })
    // The callback of the write has told already.
    this.#socket.on('error', () => {})
    return this.#socket
  }
}

/** A file, a device or a terminal: what takes nothing now is asked again a little later. */
class DescriptorWriter implements Passthrough {
  failure: string | undefined
  readonly #fd: number
  readonly #owned: boolean
  #last: Promise<void> | undefined

  constructor(fd: number, owned: boolean) {
    this.#fd = fd
    this.#owned = owned
  }

  write(chunk: Uint8Array): Promise<void> | undefined {
    if (this.#last !== undefined) return this.#queue(this.#last, chunk)
    const rest = this.#writeNow(chunk)
    return rest.length === 0 ? undefined : this.#queue(Promise.resolve(), rest)
  }

  close(): void {
    this.failure ??= 'EPIPE'
    if (this.#owned) closeSync(this.#fd)
  }

  #queue(before: Promise<void>, chunk: Uint8Array): Promise<void> {
    const done = before.then(async () => {
      let rest = this.#writeNow(chunk)
      while (rest.length > 0) {
        await new Promise((resolve) => setTimeout(resolve, retryMs))
        rest = this.#writeNow(rest)
      }
      if (this.#last === done) this.#last = undefined
    })
    this.#last = done
    return done
  }

  /** What could not be written yet; nothing once the target failed. */
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
    return this.failure === undefined ? rest : nothing
  }
}

const nothing = new Uint8Array(0)
const retryMs = 10

/** A socket, which cannot be opened a second time: Node's own stream for it. */
class StreamWriter implements Passthrough {
  failure: string | undefined
  readonly #stream: Writable

  constructor(stream: Writable) {
    this.#stream = stream
    if (!watched.has(stream)) stream.on('error', () => {})
    watched.add(stream)
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

// Streams that already have a listener, which they need so that EPIPE does not end the program.
const watched = new WeakSet<Writable>()
