// One request and its answer, streamed between client and upstream and recorded. Bytes are forwarded in the
// pieces in which they arrive; a head is written together with the bytes that follow it.
import { errnoOf } from '@zee/core/errors'
import { AnswerReader } from './answer-reader.ts'
import type { Framing } from '../body/body.ts'
import type { ClientSide, ExchangeContext } from './context.ts'
import { Delivery } from './delivery.ts'
import { ExchangeRecord } from './record.ts'
import { headerValues, requestHeaders, upgradeHeaders } from '../headers.ts'
import { requestsUpgrade, headText, keepsConnection } from '../head/head.ts'
import type { AnswerHead, RequestHead } from '../head/head.ts'
import { delayOf, withoutAnswerFaults } from '../../../faults/faults.ts'
import { isMisdirected, upstreamPath } from '../../funnels.ts'
import { heldAnswer, type HeldAnswer } from './held-answer.ts'
import type { LinkUser, UpstreamLink } from '../upstream-pool.ts'
import { writeTogether } from './write-together.ts'

export { bodyText } from './body-preview.ts'
export { refusedTunnel } from './record.ts'
export type {
  AnswerRewriter,
  ClientSide,
  EarlierAnswers,
  ExchangeContext,
  ExchangeGate,
  ExchangeObserver,
  Rewrite,
} from './context.ts'

/** Maximum bytes of the body to buffer while the request waits. */
const maxBufferedBytes = 64 * 1024
/** Maximum size of a request that a gate must see completely. */
const maxGatheredBytes = 256 * 1024 * 1024

/** Methods that may be retried after a lost connection. */
const idempotent: ReadonlySet<string> = new Set('GET HEAD OPTIONS TRACE PUT DELETE'.split(' '))

export class Exchange implements LinkUser {
  readonly #context: ExchangeContext
  readonly #request: RequestHead
  readonly #framing: Framing
  readonly #client: ClientSide
  readonly #path: string
  readonly #isUpgrade: boolean
  readonly #isMisdirected: boolean
  readonly #record: ExchangeRecord
  readonly #reader: AnswerReader
  readonly #delivery: Delivery
  readonly #held: HeldAnswer | undefined
  #link: UpstreamLink | undefined
  #isDispatched = false
  #isRetried = false
  #isRequestComplete = false
  #unsentHead = ''
  #unsent: Buffer[] = []
  /** The body so far, when a gate must see all of it first. */
  #gathered: Buffer[] | undefined
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
    this.#path = upstreamPath(context.upstream, request.target, client.isTunnelled)
    this.#isUpgrade = requestsUpgrade(request)
    const { origin, basePath } = context.upstream
    const { method } = request
    const { faults, clock } = context
    const [encoding] = headerValues(request.headers, 'content-encoding')
    this.#isMisdirected = isMisdirected(context.upstream, request.target, client.socket.localPort)
    const url = this.#isMisdirected ? request.target : origin + this.#path
    const isUpgrade = this.#isUpgrade
    this.#held = isUpgrade || method === 'HEAD' ? undefined : heldAnswer(context, method, url)
    // The answer may come from the proxy, or have no body to change.
    const applied = withoutAnswerFaults(faults)
    const recorded = { method, url, isUpgrade, faults: applied, encoding, basePath }
    this.#record = new ExchangeRecord(recorded, clock)
    const [record, held] = [this.#record, this.#held]
    this.#delivery = new Delivery({ request, client, context, record, isUpgrade, held })
    this.#reader = new AnswerReader({ method, mayUpgrade: isUpgrade }, this.#delivery)
  }

