import { closeSync, linkSync, openSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { tree } from '../../../test/support/trees.ts'
import { createKernel, createSharedMemory, reserve, reservedBytes } from '../../kernel/kernel.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { textPlan } from '../../regex/regex.ts'
import { FileFlag, FileKind, FileTable, nowhere } from '../file-table.ts'
import { newFolder } from '../folder.ts'
import { rowBytesOf } from './blocks.ts'
import {
  FileIndexer,
  filterBytes,
  findCandidates,
  forEachFile,
  IndexStore,
  searchPlan,
  unreadableRecord,
} from './signatures.ts'
import type { FileRecord } from './signatures.ts'
import type { SearchRequest } from '../../search/search.ts'

const longAgo = 1_000_000_000n
const { known, ascii, plainCase, large, unreadable, hardLinked, racy } = FileFlag

interface Bench {
  kernel: Kernel
  table: FileTable
  store: IndexStore
  root: string
  indexer: FileIndexer
}

function bench(contentLimit = 1e9, isBuffered = false): Bench {
  const memory = createSharedMemory(64 << 20)
  if (memory === undefined) throw new Error('no shared memory')
  const kernel = createKernel(memory)
  const table = new FileTable()
  const store = new IndexStore(kernel, table, reserve(memory, filterBytes) as number)
  return {
    kernel,
    table,
    store,
    root: tree(),
    indexer: new FileIndexer(kernel, contentLimit, isBuffered),
  }
}

/** A time at which the file was not changed just now. */
const laterNs = (): bigint => BigInt(Date.now() + 60_000) * 1_000_000n

function index(
  { root, indexer }: Bench,
  text: string | Buffer,
  {
    nowNs = laterNs(),
    ...options
  }: { nowNs?: bigint; freeSpace?: IndexStore; signs?: boolean } = {},
): FileRecord {
  const file = path.join(root, 'file')
  writeFileSync(file, text)
  const fd = openSync(file, 'r')
  try {
    return indexer.index(fd, nowNs, options)
  } finally {
    closeSync(fd)
  }
}

const top = newFolder('', undefined)

function add(at: Bench, text: string | Buffer, freeSpace = false): number {
  const id = at.table.add(top, 'x', FileKind.file)
  at.store.apply(id, index(at, text, freeSpace ? { freeSpace: at.store } : {}))
  return id
}

describe('the record of a file', () => {
  test.each([
    ['ASCII', 'plain text\n', 11, ascii | plainCase],
    ['ASCII with CRLF', 'a\r\nb\rc\r\n', 6, ascii | plainCase],
    ['other letters', 'é漢😀\r\n', 4, plainCase],
    ['a dotted I', 'aİ', 2, 0],
    ['a Kelvin sign', 'aa\u212a', 3, 0],
    ['invalid UTF-8', Buffer.from([0x61, 0xff, 0xfe, 0xc3]), 4, plainCase],
    ['one character', 'a', 1, ascii | plainCase],
    ['nothing', '', 0, ascii | plainCase],
  ])('has the characters and the letters of %s', (_, text, chars, flags) => {
    const at = bench()
    const record = index(at, text)
    const { length } = Buffer.from(text)
    expect(record).toMatchObject({ chars, length, size: length, flags: known | flags })
    const { address = 0, bytes = 0 } = record.extent ?? {}
    expect(bytes).toBe(Math.ceil((length + 33) / 64) * 64)
    expect(
      Buffer.from(at.kernel.bytes().subarray(address, address + length)).equals(Buffer.from(text)),
    ).toBe(true)
    expect(record.slot === undefined).toBe(length < 3)
  })

  test('says whether it is large, linked, racy or unreadable', () => {
    const at = bench()
    const flagsOf = (record: FileRecord): number => record.flags & ~(ascii | plainCase)
    expect(flagsOf(index(at, Buffer.alloc(2_000_000, 'x')))).toBe(known)
    expect(index(at, Buffer.alloc(2_000_001, 'x'))).toMatchObject({
      ...{ flags: known | large, size: 2_000_001, chars: 0, length: 0, extent: undefined },
    })
    expect(flagsOf(index(at, 'x', { nowNs: longAgo }))).toBe(known | racy)
    linkSync(path.join(at.root, 'file'), path.join(at.root, 'link'))
    expect(flagsOf(index(at, 'x'))).toBe(known | hardLinked)
    const folder = openSync(at.root, 'r')
    expect(at.indexer.index(folder, 0n).flags).toBe(known | unreadable)
    closeSync(folder)
    expect(at.indexer.index(99_999, 0n)).toEqual(unreadableRecord())
    expect(unreadableRecord()).toEqual({
      ...{ flags: known | unreadable, size: 0, modified: 0n, changed: 0n, inode: 0n, chars: 0 },
      ...{ extent: undefined, length: 0, slot: undefined },
    })
  })

  test('has no content beyond the limit of contents, but a signature', () => {
    const at = bench(0)
    expect(index(at, 'some text')).toMatchObject({ extent: undefined, length: 9, chars: 9 })
    expect(index(at, 'some text').slot).toBeDefined()
    const { indexer, kernel } = bench()
    expect(indexer).toBeDefined()
    const used = reservedBytes(kernel.memory)
    const exact = bench(used + 128)
    expect(index(exact, 'x'.repeat(95)).extent?.bytes).toBe(128)
    const below = bench(used + 127)
    expect(index(below, 'x'.repeat(95)).extent).toBeUndefined()
  })

  test('has only the content if a signature is not wanted', () => {
    const record = index(bench(), 'some text', { signs: false })
    expect(record).toMatchObject({ flags: known, chars: 0, length: 9, slot: undefined })
    expect(record.extent?.bytes).toBe(64)
  })
})

const words = [
  'alpha',
  'beta',
  'gamma',
  'delta',
  'epsilon',
  'zeta',
  'eta',
  'theta',
  'iota',
  'Kappa',
]
const texts = words.flatMap((word, at) => [
  `${word} one\n`,
  `${words[(at + 3) % words.length]} ${word}`,
  `${'filler '.repeat(at * 40)}${word}\r\n`,
])

function found(at: Bench, plan: ReturnType<typeof textPlan>): number[] | undefined {
  const bits = findCandidates(plan, {
    kernel: at.kernel,
    store: at.store,
    files: at.table.names.length,
  })
  if (bits === undefined) return undefined
  const ids: number[] = []
  forEachFile(bits, (id) => ids.push(id))
  return ids
}

const containing = (word: string): number[] =>
  texts.flatMap((text, id) => (text.toLowerCase().includes(word.toLowerCase()) ? [id] : []))

describe('the signatures', () => {
  test.each([false, true])('find the files with a text in any case (buffered %s)', (isBuffered) => {
    const at = bench(1e9, isBuffered)
    for (const text of texts) add(at, text)
    at.indexer.flush()
    let more = 0
    for (const word of [...words, 'ALPHA', 'filler', 'theta one', 'nothing']) {
      const ids = found(at, textPlan(word, true)) ?? []
      const wanted = containing(word)
      expect(
        ids.filter((id) => wanted.includes(id)),
        word,
      ).toEqual(wanted)
      more += ids.length - wanted.length
    }
    // Buckets are shared, so that some files have to be searched in vain.
    expect(more).toBe(5)
    expect(at.store.signatureBytes).toBeGreaterThan(0)
    const sizes = at.store.blocks.map(({ size }) => rowBytesOf(size) << size)
    expect(at.store.signatureBytes).toBe(sizes.reduce((sum, size) => sum + size, 0))
  })

  test('answer plans that combine texts', () => {
    const at = bench()
    for (const text of texts) add(at, text)
    const [one, two, none] = ['beta', 'delta', 'nothing'].map((word) => textPlan(word, false)) as [
      ...[ReturnType<typeof textPlan>, ReturnType<typeof textPlan>, ReturnType<typeof textPlan>],
    ]
    const [short, everything] = [textPlan('be', false), { kind: 'everything' } as const]
    const [ones, twos] = [found(at, one) ?? [], found(at, two) ?? []]
    const either = [...new Set([...ones, ...twos])].sort((a, b) => a - b)
    const both = ones.filter((id) => twos.includes(id))
    expect([ones.length > 0, twos.length > 0, both.length < either.length]).toEqual([
      true,
      true,
      true,
    ])
    expect(found(at, { kind: 'all', of: [one, two] })).toEqual(both)
    expect(found(at, { kind: 'all', of: [one, none] })).toEqual([])
    expect(found(at, { kind: 'all', of: [one, short] })).toEqual(ones)
    expect(found(at, { kind: 'all', of: [everything, one] })).toEqual(ones)
    expect(found(at, { kind: 'all', of: [] })).toBeUndefined()
    expect(found(at, { kind: 'any', of: [one, two] })).toEqual(either)
    expect(found(at, { kind: 'any', of: [one, short] })).toBeUndefined()
    expect(found(at, { kind: 'any', of: [] })).toEqual([])
    expect([found(at, short), found(at, everything)]).toEqual([undefined, undefined])
  })

  test('find every file of a block', () => {
    const at = bench()
    const ids = Array.from({ length: 520 }, (_, count) => add(at, `word${count % 4} of this`))
    const inBlock = (number: number): number[] => ids.filter((id) => at.table.blocks[id] === number)
    expect([inBlock(0).length, inBlock(1).length]).toEqual([512, 8])
    for (const digit of [0, 1, 2, 3]) {
      const wanted = ids.filter((_, count) => count % 4 === digit)
      expect(found(at, textPlan(`word${digit}`, true))).toEqual(wanted)
    }
  })

  test('follow files that change, and use their memory again', () => {
    const at = bench()
    const ids = texts.map((text) => add(at, text, true))
    const { contentBytes } = at.store
    const [first] = ids as [number]
    const { blocks, columns, contents, capacities } = at.table
    const before = [blocks[first], columns[first], contents[first]]
    const bytes = capacities[first] as number
    at.store.release(first)
    expect(at.store.contentBytes).toBe(contentBytes - bytes)
    at.table.forget(first)
    expect(found(at, textPlan('alpha', false))).toEqual(containing('alpha').slice(1))
    at.store.apply(first, index(at, 'omega one\n', { freeSpace: at.store }))
    expect([blocks[first], columns[first], contents[first]]).toEqual(before)
    expect(at.store.contentBytes).toBe(contentBytes)
    expect(found(at, textPlan('omega', false))).toEqual([first])
    expect(found(at, textPlan('alpha', false))).toEqual(containing('alpha').slice(1))
  })

  test('of a record that is not needed are free at once', () => {
    const at = bench()
    const record = index(at, 'alpha one\n', { freeSpace: at.store })
    at.store.discard(record)
    expect(found(at, textPlan('alpha', false))).toEqual([])
    const again = index(at, 'gamma two\n', { freeSpace: at.store })
    expect([again.slot?.column, again.extent]).toEqual([record.slot?.column, record.extent])
    at.store.hasNoWriters = () => false
    at.store.discard(again)
    const next = index(at, 'gamma two\n', { freeSpace: at.store })
    expect(next.slot?.column).toBe((record.slot?.column ?? 0) + 1)
    at.store.discard(unreadableRecord())
  })

  test('are not there for short and large files, which are searched always', () => {
    const at = bench()
    const ids = [add(at, 'ab'), add(at, 'abc'), add(at, Buffer.alloc(2_000_001, 'x')), add(at, '')]
    expect([...at.store.unsigned]).toEqual([ids[2]])
    expect(ids.map((id) => at.table.blocks[id] === nowhere)).toEqual([true, false, true, true])
    for (const id of ids) at.store.release(id)
    expect(at.store.unsigned.size).toBe(0)
  })
})

test('a file keeps its state if only its content is filled in', () => {
  const at = bench()
  const id = add(at, 'some text')
  const record = { ...index(at, 'other one'), size: 9 }
  const own = {
    ...{
      changed: at.table.changed[id],
      modified: at.table.modified[id],
      inode: at.table.inodes[id],
    },
    ...{ size: 9, length: 9, extent: { address: 640, bytes: 64 } },
  }
  const bytes = at.store.contentBytes
  for (const change of [
    { changed: 1n },
    { modified: 1n },
    { inode: 1n },
    { size: 1 },
    { length: 1 },
  ]) {
    expect(at.store.fill(id, { ...record, ...own, ...change } as FileRecord)).toBe(false)
  }
  expect(at.store.fill(id, { ...record, ...own, extent: undefined } as FileRecord)).toBe(true)
  expect(at.store.contentBytes).toBe(bytes)
  expect(at.store.fill(id, { ...record, ...own } as FileRecord)).toBe(true)
  expect([at.table.contents[id], at.table.capacities[id], at.store.contentBytes]).toEqual([
    640,
    64,
    bytes + 64,
  ])
})

test('files of an inode with several names are found, also those that were read before', () => {
  const at = bench()
  const ids = [1n, 2n, 1n, 3n].map((inode) => {
    const id = at.table.add(top, 'x', FileKind.file)
    at.store.apply(id, { ...index(at, 'text'), inode })
    return id
  })
  expect([at.store.findHardLinks(), at.store.hardLinked.size]).toEqual([false, 0])
  at.store.addHardLink(1n)
  at.store.addHardLink(1n)
  at.table.flags[ids[2] as number] = 0
  expect([at.store.findHardLinks(), [...at.store.hardLinked]]).toEqual([true, [ids[0]]])
  expect(at.store.findHardLinks()).toBe(false)
  const later = at.table.add(top, 'x', FileKind.file)
  at.store.apply(later, { ...index(at, 'text'), inode: 1n })
  const linked = at.table.add(top, 'x', FileKind.file)
  at.store.apply(linked, { ...index(at, 'text'), inode: 9n, flags: known | hardLinked })
  expect([[...at.store.hardLinked], at.store.findHardLinks()]).toEqual([
    [ids[0], later, linked],
    true,
  ])
  at.store.release(later)
  expect(at.store.hardLinked.has(later)).toBe(false)
})

test('a link shares the memory of its target, so that nothing is free after it', () => {
  const at = bench()
  const id = at.table.add(top, 'x', FileKind.link)
  at.store.apply(id, index(at, 'some text'))
  const { contentBytes } = at.store
  at.store.release(id)
  expect([at.store.contentBytes, at.store.takeExtent(42)]).toEqual([contentBytes, undefined])
})

test.each([
  [
    { pattern: 'abc', regex: false, caseSensitive: true },
    { kind: 'all', of: [textPlan('abc', false)] },
  ],
  [
    { pattern: 'aBc', regex: false, caseSensitive: false },
    { kind: 'all', of: [textPlan('aBc', true)] },
  ],
  [
    { pattern: '\ufffdab\ufffdcd', regex: false, caseSensitive: true },
    { kind: 'all', of: [textPlan('ab', false), textPlan('cd', false)] },
  ],
  [
    { pattern: '\ufffd', regex: false, caseSensitive: true },
    { kind: 'all', of: [] },
  ],
])('the plan of %j has the texts that each match has', (request, plan) => {
  expect(searchPlan(request as SearchRequest)).toEqual(plan)
})
