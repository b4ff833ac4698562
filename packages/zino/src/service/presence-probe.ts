// Detects a disconnected peer by zero-length writes: on Linux they fail with EPIPE once the peer has
// closed, and do nothing after a mere half-close. Node reports no other difference between the two.
import type { Socket } from 'node:net'

const intervalMs = 200
const emptyBuffer = Buffer.alloc(0)

export class PresenceProbe {
  readonly #socket: Socket
  #timer: NodeJS.Timeout | undefined

  constructor(socket: Socket) {
    this.#socket = socket
  }

  /** Starts probing; a disconnected peer makes the socket fail and close. */
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
    // Pending bytes make the kernel report a closed peer without a probe.
    if (this.#socket.writableLength === 0) this.#socket.write(emptyBuffer)
  }
}