  start(): void {
    if (this.#isMisdirected) {
      const { host } = this.#context.upstream
      this.#answerLocally(421, `this proxy forwards to ${host} only\n`)
      return
    }
    if (this.#context.gate !== undefined && this.#framing.kind !== 'none' && !this.#isUpgrade) {
      this.#gathered = []
      return
    }
    const ms = delayOf(this.#context.faults)
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

  /** Queues raw bytes of the request; `flush` sends them. */
  fromClient(raw: Buffer): void {
    if (this.#isDispatched && this.#link === undefined) return
    const { gate } = this.#context
    if (!this.#delivery.isTunnel || gate === undefined) this.#unsent.push(raw)
    else gate.tunnel(raw, (bytes) => this.#forward(bytes))
  }

  /** Receives the body content of those bytes. */
  sawRequest(content: Buffer): void {
    this.#record.request(content)
    if (this.#gathered !== undefined) this.#gather(this.#gathered, content)
    else if (this.#delivery.isObserved) this.#context.observer?.request(content)
  }

  requestEnded(): void {
    this.#isRequestComplete = true
    if (this.#gathered === undefined) this.#context.observer?.requestEnded()
    else this.#passGate(this.#gathered)
    if (this.#isAnswered) this.#settle()
  }

  /** Sends the queued bytes; called after each chunk of the client. */
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

  /** The client ended its side: forwarded in a tunnel, otherwise an abort. */
  clientEnded(): void {
    if (this.#delivery.isTunnel) this.#link?.socket.end()
    else if (!this.#isAnswered) this.abandon('HTTP_CLIENT_ABORTED')
  }

  clientGone(): void {
    if (!this.#delivery.isTunnel) this.abandon('HTTP_CLIENT_ABORTED')
    this.#dropLink()
    this.#end()
  }

  /** Ends a malformed request; true when an error answer can still be sent. */
  refuse(): boolean {
    const isSilent = this.#record.status === undefined
    if (!this.#isEnded) this.#record.failure = { code: 'HTTP_CLIENT_ABORTED' }
    this.#dropLink()
    this.#end()
    return isSilent
  }

  /** Closes both connections and records `code`. */
  abandon(code: string): void {
    if (this.#isEnded) return
    this.#record.failure ??= { code }
    this.#dropLink()
    this.#client.socket.destroy()
    this.#end()
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

  /** Sends tunnelled bytes that the gate has released. */
  #forward(bytes: Buffer): void {
    if (this.#link === undefined) return
    this.#unsent.push(bytes)
    this.flush()
  }

  #proceed(): void {
    const { faults } = this.#context
    const cut = faults.find(({ kind }) => ['reset', 'status', 'error'].includes(kind))
    if (cut?.kind === 'reset') {
      this.#record.failure = { code: 'HTTP_PROXY_ERROR' }
      this.#client.socket.resetAndDestroy()
      this.#end()
    } else if (cut !== undefined) {
      this.#answerLocally(cut.kind === 'status' ? cut.status : 500, 'injected by zcl\n')
    } else this.#sendRequest()
  }

  #sendRequest(isFresh = false): void {
    const { upstream, pool } = this.#context
    const droppedHeaders = this.#held?.droppedHeaders ?? this.#context.droppedHeaders
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
    // Bytes after a complete answer make the connection unusable for another request.
    if (this.#isAnswered) this.#dropLink()
    if (this.#link === undefined) return
    const consumed = this.#reader.read(chunk)
    if (this.#reader.isMalformed) this.#rejectAnswer()
    else if (this.#reader.isComplete) this.#answered(consumed === chunk.length)
    else if (!this.#delivery.flush()) this.#link.socket.pause()
  }

  upstreamEnded(): void {
    if (this.#isAnswered) this.#dropLink()
    else if (this.#delivery.isTunnel) this.#delivery.drain(() => this.#client.socket.end())
    else if (this.#reader.endsWithConnection) this.#answered(false)
    else this.#link?.socket.destroy()
  }

  upstreamLost(error: Error | undefined): void {
    const link = this.#link
    this.#link = undefined
    this.#client.resumeReading()
    if (this.#isEnded || this.#isAnswered) return
    if (this.#delivery.isTunnel) {
      this.#delivery.drain(() => {
        this.#client.socket.destroy()
        this.#end()
      })
    } else if (this.#reader.hasBegun) this.#abortAnswer(errnoOf(error))
    else if (link !== undefined && this.#canRetry(link)) {
      this.#isRetried = true
      this.#sendRequest(true)
      this.flush()
    } else this.#failUpstream(errnoOf(error) ?? error?.message.slice(0, 200) ?? 'ECONNRESET')
  }

  /** Whether the upstream may have closed a reused connection just as the request was sent. */
  #canRetry(link: UpstreamLink): boolean {
    if (!link.wasUsedBefore || this.#isRetried || !this.#reader.isSilent) return false
    return this.#framing.kind === 'none' && idempotent.has(this.#request.method)
  }

  /** Handles a malformed or ambiguous answer. */
  #rejectAnswer(): void {
    if (this.#reader.hasBegun) this.#abortAnswer('EPROTO')
    else this.#failUpstream('EPROTO')
  }

  #failUpstream(error: string): void {
    this.#dropLink()
    this.#record.failure = { code: 'HTTP_PROXY_ERROR', error }
    this.#answerLocally(502, 'the upstream cannot be reached\n')
  }

  /** Ends a truncated answer so that the client detects it. */
  #abortAnswer(error = 'ECONNRESET'): void {
    this.#dropLink()
    this.#record.failure = { code: 'HTTP_PROXY_ERROR', error }
    this.#delivery.cut(() => {
      const { socket } = this.#client
      // For HTTP/1.0 a normal close means a complete answer; only a reset signals truncation.
      if (this.#request.isHttp10) socket.resetAndDestroy()
      else socket.destroy()
      this.#end()
    })
  }

  /** Sends an answer of the proxy itself. */
  #answerLocally(status: number, text: string): void {
    this.#isDispatched = true
    this.#unsent = []
    this.#delivery.answerLocally(status, text)
    this.#client.resumeReading()
    this.#answered(false)
  }

  /** The answer is complete; `isClean` when no bytes followed it. */
  #answered(isClean: boolean): void {
    this.#isAnswered = true
    const { head: answer } = this.#delivery
    if (!isClean || answer === undefined || !keepsConnection(answer) || this.#isUpgrade) {
      this.#dropLink()
    }
    this.#delivery.end(() => {
      this.#end()
      if (this.#isRequestComplete || !this.#delivery.keepsClient) this.#settle()
    })
  }

  /** Releases the link and the client after both messages, or when the rest of the request is unwanted. */
  #settle(): void {
    const link = this.#link
    if (link !== undefined && this.#isRequestComplete) {
      this.#link = undefined
      this.#context.pool.release(link, keepAliveMs(this.#delivery.head))
    }
    this.#dropLink()
    if (this.#isEnded) this.#client.done(this.#delivery.keepsClient)
  }

  #dropLink(): void {
    const link = this.#link
    if (link === undefined) return
    this.#link = undefined
    link.user = undefined
    link.socket.destroy()
    // Keep reading the rest of the request, to discard it.
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

/** The keep-alive timeout that the upstream announced. */
function keepAliveMs(answer: AnswerHead | undefined): number | undefined {
  const [hint = ''] = answer === undefined ? [] : headerValues(answer.headers, 'keep-alive')
  const seconds = /\btimeout=(\d{1,9})\b/i.exec(hint)?.[1]
  return seconds === undefined ? undefined : Number(seconds) * 1000
}
