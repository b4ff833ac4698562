// Writes one answer to a client: a head of the proxy, then the upstream's bytes. Pieces that arrive
// together are written together.
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
 * How the body is written. An HTTP/1.0 client gets the content of chunks, ended by closing the connection.
 * An HTTP/1.1 client gets chunks for a close-delimited body, so that it can detect truncation.
 */
type Form = 'raw' | 'content' | 'chunked'

export class AnswerWriter {
  readonly #request: RequestHead
  readonly #socket: Socket
  #form: Form = 'raw'
  #head = ''
  #pieces: Buffer[] = []
  /** Whether the connection stays open for another request. */
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

  /** Writes the head of an upgrade unchanged; raw bytes follow in both directions. */
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

  /** Completes the body. */
  end(): void {
    if (this.#form === 'chunked') this.#pieces.push(lastChunk)
  }

  /** Writes the upstream's head for a body whose size is not known yet. */
  beginUnsized(head: AnswerHead, mayKeepClient: boolean): void {
    const headers = withoutFraming(head.headers)
    this.begin({ ...head, headers }, { kind: 'close' }, mayKeepClient)
    if (this.#form === 'raw') this.#form = 'content'
  }

  /** Writes the upstream's head with another body. */
  replaced(head: AnswerHead, body: Buffer, mayKeepClient: boolean): void {
    const headers = [...withoutFraming(head.headers), 'Content-Length', `${body.length}`]
    this.begin({ ...head, headers }, { kind: 'length', bytes: body.length }, mayKeepClient)
    this.#pieces.push(body)
  }

  /** Writes an answer of the proxy itself and returns its body. */
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

  /** Writes the pending pieces; false when the socket's buffer is full. */
  flush(): boolean {
    if (this.#head === '' && this.#pieces.length === 0) return true
    const hasRoom = writeTogether(this.#socket, this.#head, this.#pieces)
    this.#head = ''
    this.#pieces = []
    return hasRoom
  }

  /** Calls `then` after everything is written to the system; never when the client has left. */
  whenSent(then: () => void): void {
    if (this.#socket.writableLength === 0) then()
    else this.#socket.write(nothing, (error) => (error ? undefined : then()))
  }

  #connection(mayKeepClient: boolean): [string, string] {
    this.keepsClient = mayKeepClient && keepsConnection(this.#request)
    return ['Connection', this.keepsClient ? 'keep-alive' : 'close']
  }
}

/** The headers without those that delimit the body. */
function withoutFraming(headers: readonly string[]): string[] {
  const kept: string[] = []
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? ''
    if (/^(?:content-length|transfer-encoding|trailer)$/i.test(name)) continue
    kept.push(name, headers[at + 1] ?? '')
  }
  return kept
}
