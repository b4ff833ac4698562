// The body of an answer that a fault changes, or that a stale answer may repeat later.
import { isUtf8 } from 'node:buffer'
import { BoundedCapture } from '@zee/core/bounded'
import { answerFaultOf, faultyAnswer, type AnswerFault } from '../../../faults/faults.ts'
import type { EarlierAnswers, ExchangeContext, PlainAnswer } from './context.ts'

/** A longer body loses its end. */
const maxHeldBytes = 16 * 1024 * 1024
const noHeaders: ReadonlySet<string> = new Set()

/** Undefined if the answer passes as it is and no later one can repeat it. */
export function heldAnswer(
  { faults, earlier, droppedHeaders = noHeaders }: ExchangeContext,
  method: string,
  url: string,
): HeldAnswer | undefined {
  const fault = answerFaultOf(faults)
  if (fault === undefined && earlier === undefined) return undefined
  const key = `${method} ${url.replace(/[?#].*$/s, '')}`
  return new HeldAnswer(fault, key, earlier, droppedHeaders)
}

export class HeldAnswer {
  readonly #fault: AnswerFault | undefined
  readonly #key: string
  readonly #earlier: EarlierAnswers | undefined
  readonly #stale: PlainAnswer | undefined
  readonly #body = new BoundedCapture(maxHeldBytes)
  /** Headers that the upstream does not receive: a fault needs the plain body. */
  readonly droppedHeaders: ReadonlySet<string>
  #changes: boolean

  constructor(
    fault: AnswerFault | undefined,
    key: string,
    earlier: EarlierAnswers | undefined,
    droppedHeaders: ReadonlySet<string>,
  ) {
    this.#fault = fault
    this.#key = key
    this.#earlier = earlier
    this.#stale = earlier?.get(key)
    this.#changes = fault !== undefined && (fault !== 'stale' || this.#stale !== undefined)
    this.droppedHeaders = new Set([...droppedHeaders, 'accept-encoding'])
  }

  /** Whether the client gets another answer than the upstream sent. */
  get changes(): boolean {
    return this.#changes
  }

  /** The answer has no body: nothing of it can be truncated or malformed. */
  hasNoBody(): void {
    if (this.#fault !== 'stale') this.#changes = false
  }

  push(content: Buffer): void {
    this.#body.push(content)
  }

  /** The answer for the client; remembers the real one. */
  end(status: number): PlainAnswer {
    const body = this.#body.head()
    this.#earlier?.set(this.#key, { status, body })
    if (this.#fault === 'stale' && this.#stale !== undefined) return this.#stale
    if (!this.#changes || this.#fault === undefined) return { status, body }
    // Bytes that are no text become characters one by one, and back.
    const encoding = isUtf8(body) ? 'utf8' : 'latin1'
    const text = faultyAnswer(this.#fault, body.toString(encoding), undefined) ?? ''
    return { status, body: Buffer.from(text, encoding) }
  }
}
