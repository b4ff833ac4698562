// Writes one answer to a client: the upstream's own bytes behind a head of ours. Everything that came
// together leaves together.
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { isBodiless, type Framing } from '../body/body.ts'
import { responseHeaders } from '../headers.ts'
import { headText, keepsConnection, type AnswerHead, type RequestHead } from '../head/head.ts'
import { writeTogether } from './write-together.ts'

const nothing = Buffer.alloc(0)
const lineEnd = Buffer.from('\r\n')
const lastChunk = Buffer.from('0\r\n\r\n')

/**
 * A client of old does not know chunks and gets what is in them, up to the end of its connection. One of
 * today gets chunks in place of such an end: it can tell then whether it has heard all.
 */
type Form = 'raw' | 'content' | 'chunked'

export class AnswerWriter {
  readonly #request: RequestHead
  readonly #socket: Socket
  #form: Form = 'raw'
  #head = ''
  #pieces: Buffer[] = []
  /** The client may ask for more behind this answer. */
  keepsClient = false

  constructor(request: RequestHead, socket: Socket) {
    this.#request = request
    this.#socket = socket
  }

  hint({ status, reason, headers }: AnswerHead): void {
    if (this.#request.isHttp10) return
    this.#head += headText(`HTTP/1.1 ${status} ${reason}`, responseHeaders(headers))
  }

  begin({ status, reason, headers }: AnswerHead, framing: Framing, mayKeepClient: boolean): void {
    const { isHttp10 } = this.#request
    const isChunked = framing.kind === 'chunked' || (framing.kind === 'close' && !isHttp10)
    if (isChunked && isHttp10) this.#form = 'content'
    else if (framing.kind === 'close' && !isHttp10) this.#form = 'chunked'
    const isDelimited = !isHttp10 || framing.kind === 'length' || framing.kind === 'none'
    const own = responseHeaders(headers)
    if (isChunked && !isHttp10) own.push('Transfer-Encoding', 'chunked')
    own.push(...this.#connection(mayKeepClient && isDelimited))
    this.#head += headText(`HTTP/1.1 ${status} ${reason}`, own)
  }

  /** The head passes as it is: after it both sides are just bytes. */
  beginTunnel({ status, reason, headers }: AnswerHead): void {
    this.#head += headText(`HTTP/1.1 ${status} ${reason}`, headers)
  }

  raw(piece: Buffer): void {
    if (this.#form === 'raw') this.#pieces.push(piece)
  }

  content(content: Buffer): void {
    if (this.#form === 'content') this.#pieces.push(content)
    else if (this.#form === 'chunked') {
      this.#pieces.push(Buffer.from(`${content.length.toString(16)}\r\n`), content, lineEnd)
    }
  }

  /** Nothing more comes, and that is as it should be. */
  end(): void {
    if (this.#form === 'chunked') this.#pieces.push(lastChunk)
  }

  /** An answer that no upstream gave; its body. */
  localAnswer(status: number, text: string, mayKeepClient: boolean): Buffer {
    const isEmpty = isBodiless(this.#request.method, status)
    const body = isEmpty ? nothing : Buffer.from(text)
    const contentHeaders = [
      'Content-Type',
      'text/plain; charset=utf-8',
      'Content-Length',
      `${body.length}`,
    ]
    const headers = [...(isEmpty ? [] : contentHeaders), ...this.#connection(mayKeepClient)]
    this.#head += headText(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, headers)
    this.#pieces.push(body)
    return body
  }

  /** False when the client has enough for now. */
  flush(): boolean {
    if (this.#head === '' && this.#pieces.length === 0) return true
    const hasRoom = writeTogether(this.#socket, this.#head, this.#pieces)
    this.#head = ''
    this.#pieces = []
    return hasRoom
  }

  /** When the system has taken all that was written; never for a client that left. */
  whenSent(then: () => void): void {
    if (this.#socket.writableLength === 0) then()
    else this.#socket.write(nothing, (error) => (error ? undefined : then()))
  }

  #connection(mayKeepClient: boolean): [string, string] {
    this.keepsClient = mayKeepClient && keepsConnection(this.#request)
    return ['Connection', this.keepsClient ? 'keep-alive' : 'close']
  }
}
