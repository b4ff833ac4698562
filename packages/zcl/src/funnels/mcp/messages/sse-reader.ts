// Extracts the data of server-sent events; comments, ids and retries are ignored. Stops reading a stream
// whose events are too large for messages.
import { maxMessageBytes } from './rpc-message.ts'

const newline = 0x0a
const carriageReturn = 0x0d

export class SseReader {
  readonly #onData: (data: Buffer) => void
  #pieces: Buffer[] = []
  #data: Buffer[] = []
  /** Bytes of the current event. */
  #held = 0

  constructor(onData: (data: Buffer) => void) {
    this.#onData = onData
  }

  push(chunk: Buffer): void {
    this.#held += chunk.length
    if (this.#held > maxMessageBytes) {
      this.#pieces = []
      this.#data = []
      return
    }
    let start = 0
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, start)) {
      this.#line(Buffer.concat([...this.#pieces, chunk.subarray(start, end)]))
      this.#pieces = []
      start = end + 1
    }
    if (start < chunk.length) this.#pieces.push(chunk.subarray(start))
  }

  #line(raw: Buffer): void {
    const line = raw.at(-1) === carriageReturn ? raw.subarray(0, -1) : raw
    if (line.length === 0) {
      if (this.#data.length > 0) this.#onData(Buffer.concat(this.#data).subarray(0, -1))
      this.#data = []
      this.#held = 0
      return
    }
    if (line.toString('latin1', 0, 5) !== 'data:') return
    const value = line[5] === 0x20 ? line.subarray(6) : line.subarray(5)
    this.#data.push(value, Buffer.from('\n'))
  }
}
