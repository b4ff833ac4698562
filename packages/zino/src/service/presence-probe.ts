// Asks the kernel by empty writes whether the other side of a connection still exists: nothing else
// tells a caller that closed its writing side and waits from one that is gone.
import type { Socket } from 'node:net'

const intervalMs = 200
const emptyBuffer = Buffer.alloc(0)

export class PresenceProbe {
  readonly #socket: Socket
  #timer: NodeJS.Timeout | undefined

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** A peer that is gone makes the socket fail, and with that close. */
  start(): void {
    if (this.#timer !== undefined) return
    this.#timer = setInterval(this.#probe, intervalMs)
    setImmediate(this.#probe)
  }

  stop(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  readonly #probe = (): void => {
    // Waiting bytes make the kernel report a closed peer by themselves.
    if (this.#socket.writableLength === 0) this.#socket.write(emptyBuffer)
  }
}
