// A pool of keep-alive connections to the upstream.
import { connect, isIP, type Socket } from 'node:net'
import { connect as secureConnect } from 'node:tls'
import type { Clock } from '@zee/core/clock'
import type { Upstream } from '../funnels.ts'

/** Receives the events of a link. A link without a user is closed on any event. */
export interface LinkUser {
  fromUpstream(chunk: Buffer): void
  upstreamDrained(): void
  /** The upstream has ended its side. */
  upstreamEnded(): void
  upstreamLost(error: Error | undefined): void
}

export interface UpstreamLink {
  readonly socket: Socket
  user: LinkUser | undefined
  /** Whether it carried a request before, so that the upstream may be about to close it. */
  wasUsedBefore: boolean
  expiresAtMs: number
}

const maxIdleLinks = 256
/** A link is closed this long before the upstream's announced timeout. */
const expiryMarginMs = 1000
const socketBufferBytes = 64 * 1024

export class UpstreamPool {
  readonly #upstream: Upstream
  readonly #clock: Clock
  /** The most recently used link is reused first: it is the least likely to be stale. */
  #idle: UpstreamLink[] = []
  #isClosed = false

  constructor(upstream: Upstream, clock: Clock) {
    this.#upstream = upstream
    this.#clock = clock
  }

  acquire(user: LinkUser, { isFresh = false } = {}): UpstreamLink {
    for (let link = isFresh ? undefined : this.#idle.pop(); link; link = this.#idle.pop()) {
      if (link.expiresAtMs > this.#clock.monotonicMs()) {
        link.user = user
        return link
      }
      link.socket.destroy()
    }
    return this.#open(user)
  }

  /** Returns a link to the pool; `keepAliveMs` is the timeout that the upstream announced. */
  release(link: UpstreamLink, keepAliveMs = Infinity): void {
    link.user = undefined
    if (this.#isClosed || this.#idle.length >= maxIdleLinks || !link.socket.writable) {
      link.socket.destroy()
      return
    }
    link.wasUsedBefore = true
    link.expiresAtMs = this.#clock.monotonicMs() + keepAliveMs - expiryMarginMs
    this.#idle.push(link)
    link.socket.resume()
  }

  close(): void {
    this.#isClosed = true
    for (const { socket } of this.#idle.splice(0)) socket.destroy()
  }

  #open(user: LinkUser): UpstreamLink {
    const socket = this.#connect()
    const link: UpstreamLink = { socket, user, wasUsedBefore: false, expiresAtMs: Infinity }
    let failure: Error | undefined
    socket.on('data', (chunk: Buffer) => {
      if (link.user === undefined) this.#drop(link)
      else link.user.fromUpstream(chunk)
    })
    socket.on('drain', () => link.user?.upstreamDrained())
    socket.on('end', () => {
      if (link.user === undefined) this.#drop(link)
      else link.user.upstreamEnded()
    })
    socket.on('error', (error) => {
      failure = error
    })
    socket.on('close', () => {
      if (link.user === undefined) this.#drop(link)
      else link.user.upstreamLost(failure)
    })
    return link
  }

  #connect(): Socket {
    const { isSecure, hostname: host, port } = this.#upstream
    const options = {
      host,
      port,
      allowHalfOpen: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: 1000,
      highWaterMark: socketBufferBytes,
    }
    if (!isSecure) return connect(options)
    const servername = isIP(host) === 0 ? host : ''
    return secureConnect({ ...options, servername, ALPNProtocols: ['http/1.1'] })
  }

  #drop(link: UpstreamLink): void {
    link.socket.destroy()
    const at = this.#idle.indexOf(link)
    if (at >= 0) this.#idle.splice(at, 1)
  }
}
