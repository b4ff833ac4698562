// One request and its answer, streamed between a client and the upstream and counted on the way. Bytes
// leave in the pieces in which they came; a head leaves together with what came right behind it.
import { errnoOf } from '@zee/core/errors'
import { AnswerReader, type AnswerSink } from './answer-reader.ts'
import { AnswerWriter } from './answer-writer.ts'
import type { Framing } from '../body/body.ts'
import type { ClientSide, ExchangeContext } from './context.ts'
import { ExchangeRecord } from './record.ts'
import { headerValues, requestHeaders, upgradeHeaders } from '../headers.ts'
import { requestsUpgrade, headText, keepsConnection } from '../head/head.ts'
import type { AnswerHead, RequestHead } from '../head/head.ts'
import { upstreamPath } from '../../funnels.ts'
import type { LinkUser, UpstreamLink } from '../upstream-pool.ts'
import { writeTogether } from './write-together.ts'

export type { ClientSide, ExchangeContext, ExchangeGate, ExchangeObserver } from './context.ts'

/** While a request waits for its turn, so much of its body is taken in. */
const maxBufferedBytes = 64 * 1024
/** A request that has to be seen whole may have so much. */
const maxGatheredBytes = 256 * 1024 * 1024

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
  #isDispatched = false
  #isRetried = false
  #isRequestComplete = false
  #unsentHead = ''
  #unsent: Buffer[] = []
  /** The body so far, when all of it has to be seen first. */
  #gathered: Buffer[] | undefined
  #answer: AnswerHead | undefined
  #isAnswered = false
  #latency: NodeJS.Timeout | undefined
  #isEnded = false

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
    this.#isUpgrade = requestsUpgrade(request)
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
      this.#client.resumeReading()
    }, ms)
  }

  /** Bytes of the request as they came; they leave with `flush`. */
  fromClient(raw: Buffer): void {
    if (this.#isDispatched && this.#link === undefined) return
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
    this.#isRequestComplete = true
    if (this.#gathered === undefined) this.#context.observer?.requestEnded()
    else this.#passGate(this.#gathered)
    if (this.#isAnswered) this.#settle()
  }

  /** Sends on what has come; called when there is no more at hand. */
  flush(): void {
    if (this.#link === undefined) {
      const buffered = this.#unsent.reduce((sum, piece) => sum + piece.length, 0)
      if (buffered > maxBufferedBytes && this.#gathered === undefined) this.#client.pauseReading()
      return
    }
    if (this.#unsentHead === '' && this.#unsent.length === 0) return
    const hasRoom = writeTogether(this.#link.socket, this.#unsentHead, this.#unsent)
    this.#unsentHead = ''
    this.#unsent = []
    if (!hasRoom) this.#client.pauseReading()
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
    this.#dropLink()
    this.#end()
  }

  /** The request turned out to be none; whether the client may still be told so. */
  refuse(): boolean {
    const isSilent = this.#record.status === undefined
    if (!this.#isEnded) this.#record.failure = { code: 'HTTP_CLIENT_ABORTED' }
    this.#dropLink()
    this.#end()
    return isSilent
  }

  /** Gives up: both sides are cut off. */
  abandon(code: string): void {
    if (this.#isEnded) return
    this.#record.failure ??= { code }
    this.#dropLink()
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
    if (this.#record.requestBytes <= maxGatheredBytes) return
    this.#gathered = undefined
    this.#answerLocally(413, 'the message is too large to be looked at\n')
  }

  #passGate(gathered: Buffer[]): void {
    const { gate, observer } = this.#context
    const body = Buffer.concat(gathered)
    this.#gathered = []
    gate?.request(body, () => {
      if (this.#isEnded) return
      this.#gathered = undefined
      observer?.request(body)
      observer?.requestEnded()
      this.#sendRequest()
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
      this.#answerLocally(cut.status, 'injected by zcl\n')
    } else this.#sendRequest()
  }

  #sendRequest(isFresh = false): void {
    const { upstream, pool, droppedHeaders } = this.#context
    const { method, headers } = this.#request
    const target = { method, host: upstream.host, auth: upstream.auth }
    const fields = this.#isUpgrade
      ? upgradeHeaders(headers, target, droppedHeaders)
      : requestHeaders(headers, target, droppedHeaders)
    if (!this.#isUpgrade) fields.push('Connection', 'keep-alive')
    this.#isDispatched = true
    this.#unsentHead = headText(`${method} ${this.#path} HTTP/1.1`, fields)
    this.#link = pool.acquire(this, { isFresh: isFresh || this.#isUpgrade })
  }

  upstreamDrained(): void {
    this.#client.resumeReading()
  }

  fromUpstream(chunk: Buffer): void {
    // Who says more than was asked for cannot be trusted with another request.
    if (this.#isAnswered) this.#dropLink()
    if (this.#link === undefined) return
    const consumed = this.#reader.read(chunk)
    if (this.#reader.isMalformed) this.#rejectAnswer()
    else if (this.#reader.isComplete) this.#answered(consumed === chunk.length)
    else if (!this.#writer.flush()) this.#link.socket.pause()
  }

  hint(head: AnswerHead): void {
    this.#writer.hint(head)
  }

  begin(head: AnswerHead, framing: Framing): void {
    this.#answer = head
    this.#record.startAnswer(head)
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
    if (this.#isAnswered) this.#dropLink()
    else if (this.#isTunnel) this.#client.socket.end()
    else if (this.#reader.endsWithConnection) this.#answered(false)
    else this.#link?.socket.destroy()
  }

  upstreamLost(error: Error | undefined): void {
    const link = this.#link
    this.#link = undefined
    this.#client.resumeReading()
    if (this.#isEnded || this.#isAnswered) return
    if (this.#isTunnel) {
      this.#client.socket.destroy()
      this.#end()
    } else if (this.#reader.hasBegun) this.#abortAnswer(errnoOf(error))
    else if (link !== undefined && this.#canRetry(link)) {
      this.#isRetried = true
      this.#sendRequest(true)
      this.flush()
    } else this.#failUpstream(errnoOf(error) ?? error?.message.slice(0, 200) ?? 'ECONNRESET')
  }

  /** A kept connection may have been closed by the other side just when it was used again. */
  #canRetry(link: UpstreamLink): boolean {
    if (!link.wasUsedBefore || this.#isRetried || !this.#reader.isSilent) return false
    return this.#framing.kind === 'none' && idempotent.has(this.#request.method)
  }

  /** What the upstream says is no HTTP, or could mean more than one thing. */
  #rejectAnswer(): void {
    if (this.#reader.hasBegun) this.#abortAnswer('EPROTO')
    else this.#failUpstream('EPROTO')
  }

  #failUpstream(error: string): void {
    this.#dropLink()
    this.#record.failure = { code: 'HTTP_PROXY_ERROR', error }
    this.#answerLocally(502, 'the upstream cannot be reached\n')
  }

  /** The upstream did not come to its end, and the client has to see that. */
  #abortAnswer(error = 'ECONNRESET'): void {
    this.#dropLink()
    this.#record.failure = { code: 'HTTP_PROXY_ERROR', error }
    this.#writer.flush()
    this.#writer.whenSent(() => {
      const { socket } = this.#client
      // Where the end of the connection is that of the answer, only a reset says otherwise.
      if (this.#request.isHttp10) socket.resetAndDestroy()
      else socket.destroy()
      this.#end()
    })
  }

  /** An answer that no upstream gave. */
  #answerLocally(status: number, text: string): void {
    this.#isDispatched = true
    this.#unsent = []
    this.#record.status = status
    this.#record.answer(this.#writer.localAnswer(status, text, !this.#client.isClosing))
    this.#client.resumeReading()
    this.#answered(false)
  }

  /** The answer is whole; `isClean` when nothing came behind it. */
  #answered(isClean: boolean): void {
    this.#isAnswered = true
    const answer = this.#answer
    if (!isClean || answer === undefined || !keepsConnection(answer) || this.#isUpgrade) {
      this.#dropLink()
    }
    this.#writer.end()
    this.#writer.flush()
    this.#writer.whenSent(() => {
      this.#end()
      if (this.#isRequestComplete || !this.#writer.keepsClient) this.#settle()
    })
  }

  /** Both messages are over, or nothing more is wanted of the request. */
  #settle(): void {
    const link = this.#link
    if (link !== undefined && this.#isRequestComplete) {
      this.#link = undefined
      this.#context.pool.release(link, keepAliveMs(this.#answer))
    }
    this.#dropLink()
    if (this.#isEnded) this.#client.done(this.#writer.keepsClient)
  }

  #dropLink(): void {
    const link = this.#link
    if (link === undefined) return
    this.#link = undefined
    link.user = undefined
    link.socket.destroy()
    // The rest of the request is read, if only to be forgotten.
    this.#client.resumeReading()
  }

  #end(): void {
    if (this.#isEnded) return
    this.#isEnded = true
    clearTimeout(this.#latency)
    this.#context.observer?.end()
    this.#context.onEnd(this.#record.end())
  }
}

/** How long the upstream says that it waits for another request. */
function keepAliveMs(answer: AnswerHead | undefined): number | undefined {
  const [hint = ''] = answer === undefined ? [] : headerValues(answer.headers, 'keep-alive')
  const seconds = /\btimeout=(\d{1,9})\b/i.exec(hint)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}
