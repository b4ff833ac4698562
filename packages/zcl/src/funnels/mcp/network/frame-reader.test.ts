import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FrameReader } from './frame-reader.ts'
import { SseReader } from '../messages/messages.ts'

interface Frame {
  opcode: number
  isFinal: boolean
  payload: Buffer
  mask?: Buffer
}

function encoded({ opcode, isFinal, payload, mask }: Frame): Buffer {
  const { length } = payload
  const size = length < 126 ? length : length < 65_536 ? 126 : 127
  const more = Buffer.alloc(size === 126 ? 2 : size === 127 ? 8 : 0)
  if (size === 126) more.writeUInt16BE(length)
  if (size === 127) more.writeBigUInt64BE(BigInt(length))
  const head = Buffer.from([(isFinal ? 0x80 : 0) | opcode, (mask === undefined ? 0 : 0x80) | size])
  const masked = Buffer.from(payload.map((byte, at) => byte ^ (mask?.[at & 3] ?? 0)))
  return Buffer.concat([head, more, mask ?? Buffer.alloc(0), masked])
}

function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  const places = cuts.map((each) => each % (bytes.length + 1)).sort((a, b) => a - b)
  return [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length))
}

const text = fc.oneof(fc.string(), fc.constantFrom('x'.repeat(130), 'y'.repeat(70_000)))
const cuts = fc.array(fc.nat(200_000), { maxLength: 8 })

describe('messages of an MCP WebSocket', () => {
  it('are found with any fragmentation, masking and chunking', () => {
    const message = fc.tuple(
      text,
      fc.nat(3),
      fc.option(fc.uint8Array({ minLength: 4, maxLength: 4 })),
    )
    fc.assert(
      fc.property(fc.array(message, { maxLength: 5 }), cuts, (messages, places) => {
        const frames = messages.flatMap(([content, parts, mask]): Frame[] => {
          const bytes = Buffer.from(content)
          const step = Math.ceil((bytes.length + 1) / (parts + 1))
          const pieces = Array.from({ length: parts + 1 }, (_, n) =>
            bytes.subarray(n * step, (n + 1) * step),
          )
          const own = pieces.map((payload, n) => ({
            opcode: n === 0 ? 1 : 0,
            isFinal: n === pieces.length - 1,
            payload,
            ...(mask === null ? {} : { mask: Buffer.from(mask) }),
          }))
          // A ping may come between the fragments of a message.
          own.splice(1, 0, { opcode: 9, isFinal: true, payload: Buffer.from('ping') })
          return [...own, { opcode: 2, isFinal: true, payload: Buffer.from('binary') }]
        })
        const seen: string[] = []
        const reader = new FrameReader((found) => seen.push(found.toString()))
        for (const chunk of cut(Buffer.concat(frames.map(encoded)), places)) reader.push(chunk)
        expect(seen).toEqual(messages.map(([content]) => Buffer.from(content).toString()))
      }),
      { numRuns: 200 },
    )
  })

  it('stop at a frame of more than 64 MiB, whose bytes are not collected', () => {
    const header = Buffer.from([0x81, 127, 0, 0, 0, 0, 0x04, 0, 0, 1])
    const reader = new FrameReader(() => {})
    reader.push(header)
    expect(reader.isOversized).toBe(true)
    reader.push(Buffer.alloc(1024))
    expect(reader.unread()).toEqual(header)
  })

  it('leave out a message whose fragments have more than 64 MiB together', () => {
    const seen: string[] = []
    const reader = new FrameReader((found) => seen.push(found.toString()))
    const part = encoded({ opcode: 0, isFinal: false, payload: Buffer.alloc(1 << 20) })
    const push = (opcode: number, isFinal: boolean, payload: string) =>
      reader.push(encoded({ opcode, isFinal, payload: Buffer.from(payload) }))
    push(1, false, 'begin')
    for (let count = 0; count < 64; count++) reader.push(part)
    push(0, true, 'end')
    push(1, true, 'next')
    expect(seen).toEqual(['next'])
  })

  it('leave out a message of a million empty fragments', () => {
    const seen: string[] = []
    const reader = new FrameReader((found) => seen.push(found.toString()))
    const empty = encoded({ opcode: 0, isFinal: false, payload: Buffer.alloc(0) })
    reader.push(encoded({ opcode: 1, isFinal: false, payload: Buffer.from('begin') }))
    for (let count = 0; count < 1_000_000; count++) reader.push(empty)
    reader.push(encoded({ opcode: 0, isFinal: true, payload: Buffer.from('end') }))
    expect(seen).toEqual([])
  })
})

describe('messages of an MCP event stream', () => {
  it('are found wherever the stream is split', () => {
    const line = fc.constantFrom('{"id":1}', '', 'ü', ' two')
    const event = fc.array(line, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.array(event), fc.constantFrom('\n', '\r\n'), cuts, (events, end, places) => {
        const stream = events
          .map(
            (lines) =>
              `: comment${end}id: 7${end}${lines.map((each) => `data: ${each}${end}`).join('')}${end}`,
          )
          .join(`event: ping${end}${end}`)
        const seen: string[] = []
        const reader = new SseReader((data) => seen.push(data.toString()))
        for (const chunk of cut(Buffer.from(stream), places)) reader.push(chunk)
        expect(seen).toEqual(events.map((lines) => lines.join('\n')))
      }),
    )
  })

  it('are not read any more after an event of more than 64 MiB', () => {
    const mebibyte = Buffer.alloc(1 << 20, 'x')
    const read = (mebibytes: number) => {
      const sizes: number[] = []
      const reader = new SseReader((data) => sizes.push(data.length))
      reader.push(Buffer.from('data: '))
      for (let count = 0; count < mebibytes; count++) reader.push(mebibyte)
      reader.push(Buffer.from('\n\ndata: next\n\n'))
      return sizes
    }
    expect(read(63)).toEqual([63 << 20, 4])
    expect(read(64)).toEqual([])
  })
})
