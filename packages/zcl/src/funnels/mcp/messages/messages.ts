// Cuts one direction of an MCP conversation into lines and reads what they say. The bytes themselves
// have gone their way by then; a line of any length takes a bounded amount of memory.
import { BoundedCapture } from '@zee/core/bounded'
import { previewCaptureBytes } from '@zee/evidence/trace'
import { EnvelopeScanner } from './envelope-scanner.ts'
import { messagesIn, type RpcMessage } from './rpc-message.ts'

export { idKey, maxMessageBytes } from './rpc-message.ts'
export type { RpcMessage } from './rpc-message.ts'

export interface ReadLine {
  messages: readonly RpcMessage[]
  /** Without the end of the line. */
  bytes: number
  head: Buffer
  /** The line as it came, its end included; only when the reader was asked to keep lines whole. */
  raw?: Buffer
}

const newline = 0x0a
const carriageReturn = 0x0d
/** Longer lines are not parsed but scanned. */
const maxParsedBytes = 1024 * 1024
const emptyLine = Buffer.alloc(0)

export class LineReader {
  readonly #keepsRaw: boolean
  readonly #isDocument: boolean
  readonly #onLine: (line: ReadLine) => void
  #pieces: Buffer[] = []
  #pending = 0
  /** The last two bytes of the line so far: they may be its end. */
  #tail: Buffer = emptyLine
  #large: { scanner: EnvelopeScanner; head: BoundedCapture } | undefined

  /** With `isDocument` all that is pushed up to `end` is one message, however many lines it has. */
  constructor(
    onLine: (line: ReadLine) => void,
    { keepsRaw = false, isDocument = false }: { keepsRaw?: boolean; isDocument?: boolean } = {},
  ) {
    this.#onLine = onLine
    this.#keepsRaw = keepsRaw
    this.#isDocument = isDocument
  }

  /** The chunk must not change afterwards. */
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

  /** What has no end of line is a line as well. */
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

  /** The line has become too large to be parsed: from now on it is only looked through. */
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

/** Bytes that are one message, however many lines they have; undefined when there are none. */
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
