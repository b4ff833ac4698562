// The event stream of an answer while it passes. A compressed stream is collected and decoded at its end.
import { BoundedCapture } from '@zee/core/bounded'
import { EventStream } from '../event-stream/event-stream.ts'
import { decoded } from './body-preview.ts'

/** Of a compressed stream, at most this much is decoded. */
const maxCompressedBytes = 4 * 1024 * 1024

export class AnswerStream {
  readonly #events = new EventStream()
  readonly #encoding: string
  readonly #compressed: BoundedCapture | undefined

  constructor(contentEncoding: string | undefined) {
    this.#encoding = (contentEncoding ?? '').trim().toLowerCase()
    const isPlain = this.#encoding === '' || this.#encoding === 'identity'
    this.#compressed = isPlain ? undefined : new BoundedCapture(maxCompressedBytes)
  }

  push(content: Buffer): void {
    if (this.#compressed === undefined) this.#events.push(content)
    else this.#compressed.push(content)
  }

  end(): ReturnType<EventStream['end']> {
    const text =
      this.#compressed === undefined ? undefined : decoded(this.#compressed.head(), this.#encoding)
    if (text !== undefined) this.#events.push(text)
    const end = this.#events.end()
    const isLost =
      this.#compressed !== undefined && (text === undefined || this.#compressed.truncated)
    return isLost ? { ...end, isCut: true } : end
  }
}
