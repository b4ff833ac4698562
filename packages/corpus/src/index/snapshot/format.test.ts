import { describe, expect, test } from 'vitest'
import { Checksum, checksumAt, checksumOf } from './checksum.ts'
import { areLengths, columnsBytes, columnsIn, packTexts, unpackTexts } from './columns.ts'
import type { ColumnLengths } from './columns.ts'
import { codeChecksum, decodeHeader, encodeHeader, headerBytes, maxHeaderText } from './header.ts'
import type { SnapshotHeader } from './header.ts'
import { isSnapshotName, snapshotName, snapshotVersion } from './version.ts'
import { createKernel, createSharedMemory, reserve } from '../../kernel/kernel.ts'

/** The sum in arithmetic of integers of any size. */
function expectedSum(words: readonly number[]): string {
  const lanes = [0x811c9dc5n, 0x2545f491n, 0x9e3779b1n, 0x7f4a7c15n]
  for (const [at, word] of words.entries()) {
    const lane = lanes[at % 4] as bigint
    lanes[at % 4] = ((lane ^ BigInt(word >>> 0)) * 0x01000193n) & 0xffffffffn
  }
  return lanes.map((lane) => lane.toString(16).padStart(8, '0')).join('')
}

const words = Array.from({ length: 64 }, (_, at) => Math.imul(at * 31 + 7, 2_654_435_761))

test.each([0, 4, 8, 64])('the checksum of %i words is an FNV-1a sum in four lanes', (count) => {
  const some = words.slice(0, count)
  expect(checksumOf(Int32Array.from(some))).toBe(expectedSum(some))
  const sum = new Checksum()
  sum.add(Int32Array.from(some.slice(0, 4)))
  sum.add(Int32Array.from(some.slice(4)))
  expect(sum.text).toBe(expectedSum(some))
})

test('a checksum keeps leading zeroes', () => {
  const found = Array.from({ length: 400 }, (_, at) => checksumOf(Int32Array.of(at, 0, 0, 0)))
  expect(found.every((sum) => sum.length === 32)).toBe(true)
  expect(found.some((sum) => sum.startsWith('00'))).toBe(true)
})

test('the kernel computes the same checksum', () => {
  const memory = createSharedMemory(1 << 20)
  const address = memory && reserve(memory, 256)
  const scratch = memory && reserve(memory, 16)
  if (memory === undefined || address === undefined || scratch === undefined) throw new Error()
  new Int32Array(memory.buffer, address, 64).set(words)
  const kernel = createKernel(memory)
  for (const count of [0, 4, 32, 64]) {
    expect(checksumAt(kernel, address, count * 4, scratch)).toBe(expectedSum(words.slice(0, count)))
  }
})

test('the name of a snapshot has the checksum of the root and the version', () => {
  const mark = (root: string): string => {
    const bytes = [...Buffer.from(root)]
    const lanes = Math.max(1, bytes.length)
    return expectedSum(
      Array.from({ length: lanes * 4 }, (_, at) => (bytes[at >> 2] ?? 0) + (at % 4) * 256),
    )
  }
  expect(snapshotVersion).toBe(3)
  for (const root of ['', '/', '/home/me', '/é']) {
    expect(snapshotName(root)).toBe(`${mark(root)}-v3.snapshot`)
    expect(isSnapshotName(snapshotName(root), root)).toBe(true)
    expect(isSnapshotName(`${mark(root)}-v12.snapshot`, root)).toBe(true)
  }
  const hex = '0123456789abcdef'.repeat(2)
  expect(isSnapshotName(`${hex}-v1.snapshot`)).toBe(true)
  expect(isSnapshotName(`${hex}-v1.snapshot`, '/home')).toBe(false)
  for (const name of [`x${hex}-v1.snapshot`, `${hex}-v.snapshot`, `${hex}-v1.snapshot.tmp`, '']) {
    expect(isSnapshotName(name)).toBe(false)
  }
})

const names = [
  ...['folderMarks', 'modified', 'changed', 'inodes', 'sizes', 'chars', 'entries', 'firstEntries'],
  ...['lengths', 'blocks', 'places', 'kinds', 'flags', 'folderStates', 'blockSizes', 'names'],
  ...['folderNames', 'folderAccess'],
] as const
const widths = [8, 8, 8, 8, 8, 8, 4, 4, 4, 4, 2, 1, 1, 1, 1, 1, 1, 1]
const lengthsOf = (length: (at: number) => number): ColumnLengths =>
  Object.fromEntries(names.map((name, at) => [name, length(at)])) as ColumnLengths

