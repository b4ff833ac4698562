import { chmodSync, closeSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { tree } from '../../../test/support/trees.ts'
import { openCorpusRoot } from '../../root/root.ts'
import type { CorpusRoot } from '../../root/root.ts'
import { checksumOf } from './checksum.ts'
import { columnsBytes } from './columns.ts'
import type { ColumnLengths } from './columns.ts'
import { snapshotFacts } from './facts.ts'
import { codeChecksum, encodeHeader, headerBytes } from './header.ts'
import type { SnapshotHeader } from './header.ts'
import { denyKey, openOwned, openSnapshot, readColumns, sortedOmitted } from './open.ts'
import { snapshotHeader } from './read-header.ts'
import { snapshotVersion } from './version.ts'

const names = [
  ...['folderMarks', 'modified', 'changed', 'inodes', 'sizes', 'chars', 'entries', 'firstEntries'],
  ...['lengths', 'blocks', 'places', 'kinds', 'flags', 'folderStates', 'blockSizes', 'names'],
  ...['folderNames', 'folderAccess'],
]
const lengths = Object.fromEntries(names.map((name, at) => [name, at])) as ColumnLengths
const size = columnsBytes(lengths)
const columns = Buffer.alloc(size, 'columns!')
const signatures = Buffer.alloc(128, 'bits')
const sumOf = (bytes: Buffer): string =>
  checksumOf(new Int32Array(new Uint8Array(bytes).buffer, 0, bytes.length / 4))

let root: CorpusRoot
let file: string
let opened: number[] = []

beforeEach(() => {
  const base = tree({ 'root/a': 'x', 'root/b': 'y' })
  const omit = ['b', 'a'].map((name) => path.join(base, 'root', name))
  root = openCorpusRoot(path.join(base, 'root'), { omit, deny: { globs: ['x'], secrets: false } })
  file = path.join(base, 'file.snapshot')
})

afterEach(() => {
  for (const fd of opened) closeSync(fd)
  opened = []
})

type Parts = Partial<Record<keyof SnapshotHeader, unknown>>

function write(parts: Parts = {}, body = Buffer.concat([columns, signatures])): void {
  const header = {
    ...{ version: snapshotVersion, code: codeChecksum(), root: root.folder.path },
    ...{ omitted: ['a', 'b'], deny: denyKey(root), created: 'now', files: 1, lengths },
    columns: { at: headerBytes, bytes: size, sum: sumOf(columns) },
    signatures: { at: headerBytes + size, bytes: signatures.length, sum: sumOf(signatures) },
    ...parts,
  }
  const head = encodeHeader(header as SnapshotHeader) as Buffer
  writeFileSync(file, Buffer.concat([head, body]), { mode: 0o600 })
}

function open(at: CorpusRoot = root) {
  const found = openSnapshot(file, at)
  if (found !== undefined) opened.push(found.fd)
  return found
}

describe('a snapshot file', () => {
  test('is opened with its header and its columns', () => {
    write()
    const found = open()
    expect(found?.header).toMatchObject({ root: root.folder.path, files: 1, lengths })
    const memory = found && readColumns(found)
    expect(memory && Buffer.from(memory).equals(columns)).toBe(true)
    expect(snapshotHeader(file)).toEqual(found?.header)
  })

  const at = headerBytes
  test.each<[string, Parts]>([
    ['columns elsewhere', { columns: { at: at + 1, bytes: size, sum: '' } }],
    ['other columns', { columns: { at, bytes: size + 64, sum: '' } }],
    ['columns without a sum', { columns: { at, bytes: size } }],
    ['columns of a broken size', { columns: { at, bytes: `${size}`, sum: '' } }],
    ['columns at no place', { columns: { at: null, bytes: size, sum: '' } }],
    ['signatures elsewhere', { signatures: { at: at + size + 64, bytes: 128, sum: '' } }],
    ['fewer signatures', { signatures: { at: at + size, bytes: 64, sum: '' } }],
    ['more signatures', { signatures: { at: at + size, bytes: 192, sum: '' } }],
    ['signatures without a sum', { signatures: { at: at + size, bytes: 128, sum: 5 } }],
    ['no signatures', { signatures: null }],
  ])('with %s is invalid', (_, parts) => {
    write(parts)
    expect([open(), snapshotHeader(file)]).toEqual([undefined, undefined])
  })

  test.each<[string, Parts]>([
    ['another root', { root: '/' }],
    ['other omitted files', { omitted: ['a'] }],
    ['omitted files in another order', { omitted: ['b', 'a'] }],
    ['other rules', { deny: 'null' }],
  ])('of %s is valid, but not opened', (_, parts) => {
    write(parts)
    expect(open()).toBeUndefined()
    expect(snapshotHeader(file)?.files).toBe(1)
  })

  test('with other columns than those of the sum has none', () => {
    write({ columns: { at, bytes: size, sum: 'x' } })
    const found = open()
    expect(found && readColumns(found)).toBeUndefined()
  })

  test('that is cut while it is read has no columns', () => {
    write()
    const found = open()
    writeFileSync(file, readFileSync(file).subarray(0, at + size - 1))
    expect(found && readColumns(found)).toBeUndefined()
  })

  test('is opened only if no other user can write it', () => {
    write()
    for (const [mode, expected] of [
      [0o600, true],
      [0o644, true],
      [0o620, false],
      [0o602, false],
    ] as const) {
      chmodSync(file, mode)
      const fd = openOwned(file)
      if (fd !== undefined) opened.push(fd)
      expect(fd !== undefined, mode.toString(8)).toBe(expected)
    }
    chmodSync(file, 0o600)
    symlinkSync(file, `${file}.link`)
    mkdirSync(`${file}.folder`)
    for (const other of [`${file}.link`, `${file}.folder`, `${file}.none`]) {
      expect(openOwned(other)).toBeUndefined()
      expect(snapshotHeader(other)).toBeUndefined()
    }
  })

  test('has facts, without those of its header if that is invalid', async () => {
    write()
    const bytes = headerBytes + size + 128
    const facts = { file, bytes, root: root.folder.path, created: 'now', files: 1 }
    expect(await snapshotFacts(file)).toEqual(facts)
    writeFileSync(file, 'x')
    const none = { root: null, created: null, files: null }
    expect(await snapshotFacts(file)).toEqual({ file, bytes: 1, ...none })
    expect(await snapshotFacts(`${file}.none`)).toBeUndefined()
    expect(await snapshotFacts(path.dirname(file))).toBeUndefined()
  })
})

test('rules and omitted files are compared as text', () => {
  expect(denyKey({ ...root, deny: undefined })).toBe('null')
  expect(denyKey(root)).toBe('{"globs":["x"],"secrets":false}')
  expect(sortedOmitted(root)).toEqual(['a', 'b'])
  expect([...root.omitted]).toEqual(['b', 'a'])
})
