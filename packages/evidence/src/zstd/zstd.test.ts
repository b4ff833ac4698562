import { expect, it } from 'vitest'
import { zstdDecoder } from './zstd.ts'

const tooLarge = expect.objectContaining({ code: 'ERR_BUFFER_TOO_LARGE' }) as Error

/** A frame with `blocks` blocks of 128 KiB, each of one repeated byte, as zstd writes them. */
function bomb(blocks: number): Buffer {
  const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58])
  const block = (isLast: boolean) => {
    const bytes = Buffer.alloc(4)
    bytes.writeUIntLE((Number(isLast) | (1 << 1) | ((128 << 10) << 3)) >>> 0, 0, 3)
    bytes[3] = 0x61
    return bytes
  }
  return Buffer.concat([
    head,
    ...Array.from({ length: blocks }, (_, index) => block(index === blocks - 1)),
  ])
}

it('a small file whose content is larger than the limit is refused', async () => {
  const unzstd = await zstdDecoder()
  const size = 8 * (128 << 10)
  expect(unzstd(bomb(8), size).equals(Buffer.alloc(size, 'a'))).toBe(true)
  expect(() => unzstd(bomb(8), size - 1)).toThrow(tooLarge)
  // 4 GiB of content in 128 KiB.
  expect(() => unzstd(bomb(32 << 10), 1 << 20)).toThrow(tooLarge)
})
