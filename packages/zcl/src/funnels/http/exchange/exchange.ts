// One request and its answer, streamed between a client and the upstream and counted on the way. Bytes
// leave in the pieces in which they came; a head leaves together with what came right behind it.
import { errnoOf } from '@zee/core/errors'
import { AnswerReader, type AnswerSink } from './answer-reader.ts'
import { AnswerWriter } from './answer-writer.ts'
import type { Framing } from '../body/body.ts'
import type { ClientSide, ExchangeContext } from './context.ts'
import { ExchangeRecord } from './record.ts'
import { headerValues, requestHeaders, upgradeHeaders } from '../headers.ts'
import { asksForUpgrade, headText, keepsConnection } from '../head/head.ts'
import type { AnswerHead, RequestHead } from '../head/head.ts'
import { upstreamPath } from '../../funnels.ts'
import type { LinkUser, UpstreamLink } from '../upstream-pool.ts'
import { writeTogether } from './write-together.ts'

export type { ClientSide, ExchangeContext, ExchangeGate, ExchangeObserver } from './context.ts'

/** While a request waits for its turn, so much of its body is taken in. */
const mostWaiting = 64 * 1024
/** A request that has to be seen whole may have so much. */
const mostGathered = 256 * 1024 * 1024

/** What may be asked twice when the first time was lost. */
const idempotent: ReadonlySet<string> = new Set('GET HEAD OPTIONS TRACE PUT DELETE'.split(' '))

export class Exchange implements LinkUser, AnswerSink {
  readonly #context: ExchangeContext
  readonly #request: RequestHead
  readonly #framing: Framing
  readonly #client: ClientSide
  readonly #path: string
  readonly #isUpgrade: boolean
  readonly #record: ExchangeRecord
  readonly #reader: AnswerReader
  readonly #writer: AnswerWriter
  #link: UpstreamLink | undefined
  #isAsked = false
  #isRetried = false
  #isRequestWhole = false
  #unsentHead = ''
  #unsent: Buffer[] = []
  /** The body so far, when all of it has to be seen first. */
  #gathered: Buffer[] | undefined
  #answer: AnswerHead | undefined
  #isAnswered = false
  #latency: NodeJS.Timeout | undefined
  #isOver = false

  constructor(
    request: RequestHead,
    framing: Framing,
    client: ClientSide,
    context: ExchangeContext,
  ) {
    this.#context = context
    this.#request = request
    this.#framing = framing
    this.#client = client
    this.#path = upstreamPath(context.upstream, request.target)
    this.#isUpgrade = asksForUpgrade(request)
    this.#reader = new AnswerReader({ method: request.method, mayUpgrade: this.#isUpgrade }, this)
    this.#writer = new AnswerWriter(request, client.socket)
    const url = context.upstream.origin + this.#path
    const { method } = request
    const { faults, clock } = context
    this.#record = new ExchangeRecord({ method, url, isUpgrade: this.#isUpgrade, faults }, clock)
  }

