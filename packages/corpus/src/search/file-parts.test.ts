import { closeSync, openSync } from 'node:fs'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { tree } from '../../test/support/trees.ts'
import { FileParts } from './file-parts.ts'

const partBytes = 8 << 20

/** Lengths of the parts of a file with this content. */
function partsOf(content: Buffer, size = content.length): number[] {
  const fd = openSync(path.join(tree({ file: content }), 'file'), 'r')
  onTestFinished(() => closeSync(fd))
  const parts = new FileParts(fd, size)
  const lengths: number[] = []
  let at = 0
  for (let part = parts.next(); part !== undefined; part = parts.next()) {
    expect(part.bytes.equals(content.subarray(at, at + part.bytes.length))).toBe(true)
    expect(part.shared.byteLength).toBeGreaterThanOrEqual(part.bytes.length)
    at += part.bytes.length
    lengths.push(part.bytes.length)
  }
  return lengths
}

/** A content of this length with a text at each of some offsets. */
function contentOf(length: number, ...texts: [offset: number, text: string][]): Buffer {
  const content = Buffer.alloc(length, 'a')
  for (const [offset, text] of texts) content.write(text, offset)
  return content
}

test.each<[string, number[], Buffer]>([
  ['no bytes', [], contentOf(0)],
  ['less than a part', [9], contentOf(9, [3, '\n'])],
  ['exactly one part', [partBytes], contentOf(partBytes)],
  ['a line end in the first part', [4, partBytes], contentOf(partBytes + 4, [3, '\n'])],
  [
    'a line end at the end of a part',
    [partBytes, 1],
    contentOf(partBytes + 1, [partBytes - 1, '\n']),
  ],
  ['a CR in the first part', [4, partBytes], contentOf(partBytes + 4, [3, '\r'])],
  ['CR and LF in the first part', [5, partBytes], contentOf(partBytes + 5, [3, '\r\n'])],
  [
    'a pair over the end of a part',
    [4, partBytes - 2],
    contentOf(partBytes + 2, [3, '\n'], [partBytes - 1, '\r\n']),
  ],
  [
    'a CR at the end of a part, as its only line end',
    [2 * partBytes, 9],
    contentOf(2 * partBytes + 9, [partBytes - 1, '\r\n'], [2 * partBytes - 1, '\n']),
  ],
  [
    'a line of two parts',
    [2 * partBytes, 9],
    contentOf(2 * partBytes + 9, [2 * partBytes - 1, '\n']),
  ],
  ['no line end at all', [partBytes + 9], contentOf(partBytes + 9)],
])('a file with %s has parts that end at line ends', (_, lengths, content) => {
  // The last part needs no line end, so only its start counts.
  expect(partsOf(content)).toEqual(lengths)
})

test('a file that became shorter ends with its last bytes', () => {
  expect(partsOf(contentOf(5), 9)).toEqual([5])
  expect(partsOf(contentOf(0), 9)).toEqual([])
})
