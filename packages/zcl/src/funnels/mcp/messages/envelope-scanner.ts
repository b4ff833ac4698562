// Finds id, method, error and the tool verdict in a line that is too large to parse. Scans the JSON
// structure chunk by chunk in constant memory and skips everything else.
import { messageFrom, type Envelope, type RpcMessage } from './rpc-message.ts'

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const colon = 0x3a
const openBrace = 0x7b
const closeBrace = 0x7d
const openBracket = 0x5b
const closeBracket = 0x5d

/** Below this distance between escapes, a byte loop beats `indexOf`; it then runs for `longStretch` bytes. */
const shortStretch = 48
const longStretch = 1024

/** Maximum bytes stored of a key or value; relevant ones are shorter, except error messages. */
const maxTokenBytes = 8 * 1024

export class EnvelopeScanner {
  readonly #messages: RpcMessage[] = []
  #depth = 0
  /** Depth inside a message: 1, or 2 in a batch; 0 before the first bracket. */
  #base = 0
  #inString = false
  #escaped = false
  #expectsKey = false
  /** Whether the container one level below a message is an object whose keys matter. */
  #innerIsObject = false
  #key = ''
  #innerKey = ''
  #token: number[] | undefined
  #envelope: Envelope = freshEnvelope()
  #error: Record<string, unknown> = {}
  #broken = false

  push(chunk: Buffer): void {
    for (let at = 0; at < chunk.length && !this.#broken; at++) {
      if (this.#inString) at = this.#string(chunk, at)
      else if (this.#isIrrelevant()) at = this.#skip(chunk, at)
      else this.#structure(chunk[at] ?? 0)
    }
  }

  /** The messages found; none when the line is truncated or malformed. */
  end(): RpcMessage[] {
    return this.#broken || this.#inString || this.#depth > 0 ? [] : this.#messages
  }

  #isIrrelevant(): boolean {
    const below = this.#depth - this.#base
    return this.#base > 0 && (below > 1 || (below === 1 && !this.#innerIsObject))
  }

  /** Reads to the end of the string or of the chunk; returns the offset of the last byte read. */
  #string(chunk: Buffer, start: number): number {
    const end = this.#endOfString(chunk, start)
    const isClosed = end < chunk.length
    if (this.#token !== undefined) this.#keep(chunk, start, isClosed ? end + 1 : end)
    if (!isClosed) return end
    this.#inString = false
    if (this.#token !== undefined) this.#finishString()
    return end
  }

  /** Offset of the closing quote, or the chunk's length. Uses `indexOf` where escapes are sparse. */
  #endOfString(chunk: Buffer, start: number): number {
    let at = start
    if (this.#escaped && at < chunk.length) {
      this.#escaped = false
      at++
    }
    while (at < chunk.length) {
      const quoteAt = indexOrLength(chunk, quote, at)
      const backslashAt = indexOrLength(chunk.subarray(0, quoteAt), backslash, at)
      if (backslashAt === quoteAt) return quoteAt
      const isDense = backslashAt - at < shortStretch
      at = isDense ? this.#byByte(chunk, backslashAt) : this.#afterEscape(chunk, backslashAt)
      if (at < 0) return -at
    }
    return chunk.length
  }

  /** Offset after the escaped character; `#escaped` carries a split escape into the next chunk. */
  #afterEscape(chunk: Buffer, backslashAt: number): number {
    this.#escaped = backslashAt + 1 === chunk.length
    return backslashAt + 2
  }

