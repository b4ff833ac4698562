import { expect, it } from 'vitest'
import { BufferPool } from './buffer-pool.ts'

it('a buffer that is released twice is reused once', () => {
  const buffers = new BufferPool()
  const first = buffers.copy(Buffer.from('first'))
  buffers.release(first)
  buffers.release(first)
  const second = buffers.copy(Buffer.from('second'))
  const third = buffers.copy(Buffer.from('third'))
  expect(second.buffer).toBe(first.buffer)
  expect(third.buffer).not.toBe(first.buffer)
  expect([second, third].map((copy) => Buffer.from(copy).toString())).toEqual(['second', 'third'])
})

it('copies that are not released are not overwritten', () => {
  const buffers = new BufferPool()
  const copies = Array.from({ length: 40 }, (_, at) => buffers.copy(Buffer.alloc(50_000, at)))
  expect(copies.every((copy, at) => copy.every((byte) => byte === at))).toBe(true)
})

it('a copy that is larger than every free buffer gets new memory', () => {
  const buffers = new BufferPool()
  const short = buffers.copy(Buffer.alloc(10))
  buffers.release(short)
  const long = buffers.copy(Buffer.alloc(100_000, 7))
  expect(long.length).toBe(100_000)
  expect(long.buffer).not.toBe(short.buffer)
})

it('the pool does not reuse memory that it did not allocate', () => {
  const buffers = new BufferPool()
  const foreign = new Uint8Array(1 << 20)
  buffers.release(foreign)
  expect(buffers.copy(Buffer.from('own')).buffer).not.toBe(foreign.buffer)
})
