import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Frame, Message } from './wire.ts'
import { encodeFrame, FrameReader } from './wire.ts'

function framesOf(reader: FrameReader): Frame[] {
  const frames: Frame[] = []
  for (let frame = reader.next(); frame !== undefined; frame = reader.next()) frames.push(frame)
  return frames
}

function cutAt(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const at = [...new Set([0, ...cuts.map((cut) => cut % bytes.length), bytes.length])]
  at.sort((a, b) => a - b)
  return at.slice(1).map((end, i) => bytes.subarray(at[i], end))
}

function raw(body: string | Uint8Array): Buffer {
  const bytes = Buffer.from(body as string)
  const header = Buffer.alloc(4)
  header.writeUInt32BE(bytes.length)
  return Buffer.concat([header, bytes])
}

const message = fc.dictionary(fc.string(), fc.jsonValue()) as fc.Arbitrary<Message>

describe('frames', () => {
  it('start with the big-endian length in bytes and hold UTF-8', () => {
    const frame = encodeFrame({ a: '☃😀' })
    expect(frame.readUInt32BE(0)).toBe(frame.length - 4)
    expect(JSON.parse(frame.subarray(4).toString())).toEqual({ a: '☃😀' })
  })

  it('are read the same however the bytes are cut', () => {
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 5 }),
        fc.array(fc.nat(), { maxLength: 40 }),
        (messages, cuts) => {
          const reader = new FrameReader()
          const seen: Frame[] = []
          for (const piece of cutAt(Buffer.concat(messages.map((m) => encodeFrame(m))), cuts)) {
            reader.push(piece)
            seen.push(...framesOf(reader))
          }
          expect(seen).toEqual(
            messages.map((m) => ({ kind: 'message', message: JSON.parse(JSON.stringify(m)) })),
          )
          expect(reader.bytes).toBe(0)
        },
      ),
    )
  })

  it('are read the same one byte at a time and all at once', () => {
    const bytes = Buffer.concat([encodeFrame({ n: 1 }), raw(''), encodeFrame({ text: 'é😀' })])
    const slow = new FrameReader()
    const seen: Frame[] = []
    for (const byte of bytes) {
      slow.push(Buffer.from([byte]))
      seen.push(...framesOf(slow))
    }
    const fast = new FrameReader()
    fast.push(bytes)
    expect(framesOf(fast)).toEqual(seen)
    expect(seen.map((frame) => frame.kind)).toEqual(['message', 'unusable', 'message'])
  })

  it.each([
    ['no bytes', raw(''), 'empty'],
    ['cut JSON', raw('{"type": "ping"'), 'JSON'],
    ['a list', raw('[1,2]'), 'object'],
    ['null', raw('null'), 'object'],
    ['a string', raw('"ping"'), 'object'],
    ['a byte order mark', raw('\ufeff{}'), 'JSON'],
    ['ill-formed UTF-8', raw(Buffer.from([0x7b, 0xff, 0x7d])), 'UTF-8'],
    ['a surrogate in UTF-8', raw(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])), 'UTF-8'],
  ])('with %s are unusable, and the next frame is still read', (_name, bytes, word) => {
    const reader = new FrameReader()
    reader.push(Buffer.concat([bytes, encodeFrame({ ok: true })]))
    const [first, second] = framesOf(reader)
    expect(first).toMatchObject({ kind: 'unusable', reason: expect.stringContaining(word) })
    expect(second).toEqual({ kind: 'message', message: { ok: true } })
  })

  it('with escaped characters are read like frames with raw characters', () => {
    const reader = new FrameReader()
    reader.push(raw(String.raw`{"a":"☃😀"}`))
    expect(reader.next()).toEqual({ kind: 'message', message: { a: '☃😀' } })
  })

  it('above the limit are refused by their header, and nothing after it is buffered', () => {
    const reader = new FrameReader(1000)
    reader.push(Buffer.from([0xff, 0xff, 0xff, 0xff, 1, 2, 3]))
    expect(reader.isReady).toBe(true)
    expect(reader.next()).toMatchObject({ kind: 'oversized' })
    reader.push(Buffer.alloc(1 << 20))
    expect(reader.next()).toBeUndefined()
    expect(reader.bytes).toBe(0)
  })

  it('of exactly the limit are read; one more byte is refused by reader and writer', () => {
    const body = JSON.stringify({ a: 'x'.repeat(92) })
    const reader = new FrameReader(body.length)
    reader.push(raw(body))
    expect(reader.next()?.kind).toBe('message')
    expect(() => encodeFrame(JSON.parse(body), body.length - 1)).toThrow(/limit/)
    expect(encodeFrame(JSON.parse(body), body.length).length).toBe(body.length + 4)
  })

  it('with the key __proto__ do not change the prototype', () => {
    const reader = new FrameReader()
    reader.push(raw('{"__proto__":{"type":"ping"}}'))
    const frame = reader.next()
    expect(frame?.kind === 'message' && frame.message.type).toBeUndefined()
  })

  it('of 16 MiB in pieces of 1 KiB are copied once', () => {
    const frame = encodeFrame({ text: 'x'.repeat(16 << 20) })
    const reader = new FrameReader()
    const began = process.cpuUsage()
    for (let at = 0; at < frame.length; at += 1024) {
      reader.push(frame.subarray(at, at + 1024))
      if (at + 1024 < frame.length) expect(reader.isReady).toBe(false)
    }
    const read = reader.next()
    // A copy per piece would move 128 GiB; a single copy takes about 0.05 s of CPU time.
    expect(process.cpuUsage(began).user / 1000).toBeLessThan(2500)
    expect(read?.kind === 'message' && (read.message.text as string).length).toBe(16 << 20)
  })

  it('that cannot be written as JSON are refused with a reason', () => {
    const round: Message = {}
    round.self = round
    expect(() => encodeFrame(round)).toThrow(/cannot be written as JSON/)
  })
})
