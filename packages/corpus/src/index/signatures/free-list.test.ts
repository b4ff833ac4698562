import { expect, test } from 'vitest'
import { FreeList, roundUp } from './free-list.ts'

test.each([
  ...[
    [1, 16],
    [15, 16],
    [16, 16],
    [17, 32],
    [63, 64],
    [64, 64],
    [65, 80],
    [127, 128],
    [128, 128],
  ],
  ...[
    [129, 160],
    [160, 160],
    [161, 192],
    [255, 256],
    [257, 320],
    [1025, 1280],
    [4096, 4096],
  ],
])('%i bytes are rounded up to %i', (bytes, rounded) => {
  expect(roundUp(bytes)).toBe(rounded)
})

test('memory is given again for sizes that fit', () => {
  const free = new FreeList()
  expect(free.take(64)).toBeUndefined()
  free.give({ address: 1, bytes: 80 })
  free.give({ address: 2, bytes: 95 })
  free.give({ address: 3, bytes: 96 })
  expect([free.take(97), free.take(64), free.take(81)?.address]).toEqual([undefined, undefined, 3])
  expect([free.take(80), free.take(65), free.take(80)]).toEqual([
    { address: 2, bytes: 95 },
    { address: 1, bytes: 80 },
    undefined,
  ])
})