  start(): void {
    if (this.#context.gate !== undefined && this.#framing.kind !== 'none' && !this.#isUpgrade) {
      this.#gathered = []
      return
    }
    const { faults } = this.#context
    const ms = faults.reduce((sum, fault) => sum + (fault.kind === 'latency' ? fault.ms : 0), 0)
    if (ms === 0) {
      this.#proceed()
      return
    }
    this.#latency = setTimeout(() => {
      this.#proceed()
      this.flush()
      this.#client.goOn()
    }, ms)
  }

  /** Bytes of the request as they came; they leave with `flush`. */
  fromClient(raw: Buffer): void {
    if (this.#isAsked && this.#link === undefined) return
    const { gate } = this.#context
    if (!this.#isTunnel || gate === undefined) this.#unsent.push(raw)
    else gate.tunnel(raw, (bytes) => this.#forward(bytes))
  }

  /** What of those bytes is the body. */
  sawRequest(content: Buffer): void {
    this.#record.requestBytes += content.length
    if (this.#gathered !== undefined) this.#gather(this.#gathered, content)
    else if (this.#isObserved) this.#context.observer?.request(content)
  }

  requestEnded(): void {
    this.#isRequestWhole = true
    if (this.#gathered === undefined) this.#context.observer?.requestEnded()
    else this.#passGate(this.#gathered)
    if (this.#isAnswered) this.#settle()
  }

  /** Sends on what has come; called when there is no more at hand. */
  flush(): void {
    if (this.#link === undefined) {
      const waiting = this.#unsent.reduce((sum, piece) => sum + piece.length, 0)
      if (waiting > mostWaiting && this.#gathered === undefined) this.#client.hold()
      return
    }
    if (this.#unsentHead === '' && this.#unsent.length === 0) return
    const hasRoom = writeTogether(this.#link.socket, this.#unsentHead, this.#unsent)
    this.#unsentHead = ''
    this.#unsent = []
    if (!hasRoom) this.#client.hold()
  }

  clientDrained(): void {
    this.#link?.socket.resume()
  }

  /** The client says no more: in a tunnel that is told, otherwise it means that nobody waits. */
  clientEnded(): void {
    if (this.#isTunnel) this.#link?.socket.end()
    else if (!this.#isAnswered) this.abandon('HTTP_CLIENT_ABORTED')
  }

  clientGone(): void {
    if (!this.#isTunnel) this.abandon('HTTP_CLIENT_ABORTED')
    this.#letGo()
    this.#end()
  }

  /** The request turned out to be none; whether the client may still be told so. */
  refuse(): boolean {
    const isSilent = this.#record.status === undefined
    if (!this.#isOver) this.#record.failure = { code: 'HTTP_CLIENT_ABORTED' }
    this.#letGo()
    this.#end()
    return isSilent
  }

  /** Gives up: both sides are cut off. */
  abandon(code: string): void {
    if (this.#isOver) return
    this.#record.failure ??= { code }
    this.#letGo()
    this.#client.socket.destroy()
    this.#end()
  }

  get #isTunnel(): boolean {
    return this.#record.status === 101
  }

  /** Of an upgraded connection only what comes after the handshake is of interest. */
  get #isObserved(): boolean {
    return this.#isTunnel || !this.#isUpgrade
  }

  #gather(gathered: Buffer[], content: Buffer): void {
    gathered.push(content)
    if (this.#record.requestBytes <= mostGathered) return
    this.#gathered = undefined
    this.#answerOurselves(413, 'the message is too large to be looked at\n')
  }

  #passGate(gathered: Buffer[]): void {
    const { gate, observer } = this.#context
    const body = Buffer.concat(gathered)
    this.#gathered = []
    gate?.request(body, () => {
      if (this.#isOver) return
      this.#gathered = undefined
      observer?.request(body)
      observer?.requestEnded()
      this.#ask()
      this.flush()
    })
  }

  /** Something that a client said in a tunnel and that had to wait may go. */
  #forward(bytes: Buffer): void {
    if (this.#link === undefined) return
    this.#unsent.push(bytes)
    this.flush()
  }

  #proceed(): void {
    const cut = this.#context.faults.find(({ kind }) => kind !== 'latency')
    if (cut?.kind === 'reset') {
      this.#record.failure = { code: 'HTTP_PROXY_ERROR' }
      this.#client.socket.resetAndDestroy()
      this.#end()
    } else if (cut?.kind === 'status') {
      this.#answerOurselves(cut.status, 'injected by zcl\n')
    } else this.#ask()
  }

  #ask(isFresh = false): void {
    const { upstream, pool, withheld } = this.#context
    const { method, headers } = this.#request
    const target = { method, host: upstream.host, auth: upstream.auth }
    const fields = this.#isUpgrade
      ? upgradeHeaders(headers, target, withheld)
      : requestHeaders(headers, target, withheld)
    if (!this.#isUpgrade) fields.push('Connection', 'keep-alive')
    this.#isAsked = true
    this.#unsentHead = headText(`${method} ${this.#path} HTTP/1.1`, fields)
    this.#link = pool.take(this, { isFresh: isFresh || this.#isUpgrade })
  }

  upstreamDrained(): void {
    this.#client.goOn()
  }

  fromUpstream(chunk: Buffer): void {
    // Who says more than was asked for cannot be trusted with another request.
    if (this.#isAnswered) this.#letGo()
    if (this.#link === undefined) return
    const taken = this.#reader.read(chunk)
    if (this.#reader.isMalformed) this.#misunderstood()
    else if (this.#reader.isWhole) this.#answered(taken === chunk.length)
    else if (!this.#writer.flush()) this.#link.socket.pause()
  }

  hint(head: AnswerHead): void {
    this.#writer.hint(head)
  }

  begin(head: AnswerHead, framing: Framing): void {
    this.#answer = head
    this.#record.answerBegins(head)
    if (this.#isTunnel) {
      this.#writer.beginTunnel(head)
      this.#client.becomeTunnel()
    } else {
      this.#writer.begin(head, framing, !this.#client.isClosing && !this.#isUpgrade)
    }
    if (this.#isObserved) this.#context.observer?.answer(head)
  }

  content(content: Buffer): void {
    this.#record.answer(content)
    this.#writer.content(content)
    if (this.#isObserved) this.#context.observer?.response(content)
  }

  raw(piece: Buffer): void {
    this.#writer.raw(piece)
  }

  upstreamEnded(): void {
    if (this.#isAnswered) this.#letGo()
    else if (this.#isTunnel) this.#client.socket.end()
    else if (this.#reader.endsWithConnection) this.#answered(false)
    else this.#link?.socket.destroy()
  }

  upstreamLost(error: Error | undefined): void {
    const link = this.#link
    this.#link = undefined
    this.#client.goOn()
    if (this.#isOver || this.#isAnswered) return
    if (this.#isTunnel) {
      this.#client.socket.destroy()
      this.#end()
    } else if (this.#reader.hasBegun) this.#brokeOff(errnoOf(error))
    else if (link !== undefined && this.#mayAskAgain(link)) {
      this.#isRetried = true
      this.#ask(true)
      this.flush()
    } else this.#unreachable(errnoOf(error) ?? error?.message.slice(0, 200) ?? 'ECONNRESET')
  }

  /** A kept connection may have been closed by the other side just when it was used again. */
  #mayAskAgain(link: UpstreamLink): boolean {
    if (!link.isKept || this.#isRetried || !this.#reader.isSilent) return false
    return this.#framing.kind === 'none' && idempotent.has(this.#request.method)
  }

  /** What the upstream says is no HTTP, or could mean more than one thing. */
  #misunderstood(): void {
    if (this.#reader.hasBegun) this.#brokeOff('EPROTO')
    else this.#unreachable('EPROTO')
  }

  #unreachable(error: string): void {
    this.#letGo()
    this.#record.failure = { code: 'HTTP_PROXY_ERROR', error }
    this.#answerOurselves(502, 'the upstream cannot be reached\n')
  }

  /** The upstream did not come to its end, and the client has to see that. */
  #brokeOff(error = 'ECONNRESET'): void {
    this.#letGo()
    this.#record.failure = { code: 'HTTP_PROXY_ERROR', error }
    this.#writer.flush()
    this.#writer.whenSent(() => {
      const { socket } = this.#client
      // Where the end of the connection is that of the answer, only a reset says otherwise.
      if (this.#request.isOld) socket.resetAndDestroy()
      else socket.destroy()
      this.#end()
    })
  }

  /** An answer that no upstream gave. */
  #answerOurselves(status: number, text: string): void {
    this.#isAsked = true
    this.#unsent = []
    this.#record.status = status
    this.#record.answer(this.#writer.ownAnswer(status, text, !this.#client.isClosing))
    this.#client.goOn()
    this.#answered(false)
  }

  /** The answer is whole; `isClean` when nothing came behind it. */
  #answered(isClean: boolean): void {
    this.#isAnswered = true
    const answer = this.#answer
    if (!isClean || answer === undefined || !keepsConnection(answer) || this.#isUpgrade) {
      this.#letGo()
    }
    this.#writer.end()
    this.#writer.flush()
    this.#writer.whenSent(() => {
      this.#end()
      if (this.#isRequestWhole || !this.#writer.keepsClient) this.#settle()
    })
  }

  /** Both messages are over, or nothing more is wanted of the request. */
  #settle(): void {
    const link = this.#link
    if (link !== undefined && this.#isRequestWhole) {
      this.#link = undefined
      this.#context.pool.give(link, keptMs(this.#answer))
    }
    this.#letGo()
    if (this.#isOver) this.#client.done(this.#writer.keepsClient)
  }

  #letGo(): void {
    const link = this.#link
    if (link === undefined) return
    this.#link = undefined
    link.user = undefined
    link.socket.destroy()
    // The rest of the request is read, if only to be forgotten.
    this.#client.goOn()
  }

  #end(): void {
    if (this.#isOver) return
    this.#isOver = true
    clearTimeout(this.#latency)
    this.#context.observer?.end()
    this.#context.onEnd(this.#record.end())
  }
}

/** How long the upstream says that it waits for another request. */
function keptMs(answer: AnswerHead | undefined): number | undefined {
  const [hint = ''] = answer === undefined ? [] : headerValues(answer.headers, 'keep-alive')
  const seconds = /\btimeout=(\d{1,9})\b/i.exec(hint)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}