describe('columns', () => {
  test('are adjacent, each at a multiple of 64 bytes', () => {
    expect(columnsBytes(lengthsOf(() => 0))).toBe(0)
    expect(columnsBytes(lengthsOf(() => 1))).toBe(18 * 64)
    expect(columnsBytes(lengthsOf(() => 8))).toBe(18 * 64)
    expect(columnsBytes(lengthsOf(() => 9))).toBe(6 * 128 + 12 * 64)
    const lengths = lengthsOf((at) => at * 5)
    const memory = new SharedArrayBuffer(columnsBytes(lengths))
    const columns = columnsIn(memory, lengths)
    let at = 0
    for (const [index, name] of names.entries()) {
      const column = columns[name]
      expect([column.byteOffset, column.length, column.BYTES_PER_ELEMENT]).toEqual([
        ...[at, index * 5, widths[index]],
      ])
      at += Math.ceil((index * 5 * (widths[index] as number)) / 64) * 64
    }
    expect(memory.byteLength).toBe(at)
  })

  test.each([
    [0, true],
    [2 ** 31 - 1, true],
    [2 ** 31, false],
    [-1, false],
    [0.5, false],
    ['1', false],
    [undefined, false],
  ])('may have a length of %j: %j', (length, expected) => {
    expect(areLengths({ ...lengthsOf(() => 1), chars: length })).toBe(expected)
  })

  test('have a length each', () => {
    for (const value of [null, undefined, 1, 'x', {}, []]) expect(areLengths(value)).toBe(false)
  })

  test('have texts that end with a zero', () => {
    for (const texts of [[], [''], ['a'], ['a', '', 'é', '']]) {
      expect(packTexts(texts).toString()).toBe(texts.map((text) => `${text}\0`).join(''))
      expect(unpackTexts(packTexts(texts))).toEqual(texts)
    }
  })
})

const header: SnapshotHeader = {
  ...{ version: snapshotVersion, code: codeChecksum(), root: '/r', omitted: ['a'], deny: 'null' },
  ...{ created: '2026-01-01T00:00:00Z', files: 3, lengths: lengthsOf(() => 1) },
  columns: { at: 4096, bytes: 1152, sum: 'x' },
  signatures: { at: 5248, bytes: 0, sum: 'y' },
}

function encoded(parts: Partial<Record<keyof SnapshotHeader, unknown>> = {}): Buffer {
  return encodeHeader({ ...header, ...parts } as SnapshotHeader) as Buffer
}

describe('a header', () => {
  test('has a mark, its length, a checksum of the whole and its JSON', () => {
    const bytes = encoded()
    expect([bytes.length, headerBytes, maxHeaderText]).toEqual([4096, 4096, 4032])
    const json = JSON.stringify(header)
    expect(bytes.toString('latin1', 0, 8)).toBe('zenosnap')
    expect(bytes.readUInt32LE(8)).toBe(json.length)
    expect(bytes.toString('utf8', 64, 64 + json.length)).toBe(json)
    expect(bytes.subarray(64 + json.length).every((byte) => byte === 0)).toBe(true)
    const plain = Buffer.from(bytes)
    plain.fill(0, 16, 48)
    const all = Array.from({ length: 1024 }, (_, at) => plain.readInt32LE(at * 4))
    expect(bytes.toString('latin1', 16, 48)).toBe(expectedSum(all))
    expect(decodeHeader(bytes)).toEqual(header)
  })

  test('is invalid if any byte differs', () => {
    const bytes = encoded()
    for (const at of [0, 7, 8, 11, 12, 15, 16, 31, 47, 48, 63, 64, 100, 4032, 4095]) {
      const other = Buffer.from(bytes)
      other[at] = (other[at] as number) ^ 1
      expect(decodeHeader(other), `byte ${at}`).toBeUndefined()
    }
    expect(decodeHeader(bytes.subarray(0, 4095))).toBeUndefined()
    expect(decodeHeader(Buffer.concat([bytes, Buffer.alloc(1)]))).toBeUndefined()
  })

  test('fits if its JSON has at most 4,032 bytes', () => {
    const spare = maxHeaderText - JSON.stringify(header).length
    const root = (more: number): string => `/r${'x'.repeat(spare + more)}`
    expect(decodeHeader(encoded({ root: root(0) }))?.root).toBe(root(0))
    expect(encodeHeader({ ...header, root: root(1) })).toBeUndefined()
  })

  test.each([
    ['another version', { version: 2 }],
    ['a newer version', { version: 4 }],
    ['other code', { code: 'x' }],
    ['no lengths', { lengths: {} }],
    ['a negative length', { lengths: lengthsOf(() => -1) }],
  ])('with %s is invalid', (_, parts) => {
    expect(decodeHeader(encoded(parts))).toBeUndefined()
  })
})
