// Reads one answer from an upstream connection: informational answers, head and body.
import { answerFraming, BodyReader, type Framing } from '../body/body.ts'
import { HeadReader, parseAnswerHead, type AnswerHead } from '../head/head.ts'

export interface AnswerSink {
  /** An informational answer, such as `100 Continue`. */
  hint(head: AnswerHead): void
  begin(head: AnswerHead, framing: Framing): void
  /** A piece of the body with its framing bytes. */
  raw(piece: Buffer): void
  /** The content of a piece, without framing; called before `raw`. */
  content(content: Buffer): void
}

const switchingProtocols = 101

export class AnswerReader {
  readonly #method: string
  readonly #mayUpgrade: boolean
  readonly #sink: AnswerSink
  readonly #head = new HeadReader({ prefix: 'HTTP/' })
  #body: BodyReader | undefined
  /** Whether the end of the connection delimits the body. */
  endsWithConnection = false
  hasHint = false
  isMalformed = false
  isComplete = false

  constructor(request: { method: string; mayUpgrade: boolean }, sink: AnswerSink) {
    this.#method = request.method
    this.#mayUpgrade = request.mayUpgrade
    this.#sink = sink
  }

  /** Whether no byte has arrived. */
  get isSilent(): boolean {
    return this.#body === undefined && !this.hasHint && !this.#head.hasPartialHead
  }

  get hasBegun(): boolean {
    return this.#body !== undefined
  }

  /** Reads the chunk and returns how many of its bytes belong to the answer. */
  read(chunk: Buffer): number {
    let at = 0
    while (at < chunk.length && !this.isComplete && !this.isMalformed) {
      at =
        this.#body === undefined ? this.#readHead(chunk, at) : this.#readBody(this.#body, chunk, at)
    }
    return at
  }

  #readHead(chunk: Buffer, at: number): number {
    const progress = this.#head.read(chunk, at)
    if (progress.kind === 'unfinished') return chunk.length
    const head = progress.kind === 'complete' ? parseAnswerHead(progress.text) : undefined
    if (progress.kind !== 'complete' || head === undefined) {
      this.isMalformed = true
      return chunk.length
    }
    this.#acceptHead(head)
    return progress.end
  }

  #acceptHead(head: AnswerHead): void {
    const isSwitch = head.status === switchingProtocols
    if (head.status < 200 && !isSwitch) {
      this.hasHint = true
      this.#sink.hint(head)
      return
    }
    const framing = isSwitch ? this.#afterSwitch() : answerFraming(head, this.#method)
    if (framing === undefined) {
      this.isMalformed = true
      return
    }
    this.#body = new BodyReader(framing, (content) => this.#sink.content(content))
    this.isComplete = this.#body.isComplete
    this.endsWithConnection = framing.kind === 'close'
    this.#sink.begin(head, framing)
  }

  /** Rejects a protocol switch that the client did not request. */
  #afterSwitch(): Framing | undefined {
    return this.#mayUpgrade ? { kind: 'close' } : undefined
  }

  #readBody(body: BodyReader, chunk: Buffer, at: number): number {
    const end = body.read(chunk, at)
    this.isMalformed = body.isMalformed
    this.isComplete = body.isComplete
    if (!this.isMalformed) this.#sink.raw(chunk.subarray(at, end))
    return end
  }
}
