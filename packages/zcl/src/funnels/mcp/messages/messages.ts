// Splits one direction of an MCP conversation into lines and reads their messages. The bytes are forwarded
// separately; memory per line is bounded.
import { BoundedCapture } from '@zee/core/bounded'
import { previewCaptureBytes } from '@zee/evidence/trace'
import { EnvelopeScanner } from './envelope-scanner.ts'
import { messagesIn, type RpcMessage } from './rpc-message.ts'

export { idKey, maxMessageBytes } from './rpc-message.ts'
export type { RpcMessage } from './rpc-message.ts'
export { SseReader } from './sse-reader.ts'

export interface ReadLine {
  messages: readonly RpcMessage[]
  /** Size without the line ending. */
  bytes: number
  head: Buffer
  /** The complete line with its ending; set only with `keepsRaw`. */
  raw?: Buffer
}

const newline = 0x0a
const carriageReturn = 0x0d
/** Longer lines are scanned instead of parsed. */
const maxParsedBytes = 1024 * 1024
const emptyLine = Buffer.alloc(0)

export class LineReader {
  readonly #keepsRaw: boolean
  readonly #isDocument: boolean
  readonly #onLine: (line: ReadLine) => void
  #pieces: Buffer[] = []
  #pending = 0
  /** The last bytes of the line so far, to detect its ending. */
  #tail: Buffer = emptyLine
  #large: { scanner: EnvelopeScanner; head: BoundedCapture } | undefined

  /** With `isDocument`, everything pushed before `end` is one message, even over several lines. */
  constructor(
    onLine: (line: ReadLine) => void,
    { keepsRaw = false, isDocument = false }: { keepsRaw?: boolean; isDocument?: boolean } = {},
  ) {
    this.#onLine = onLine
    this.#keepsRaw = keepsRaw
    this.#isDocument = isDocument
  }

  /** Reads a chunk; the caller must not modify it afterwards. */
  push(chunk: Buffer): void {
    let start = 0
    while (!this.#isDocument) {
      const end = chunk.indexOf(newline, start)
      if (end === -1) break
      this.#add(chunk.subarray(start, end + 1))
      this.#finish()
      start = end + 1
    }
    if (start < chunk.length) this.#add(chunk.subarray(start))
  }

  /** Finishes a last line without a line ending. */
  end(): void {
    if (this.#pending > 0) this.#finish()
  }

  #add(piece: Buffer): void {
    this.#pending += piece.length
    this.#tail = piece.length > 1 ? piece : Buffer.concat([this.#tail.subarray(-1), piece])
    if (this.#keepsRaw || this.#large === undefined) this.#pieces.push(piece)
    if (this.#large !== undefined) this.#feed(piece)
    else if (this.#pending > maxParsedBytes) this.#grow()
  }

  /** Switches an overlong line from parsing to scanning. */
  #grow(): void {
    this.#large = {
      scanner: new EnvelopeScanner(),
      head: new BoundedCapture(previewCaptureBytes),
    }
    for (const piece of this.#pieces) this.#feed(piece)
    if (!this.#keepsRaw) this.#pieces = []
  }

  #feed(piece: Buffer): void {
    this.#large?.scanner.push(piece)
    this.#large?.head.push(piece)
  }

  #finish(): void {
    const large = this.#large
    const bytes = this.#pending - endLength(this.#tail)
    const [only = emptyLine, ...more] = this.#pieces
    const raw = more.length === 0 ? only : Buffer.concat(this.#pieces, this.#pending)
    this.#pieces = []
    this.#pending = 0
    this.#tail = emptyLine
    this.#large = undefined
    const rawPart = this.#keepsRaw ? { raw } : {}
    if (large === undefined) {
      const line = raw.subarray(0, bytes)
      const head = line.subarray(0, previewCaptureBytes)
      this.#onLine({ messages: messagesIn(line.toString('utf8')), bytes, head, ...rawPart })
      return
    }
    this.#onLine({ messages: large.scanner.end(), bytes, head: large.head.head(), ...rawPart })
  }
}

/** Reads bytes as one message, even over several lines; undefined when there are none. */
export function readDocument(bytes: Buffer): ReadLine | undefined {
  let document: ReadLine | undefined
  const reader = new LineReader((line) => (document = line), { isDocument: true })
  reader.push(bytes)
  reader.end()
  return document
}

function endLength(tail: Buffer): number {
  if (tail.at(-1) !== newline) return 0
  return tail.at(-2) === carriageReturn ? 2 : 1
}