  /** Scans a stretch of dense escapes; returns the negated offset when it finds the closing quote. */
  #byByte(chunk: Buffer, start: number): number {
    const end = Math.min(chunk.length, start + longStretch)
    let at = start
    for (; at < end; at++) {
      const byte = chunk[at]
      if (byte === backslash) at++
      else if (byte === quote) return -at
    }
    this.#escaped = at > chunk.length
    return at
  }

  /** Skips an irrelevant container up to its closing bracket. */
  #skip(chunk: Buffer, start: number): number {
    let depth = this.#depth
    const level = this.#base + (this.#innerIsObject ? 1 : 0)
    for (let at = start; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (byte === quote) {
        this.#depth = depth
        this.#inString = true
        at = this.#string(chunk, at + 1)
      } else if (byte === openBrace || byte === openBracket) depth++
      else if (byte === closeBrace || byte === closeBracket) {
        depth--
        if (depth === level) {
          this.#depth = depth
          return at
        }
      }
    }
    this.#depth = depth
    return chunk.length
  }

  #structure(byte: number): void {
    switch (byte) {
      case quote:
        this.#inString = true
        this.#token = this.#expectsKey || this.#wantsValue() ? [quote] : undefined
        break
      case openBrace:
      case openBracket:
        this.#open(byte === openBrace)
        break
      case closeBrace:
      case closeBracket:
        this.#finishScalar()
        this.#close()
        break
      case comma:
        this.#finishScalar()
        this.#expectsKey = this.#depth >= this.#base
        break
      case colon:
        this.#expectsKey = false
        break
      default:
        this.#scalar(byte)
    }
  }

  #open(isObject: boolean): void {
    if (this.#depth === 0 && this.#base > 0) this.#broken = true
    this.#depth++
    if (this.#base === 0) this.#base = isObject ? 1 : 2
    const below = this.#depth - this.#base
    if (below === 0) {
      if (!isObject) this.#broken = true
      this.#envelope = freshEnvelope()
      this.#error = {}
      this.#innerIsObject = false
      this.#expectsKey = true
    } else if (below === 1) {
      this.#noteContainer()
      this.#innerIsObject = isObject && (this.#key === 'error' || this.#key === 'result')
      this.#expectsKey = this.#innerIsObject
    }
  }

  #close(): void {
    this.#depth--
    const below = this.#depth - this.#base
    if (below === 0) {
      if (this.#innerIsObject && this.#key === 'error') this.#envelope.error = this.#error
      this.#innerIsObject = false
    } else if (below === -1) {
      const message = messageFrom(this.#envelope)
      if (message !== undefined) this.#messages.push(message)
    }
    this.#expectsKey = false
  }

  /** Notes a container value; of two members with the same name the later one wins. */
  #noteContainer(): void {
    if (this.#key === 'result') {
      this.#envelope.hasResult = true
      this.#envelope.isToolError = false
    } else if (this.#key === 'error') {
      this.#error = {}
      this.#envelope.error = undefined
    } else if (this.#key === 'id' || this.#key === 'method') this.#envelope[this.#key] = {}
  }

  #wantsValue(): boolean {
    if (this.#depth === this.#base) return ['id', 'method', 'error', 'result'].includes(this.#key)
    if (!this.#innerIsObject) return false
    return this.#key === 'error'
      ? this.#innerKey === 'code' || this.#innerKey === 'message'
      : this.#innerKey === 'isError'
  }

  #scalar(byte: number): void {
    if (byte === 0x20 || byte === 0x09 || byte === 0x0d || byte === 0x0a) {
      this.#finishScalar()
      return
    }
    if (this.#depth === 0) {
      this.#broken = true
      return
    }
    if (this.#token === undefined && this.#wantsValue()) this.#token = []
    this.#token?.push(byte)
  }

  #keep(chunk: Buffer, start: number, end: number): void {
    const kept = this.#token ?? []
    const last = Math.min(end, start + maxTokenBytes - kept.length)
    for (let at = start; at < last; at++) kept.push(chunk[at] ?? 0)
  }

  #finishString(): void {
    const value = this.#takeToken()
    if (!this.#expectsKey) this.#assign(value)
    else if (this.#depth === this.#base) this.#key = String(value)
    else this.#innerKey = String(value)
  }

  #finishScalar(): void {
    if (this.#token !== undefined) this.#assign(this.#takeToken())
  }

  #takeToken(): unknown {
    const bytes = Buffer.from(this.#token ?? [])
    this.#token = undefined
    const value = parsed(bytes.toString('utf8'))
    const isCut = bytes.length >= maxTokenBytes && bytes[0] === quote
    return isCut && this.#innerKey === 'message' ? beginningOfString(bytes) : value
  }

  #assign(value: unknown): void {
    if (this.#depth > this.#base) {
      if (this.#key === 'error') this.#error[this.#innerKey] = value
      else this.#envelope.isToolError = value === true
      return
    }
    if (this.#key === 'result') {
      this.#envelope.hasResult = true
      this.#envelope.isToolError = false
    } else if (this.#key === 'id' || this.#key === 'method' || this.#key === 'error') {
      this.#envelope[this.#key] = value
    }
  }
}

/** The offset of `byte`, or the length when it is absent. */
function indexOrLength(bytes: Buffer, byte: number, start: number): number {
  const found = bytes.indexOf(byte, start)
  return found === -1 ? bytes.length : found
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The longest decodable prefix: the cut may split a character or an escape of up to 12 bytes. */
function beginningOfString(bytes: Buffer): unknown {
  for (let end = bytes.length; end > bytes.length - 12; end--) {
    const value = parsed(`${bytes.toString('utf8', 0, end)}"`)
    if (typeof value === 'string') return value
  }
  return undefined
}

function freshEnvelope(): Envelope {
  return { hasResult: false, isToolError: false }
}
