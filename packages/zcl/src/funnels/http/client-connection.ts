// The connection of one client: takes its requests one after the other, also when they come together,
// and refuses what is no request before any of it has gone further.
import type { Socket } from 'node:net'
import { BodyReader, requestFraming, type Framing } from './body/body.ts'
import type { ClientSide, Exchange } from './exchange/exchange.ts'
import { HeadReader, parseRequestHead, type RequestHead } from './head/head.ts'

export interface ConnectionOwner {
  /** No further requests are wanted. */
  readonly isClosing: boolean
  /** The exchange for one more request; undefined when there may be none. */
  begin(head: RequestHead, framing: Framing, client: ClientSide): Exchange | undefined
  left(connection: ClientConnection): void
}

/** So much of later requests is taken in while an earlier one is answered. */
const mostAhead = 64 * 1024
/** A client that was told to go gets so long to hear it. */
const lingerMs = 1000
const refusals = {
  400: 'Bad Request',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
} as const

export class ClientConnection implements ClientSide {
  readonly socket: Socket
  readonly #owner: ConnectionOwner
  readonly #head = new HeadReader()
  #exchange: Exchange | undefined
  #body: BodyReader | undefined
  /** What came behind the request that is being answered. */
  #ahead: Buffer[] = []
  #aheadBytes = 0
  #isTaking = false
  #isHeld = false
  #isLeaving = false

  constructor(socket: Socket, owner: ConnectionOwner) {
    this.socket = socket
    this.#owner = owner
    socket.on('data', (chunk: Buffer) => this.#take(chunk))
    socket.on('drain', () => this.#exchange?.clientDrained())
    socket.on('end', () => this.#ended())
    // What it means is told by the end of the connection.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#exchange?.clientGone()
      owner.left(this)
    })
  }

  get isClosing(): boolean {
    return this.#owner.isClosing
  }

  hold(): void {
    this.#isHeld = true
    this.socket.pause()
  }

  goOn(): void {
    this.#isHeld = false
    if (this.#aheadBytes <= mostAhead) this.socket.resume()
  }

  becomeTunnel(): void {
    const exchange = this.#exchange
    this.#body = new BodyReader({ kind: 'close' }, (content) => exchange?.sawRequest(content))
    this.#takeAhead()
  }

  done(keepsConnection: boolean): void {
    this.#exchange = undefined
    this.#body = undefined
    if (!keepsConnection) {
      this.leave()
      return
    }
    this.goOn()
    this.#takeAhead()
  }

  /** Says the last to the client, if there is anything, and goes. */
  leave(last = ''): void {
    if (this.#isLeaving || this.socket.destroyed) return
    this.#isLeaving = true
    this.#ahead = []
    this.socket.resume()
    this.socket.end(last, 'latin1')
    const timer = setTimeout(() => this.socket.destroy(), lingerMs).unref()
    this.socket.once('close', () => clearTimeout(timer))
  }

  #takeAhead(): void {
    if (this.#isTaking || this.#ahead.length === 0) return
    const [only] = this.#ahead
    const chunk = only?.length === this.#aheadBytes ? only : Buffer.concat(this.#ahead)
    this.#ahead = []
    this.#aheadBytes = 0
    this.#take(chunk)
    if (!this.#isHeld) this.goOn()
  }

  #take(chunk: Buffer): void {
    this.#isTaking = true
    let at = 0
    while (at < chunk.length && !this.#isLeaving) {
      if (this.#exchange === undefined) at = this.#readHead(chunk, at)
      else if (this.#body?.isWhole === false) at = this.#readBody(this.#exchange, chunk, at)
      else at = this.#keepForLater(chunk, at)
    }
    this.#isTaking = false
    this.#exchange?.flush()
  }

  #readHead(chunk: Buffer, at: number): number {
    const progress = this.#head.read(chunk, at)
    if (progress.kind === 'unfinished') return chunk.length
    if (progress.kind !== 'whole') return this.#refuse(progress.kind === 'too-large' ? 431 : 400)
    const head = parseRequestHead(progress.text)
    const framing = head && requestFraming(head)
    if (head === undefined || framing === undefined) return this.#refuse(400)
    if (head.method === 'CONNECT') return this.#refuse(501)
    const exchange = this.#owner.begin(head, framing, this)
    if (exchange === undefined) {
      this.#isLeaving = true
      this.socket.destroy()
      return chunk.length
    }
    this.#exchange = exchange
    this.#body = new BodyReader(framing, (content) => exchange.sawRequest(content))
    if (framing.kind === 'none') exchange.requestEnded()
    exchange.start()
    return progress.end
  }

  #readBody(exchange: Exchange, chunk: Buffer, at: number): number {
    const body = this.#body
    const end = body?.read(chunk, at) ?? chunk.length
    if (body?.isMalformed === true) return this.#refuse(400)
    exchange.fromClient(chunk.subarray(at, end))
    if (body?.isWhole === true) exchange.requestEnded()
    return end
  }

  #keepForLater(chunk: Buffer, at: number): number {
    this.#ahead.push(chunk.subarray(at))
    this.#aheadBytes += chunk.length - at
    if (this.#aheadBytes > mostAhead) this.socket.pause()
    return chunk.length
  }

  /** Whatever follows cannot be understood either. */
  #refuse(status: keyof typeof refusals): number {
    const mayTell = this.#exchange?.refuse() ?? true
    this.#exchange = undefined
    if (mayTell) this.leave(`HTTP/1.1 ${status} ${refusals[status]}\r\nConnection: close\r\n\r\n`)
    else this.socket.destroy()
    this.#isLeaving = true
    return Infinity
  }

  #ended(): void {
    if (this.#exchange === undefined) this.socket.destroy()
    else this.#exchange.clientEnded()
  }
}
