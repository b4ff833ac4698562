// The connection of one client. Handles requests one at a time, buffers pipelined ones, and refuses
// malformed requests before any byte reaches the upstream.
import type { Socket } from 'node:net'
import { BodyReader, requestFraming, type Framing } from './body/body.ts'
import type { ClientSide, Exchange } from './exchange/exchange.ts'
import { HeadReader, parseRequestHead, type RequestHead } from './head/head.ts'

export interface ConnectionOwner {
  /** Whether the proxy accepts no further requests. */
  readonly isClosing: boolean
  /** The exchange for a request; undefined when the limit of requests is reached. */
  begin(head: RequestHead, framing: Framing, client: ClientSide): Exchange | undefined
  /** The TLS side of a tunnel to the upstream; a status if the tunnel is refused. */
  openTunnel(head: RequestHead, socket: Socket): (() => Socket) | 421 | 501
  /** Serves the requests inside a tunnel. */
  serveTunnel(socket: Socket): void
  connectionClosed(connection: ClientConnection): void
}

/** Maximum bytes of pipelined requests to buffer while an earlier request is answered. */
const maxPipelinedBytes = 64 * 1024
/** Time for the client to read the final answer before its socket is destroyed. */
const lingerMs = 1000
const refusals = {
  400: 'Bad Request',
  421: 'Misdirected Request',
  431: 'Request Header Fields Too Large',
  501: 'Not Implemented',
} as const

export class ClientConnection implements ClientSide {
  readonly socket: Socket
  readonly #owner: ConnectionOwner
  readonly #head = new HeadReader()
  #exchange: Exchange | undefined
  #body: BodyReader | undefined
  /** Bytes that follow the current request. */
  #pipelined: Buffer[] = []
  #pipelinedBytes = 0
  #isReceiving = false
  #isPaused = false
  #isClosingDown = false

  readonly isTunnelled: boolean

  constructor(socket: Socket, owner: ConnectionOwner, isTunnelled = false) {
    this.socket = socket
    this.#owner = owner
    this.isTunnelled = isTunnelled
    socket.on('data', (chunk: Buffer) => this.#receive(chunk))
    socket.on('drain', () => this.#exchange?.clientDrained())
    socket.on('end', () => this.#ended())
    // The 'close' event handles errors.
    socket.on('error', () => {})
    socket.on('close', () => {
      this.#exchange?.clientGone()
      owner.connectionClosed(this)
    })
  }

  get isClosing(): boolean {
    return this.#owner.isClosing
  }

  pauseReading(): void {
    this.#isPaused = true
    this.socket.pause()
  }

  resumeReading(): void {
    this.#isPaused = false
    if (this.#pipelinedBytes <= maxPipelinedBytes) this.socket.resume()
  }

  becomeTunnel(): void {
    const exchange = this.#exchange
    this.#body = new BodyReader({ kind: 'close' }, (content) => exchange?.sawRequest(content))
    this.#receivePipelined()
  }

  done(keepsConnection: boolean): void {
    this.#exchange = undefined
    this.#body = undefined
    if (!keepsConnection) {
      this.close()
      return
    }
    this.resumeReading()
    this.#receivePipelined()
  }

  /** Sends `last`, then closes the connection. */
  close(last = ''): void {
    if (this.#isClosingDown || this.socket.destroyed) return
    this.#isClosingDown = true
    this.#pipelined = []
    this.socket.resume()
    this.socket.end(last, 'latin1')
    const timer = setTimeout(() => this.socket.destroy(), lingerMs).unref()
    this.socket.once('close', () => clearTimeout(timer))
  }

  #receivePipelined(): void {
    if (this.#isReceiving || this.#pipelined.length === 0) return
    const [only] = this.#pipelined
    const chunk = only?.length === this.#pipelinedBytes ? only : Buffer.concat(this.#pipelined)
    this.#pipelined = []
    this.#pipelinedBytes = 0
    this.#receive(chunk)
    if (!this.#isPaused) this.resumeReading()
  }

  #receive(chunk: Buffer): void {
    this.#isReceiving = true
    let at = 0
    while (at < chunk.length && !this.#isClosingDown) {
      if (this.#exchange === undefined) at = this.#readHead(chunk, at)
      else if (this.#body?.isComplete === false) at = this.#readBody(this.#exchange, chunk, at)
      else at = this.#queuePipelined(chunk, at)
    }
    this.#isReceiving = false
    this.#exchange?.flush()
  }

  #readHead(chunk: Buffer, at: number): number {
    const progress = this.#head.read(chunk, at)
    if (progress.kind === 'unfinished') return chunk.length
    if (progress.kind !== 'complete') return this.#refuse(progress.kind === 'too-large' ? 431 : 400)
    const head = parseRequestHead(progress.text)
    const framing = head && requestFraming(head)
    if (head === undefined || framing === undefined) return this.#refuse(400)
    if (head.method === 'CONNECT') return this.#tunnel(head, chunk.subarray(progress.end))
    const exchange = this.#owner.begin(head, framing, this)
    if (exchange === undefined) {
      this.#isClosingDown = true
      this.socket.destroy()
      return chunk.length
    }
    this.#exchange = exchange
    this.#body = new BodyReader(framing, (content) => exchange.sawRequest(content))
    if (framing.kind === 'none') exchange.requestEnded()
    exchange.start()
    return progress.end
  }

  /** Hands the connection over to TLS; `early` are bytes that the client sent ahead. */
  #tunnel(head: RequestHead, early: Buffer): number {
    const accept = this.isTunnelled ? 501 : this.#owner.openTunnel(head, this.socket)
    if (typeof accept === 'number') return this.#refuse(accept)
    this.#isClosingDown = true
    const { socket } = this
    socket.removeAllListeners()
    socket.on('error', () => {})
    socket.pause()
    if (early.length > 0) socket.unshift(early)
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
    this.#owner.connectionClosed(this)
    this.#owner.serveTunnel(accept())
    return Infinity
  }

  #readBody(exchange: Exchange, chunk: Buffer, at: number): number {
    const body = this.#body
    const end = body?.read(chunk, at) ?? chunk.length
    if (body?.isMalformed === true) return this.#refuse(400)
    exchange.fromClient(chunk.subarray(at, end))
    if (body?.isComplete === true) exchange.requestEnded()
    return end
  }

  #queuePipelined(chunk: Buffer, at: number): number {
    this.#pipelined.push(chunk.subarray(at))
    this.#pipelinedBytes += chunk.length - at
    if (this.#pipelinedBytes > maxPipelinedBytes) this.socket.pause()
    return chunk.length
  }

  /** Answers with an error where still possible and closes: the bytes that follow have no known framing. */
  #refuse(status: keyof typeof refusals): number {
    const canRespond = this.#exchange?.refuse() ?? true
    this.#exchange = undefined
    if (canRespond)
      this.close(`HTTP/1.1 ${status} ${refusals[status]}\r\nConnection: close\r\n\r\n`)
    else this.socket.destroy()
    this.#isClosingDown = true
    return Infinity
  }

  #ended(): void {
    if (this.#exchange === undefined) this.socket.destroy()
    else this.#exchange.clientEnded()
  }
}
