import { closeSync, openSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { tree } from '../../../test/support/trees.ts'
import { createKernel, createSharedMemory } from '../../kernel/kernel.ts'
import { columnsOf, rowBytesOf } from './blocks.ts'
import type { Block } from './blocks.ts'
import { FileIndexer } from './signatures.ts'

/** An indexer that caches no contents, and a descriptor of a file with the text. */
function indexerOf(text: string): { indexer: FileIndexer; fd: number } {
  const memory = createSharedMemory(64 << 20)
  if (memory === undefined) throw new Error('no shared memory')
  const fd = openSync(path.join(tree({ file: text }), 'file'), 'r')
  onTestFinished(() => closeSync(fd))
  return { indexer: new FileIndexer(createKernel(memory), 0), fd }
}

function blockOf(text: string): Block | undefined {
  const { indexer, fd } = indexerOf(text)
  return indexer.index(fd, 0n).slot?.block
}

/** A text of letters in which trigrams seldom repeat. */
function randomText(length: number): string {
  let state = 7
  const codes = Array.from({ length }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return 0x61 + ((state >>> 12) % 26)
  })
  return String.fromCharCode(...codes)
}

describe('the size of a signature', () => {
  test('grows with the trigrams of the text', () => {
    const sizes = [3, 10, 17, 18, 19, 34, 35, 66, 67, 130, 131, 1000, 2000, 5000, 20_000].map(
      (length) => [length, blockOf(randomText(length))?.size],
    )
    // Four buckets for each trigram, of which at least 64; the number of trigrams is an estimate.
    expect(sizes).toEqual([
      ...[
        [3, 6],
        [10, 6],
        [17, 6],
        [18, 6],
        [19, 7],
        [34, 8],
        [35, 8],
        [66, 9],
        [67, 9],
      ],
      ...[
        [130, 10],
        [131, 10],
        [1000, 12],
        [2000, 13],
        [5000, 15],
        [20_000, 16],
      ],
    ])
    const repeated = blockOf('abc'.repeat(5000))
    expect(repeated).toMatchObject({ size: 6, columns: 512 })
    expect(blockOf(randomText(20_000))?.columns).toBe(128)
  })

  test('shrinks to a half and to a quarter where signatures take too much of the memory', () => {
    const text = randomText(20_000)
    const { indexer, fd } = indexerOf(text)
    const best = indexer.index(fd, 0n).slot?.block.size ?? 0
    let [textBytes, used] = [(16 << 20) + text.length, 2 ** best / 8]
    const found: number[] = []
    const expected: number[] = []
    for (let count = 0; count < 330; count++) {
      textBytes += text.length
      const left = textBytes * 0.095 - used
      const size = [best, best - 1].find((each) => 2 ** each / 8 <= left) ?? best - 2
      used += 2 ** size / 8
      expected.push(size)
      found.push(indexer.index(fd, 0n).slot?.block.size ?? -1)
    }
    expect(found).toEqual(expected)
    expect(new Set(found)).toEqual(new Set([best, best - 2]))
  })
})

test.each([
  [6, 512, 64],
  [13, 512, 64],
  [14, 128, 16],
  [18, 128, 16],
])('a block of size %i has %i columns in rows of %i bytes', (size, columns, bytes) => {
  expect([columnsOf(size), rowBytesOf(size)]).toEqual([columns, bytes])
})
