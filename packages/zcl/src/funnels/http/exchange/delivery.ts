// The answer on its way to the client: records it, shows it to the observer, and writes it as it is, with
// the fault that it was held back for, or as a rewriter changes it.
import type { Framing } from '../body/body.ts'
import type { AnswerHead, RequestHead } from '../head/head.ts'
import type { AnswerSink } from './answer-reader.ts'
import { AnswerWriter } from './answer-writer.ts'
import type { AnswerRewriter, ClientSide, ExchangeContext } from './context.ts'
import type { HeldAnswer } from './held-answer.ts'
import type { ExchangeRecord } from './record.ts'

export interface DeliveryParts {
  request: RequestHead
  client: ClientSide
  context: ExchangeContext
  record: ExchangeRecord
  isUpgrade: boolean
  /** The answer as a fault changes it, or as a later one may repeat it. */
  held: HeldAnswer | undefined
}

export class Delivery implements AnswerSink {
  readonly #parts: DeliveryParts
  readonly #writer: AnswerWriter
  #rewriter: AnswerRewriter | undefined
  /** The head of the upstream's answer. */
  head: AnswerHead | undefined

  constructor(parts: DeliveryParts) {
    this.#parts = parts
    this.#writer = new AnswerWriter(parts.request, parts.client.socket)
  }

  get isTunnel(): boolean {
    return this.#parts.record.status === 101
  }

  /** Whether the observer sees the bytes; for an upgrade, only after the handshake. */
  get isObserved(): boolean {
    return this.isTunnel || !this.#parts.isUpgrade
  }

  get keepsClient(): boolean {
    return this.#writer.keepsClient
  }

  hint(head: AnswerHead): void {
    this.#writer.hint(head)
  }

  begin(head: AnswerHead, framing: Framing): void {
    const { record, client, isUpgrade, held, context } = this.#parts
    this.head = head
    record.startAnswer(head)
    const hasBody = framing.kind !== 'none'
    this.#rewriter = hasBody ? context.rewrite?.(head, (bytes) => this.#emit(bytes)) : undefined
    if (!hasBody) held?.hasNoBody()
    if (held?.changes === true) record.faults = context.faults
    const mayKeepClient = !client.isClosing && !isUpgrade
    if (this.isTunnel) {
      this.#writer.beginTunnel(head)
      client.becomeTunnel()
    } else if (this.#rewriter !== undefined) this.#writer.beginUnsized(head, mayKeepClient)
    else if (held?.changes !== true) this.#writer.begin(head, framing, mayKeepClient)
    if (this.isObserved) context.observer?.answer(head)
  }

  content(content: Buffer): void {
    const { held } = this.#parts
    held?.push(content)
    if (this.#rewriter !== undefined) this.#rewriter.push(content)
    else if (held?.changes !== true) {
      this.#see(content)
      this.#writer.content(content)
    }
  }

  raw(piece: Buffer): void {
    if (this.#rewriter === undefined && this.#parts.held?.changes !== true) this.#writer.raw(piece)
  }

  /** Writes the pending pieces; false when the socket's buffer is full. */
  flush(): boolean {
    return this.#writer.flush()
  }

  /** Sends an answer of the proxy itself. */
  answerLocally(status: number, text: string): void {
    const { record, client } = this.#parts
    record.status = status
    record.answer(this.#writer.localAnswer(status, text, !client.isClosing))
  }

  /** Completes the answer; calls `then` after all of it is written. */
  end(then: () => void): void {
    if (this.head !== undefined) this.#endHeld(this.head)
    this.drain(() => {
      this.#writer.end()
      this.#writer.flush()
      this.#writer.whenSent(then)
    })
  }

  /** Sends the part of an answer that has arrived. */
  cut(then: () => void): void {
    this.drain(() => {
      this.#writer.flush()
      this.#writer.whenSent(then)
    })
  }

  /** Calls `then` after the rewriter has emitted what it has; never when the client has left. */
  drain(then: () => void): void {
    const { socket } = this.#parts.client
    if (this.#rewriter === undefined) then()
    else this.#rewriter.end(() => (socket.destroyed ? undefined : then()))
  }

  #emit(bytes: Buffer): void {
    if (this.#parts.client.socket.destroyed) return
    this.#see(bytes)
    if (this.isTunnel) this.#writer.raw(bytes)
    else this.#writer.content(bytes)
    this.#writer.flush()
  }

  #see(content: Buffer): void {
    const { record, context } = this.#parts
    record.answer(content)
    if (this.isObserved) context.observer?.response(content)
  }

  /** Writes an answer that was held back for its fault. */
  #endHeld(head: AnswerHead): void {
    const { held, record, client } = this.#parts
    if (held === undefined) return
    const { status, body } = held.end(head.status)
    if (!held.changes) return
    record.status = status
    record.answer(body)
    this.#writer.replaced({ ...head, status }, body, !client.isClosing)
  }
}
