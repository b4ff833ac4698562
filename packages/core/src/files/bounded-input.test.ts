import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { readBoundedInput } from './bounded-input.ts'

it('standard input is read up to its bound, and no more than one chunk beyond it', async () => {
  const mebibyte = Buffer.alloc(1 << 20, 'x')
  const whole = await readBoundedInput(
    Readable.from([Buffer.from('é').subarray(0, 1), Buffer.from('é').subarray(1)]),
    1 << 20,
  )
  expect(whole).toBe('é')
  expect(await readBoundedInput(Readable.from([mebibyte]), 1 << 20)).toHaveLength(1 << 20)
  let read = 0
  const endless = function* () {
    for (;;) {
      read++
      yield mebibyte
    }
  }
  await expect(
    readBoundedInput(Readable.from(endless(), { highWaterMark: 1 }), 2 << 20),
  ).rejects.toThrow('standard input is longer than 2 MiB')
  expect(read).toBeLessThan(8)
})
