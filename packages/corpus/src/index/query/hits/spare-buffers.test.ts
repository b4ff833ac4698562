import { expect, it } from 'vitest'
import { SpareBuffers } from './spare-buffers.ts'

it('what was given back is used again, once', () => {
  const buffers = new SpareBuffers()
  const first = buffers.copy(Buffer.from('first'))
  buffers.giveBack(first)
  buffers.giveBack(first)
  const second = buffers.copy(Buffer.from('second'))
  const third = buffers.copy(Buffer.from('third'))
  expect(second.buffer).toBe(first.buffer)
  expect(third.buffer).not.toBe(first.buffer)
  expect([second, third].map((copy) => Buffer.from(copy).toString())).toEqual(['second', 'third'])
})

it('what nobody gave back stays as it is', () => {
  const buffers = new SpareBuffers()
  const copies = Array.from({ length: 40 }, (_, at) => buffers.copy(Buffer.alloc(50_000, at)))
  expect(copies.every((copy, at) => copy.every((byte) => byte === at))).toBe(true)
})

it('a copy that is too long for what is spare gets memory of its own', () => {
  const buffers = new SpareBuffers()
  const short = buffers.copy(Buffer.alloc(10))
  buffers.giveBack(short)
  const long = buffers.copy(Buffer.alloc(100_000, 7))
  expect(long.length).toBe(100_000)
  expect(long.buffer).not.toBe(short.buffer)
})

it('memory that is not from here is not taken', () => {
  const buffers = new SpareBuffers()
  const foreign = new Uint8Array(1 << 20)
  buffers.giveBack(foreign)
  expect(buffers.copy(Buffer.from('own')).buffer).not.toBe(foreign.buffer)
})
