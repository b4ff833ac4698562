// Decodes OTLP traces from protocol buffers into the shape of their JSON form, so that one reader serves
// both. Fields that the reader of traces does not use are skipped.
import { maxJsonDepth } from '../json/json.ts'

type Scalar = 'text' | 'id' | 'base64' | 'fixed64' | 'int64' | 'enum' | 'bool' | 'double'

/** A field by its name in JSON; a message has a function that returns its fields. */
interface Field {
  name: string
  is: Scalar | (() => Message)
  isList?: boolean
}

type Message = Readonly<Record<number, Field>>

const list = (name: string, is: Field['is']): Field => ({ name, is, isList: true })

const anyValue: Message = {
  1: { name: 'stringValue', is: 'text' },
  2: { name: 'boolValue', is: 'bool' },
  3: { name: 'intValue', is: 'int64' },
  4: { name: 'doubleValue', is: 'double' },
  5: { name: 'arrayValue', is: () => ({ 1: list('values', () => anyValue) }) },
  6: { name: 'kvlistValue', is: () => ({ 1: list('values', () => keyValue) }) },
  7: { name: 'bytesValue', is: 'base64' },
}
const keyValue: Message = {
  1: { name: 'key', is: 'text' },
  2: { name: 'value', is: () => anyValue },
}
const attributes = list('attributes', () => keyValue)
const event: Message = { 2: { name: 'name', is: 'text' }, 3: attributes }
const span: Message = {
  1: { name: 'traceId', is: 'id' },
  2: { name: 'spanId', is: 'id' },
  4: { name: 'parentSpanId', is: 'id' },
  5: { name: 'name', is: 'text' },
  7: { name: 'startTimeUnixNano', is: 'fixed64' },
  8: { name: 'endTimeUnixNano', is: 'fixed64' },
  9: attributes,
  11: list('events', () => event),
  15: { name: 'status', is: () => ({ 3: { name: 'code', is: 'enum' } }) },
}
const scopeSpans: Message = { 2: list('spans', () => span) }
const resourceSpans: Message = { 2: list('scopeSpans', () => scopeSpans) }
/** TracesData and ExportTraceServiceRequest have the same fields. */
const traces: Message = { 1: list('resourceSpans', () => resourceSpans) }

/** The traces of one message; throws if the bytes are none. */
export function decodeTraces(bytes: Buffer): Record<string, unknown> {
  return new Decoder(bytes).message(traces, bytes.length, 0)
}

/** A value has two messages per level, and four messages contain the values of a span. */
const maxDepth = 2 * maxJsonDepth + 8

class Decoder {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  message(fields: Message, end: number, depth: number): Record<string, unknown> {
    if (depth > maxDepth) throw new Error('a message nests too deep')
    const value: Record<string, unknown> = {}
    while (this.#at < end) {
      const tag = this.#size()
      const field = fields[tag >>> 3]
      const content = this.#content(tag, field, end, depth)
      if (field === undefined || content === undefined) continue
      if (field.isList !== true) value[field.name] = content
      else {
        const items = (value[field.name] ??= []) as unknown[]
        items.push(content)
      }
    }
    return value
  }

  /** The value of a field; undefined if the reader does not use it or it has another type. */
  #content(tag: number, field: Field | undefined, end: number, depth: number): unknown {
    if (tag >>> 3 === 0) throw new Error('a field has no number')
    switch (tag & 7) {
      case 0:
        return integer(this.#varint(), field?.is)
      case 1:
        return this.#eightBytes(field?.is)
      case 2: {
        const size = this.#size()
        return this.#delimited(this.#skip(size, end), this.#at, field?.is, depth)
      }
      case 5:
        this.#skip(4, end)
        return undefined
      default:
        throw new Error('a field has an unknown type')
    }
  }

  #delimited(start: number, end: number, is: Field['is'] | undefined, depth: number): unknown {
    if (is === 'text') return this.#bytes.toString('utf8', start, end)
    if (is === 'id') return this.#bytes.toString('hex', start, end)
    if (is === 'base64') return this.#bytes.toString('base64', start, end)
    if (typeof is !== 'function') return undefined
    this.#at = start
    return this.message(is(), end, depth + 1)
  }

  #eightBytes(is: Field['is'] | undefined): unknown {
    const start = this.#skip(8, this.#bytes.length)
    if (is === 'fixed64') return String(this.#bytes.readBigUInt64LE(start))
    return is === 'double' ? this.#bytes.readDoubleLE(start) : undefined
  }

  /** Moves over bytes and returns where they start. */
  #skip(size: number, end: number): number {
    const start = this.#at
    if (size > end - start) throw new Error('a field is longer than its message')
    this.#at = start + size
    return start
  }

  #size(): number {
    const first = this.#bytes[this.#at]
    if (first !== undefined && first < 0x80) {
      this.#at++
      return first
    }
    const size = this.#varint()
    if (size > 0xffff_ffffn) throw new Error('a field is longer than its message')
    return Number(size)
  }

  #varint(): bigint {
    let value = 0n
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#bytes[this.#at++]
      if (byte === undefined) break
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
    throw new Error('a number is cut off')
  }
}

function integer(value: bigint, is: Field['is'] | undefined): unknown {
  if (is === 'int64') return String(BigInt.asIntN(64, value))
  if (is === 'enum') return Number(BigInt.asIntN(32, value))
  return is === 'bool' ? value !== 0n : undefined
}
