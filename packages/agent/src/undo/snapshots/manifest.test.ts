import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { KnownCopies, Manifest } from './manifest.ts'
import {
  equalSignatures,
  readKnownCopies,
  readManifest,
  removeManifest,
  signatureOf,
  writeKnownCopies,
  writeManifest,
} from './manifest.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'zee-manifest-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
const modeOf = (name: string) => statSync(path.join(folder, name)).mode & 0o777

const manifest: Manifest = {
  root: '/project',
  git: { folder: '/project/.git', index: 's.index', source: [1, 2, 3.5, 4.25] },
  startedMs: 5,
  isComplete: true,
  files: { a: { mode: 0o644, signature: [1, 2, 3, 4], state: { kind: 'link', target: 'b' } } },
  absent: ['gone'],
  ignored: ['build/'],
  folders: { f: 0o755 },
}

it('a signature is the inode, the size and both times', () => {
  const stats = statSync(folder)
  expect(signatureOf(stats)).toEqual([stats.ino, stats.size, stats.mtimeMs, stats.ctimeMs])
  expect(equalSignatures([1, 2, 3, 4], [1, 2, 3, 4])).toBe(true)
  for (const other of [[0, 2, 3, 4] as const, [1, 0, 3, 4] as const, [1, 2, 3, 0] as const]) {
    expect(equalSignatures([1, 2, 3, 4], other)).toBe(false)
  }
})

it('a manifest is private, and is removed with its index', async () => {
  await writeManifest(folder, 's.json', manifest)
  expect(modeOf('s.json')).toBe(0o600)
  expect(readManifest(folder, 's.json')).toEqual(manifest)
  for (const name of ['s.index', 'kept']) writeFileSync(path.join(folder, name), '')
  removeManifest(folder, 's.json', manifest)
  expect(readdirSync(folder)).toEqual(['kept'])
  removeManifest(folder, 's.json', manifest)
  const { git: _git, ...plain } = manifest
  await writeManifest(folder, 'p.json', plain)
  removeManifest(folder, 'p.json', plain)
  expect(existsSync(path.join(folder, 'p.json'))).toBe(false)
})

it('a manifest that is missing or damaged is undefined', () => {
  writeFileSync(path.join(folder, 'torn.json'), '{"root":"/pro')
  expect(readManifest(folder, 'torn.json')).toBeUndefined()
  expect(readManifest(folder, 'none.json')).toBeUndefined()
})

it('known copies are kept in a private file, and are none if it is missing or damaged', async () => {
  const known: KnownCopies = {
    a: { signature: [1, 2, 3, 4], state: { kind: 'file', mode: 0o644, size: 1, hash: 'h' } },
  }
  expect(readKnownCopies(folder)).toEqual({})
  await writeKnownCopies(folder, known)
  expect(readKnownCopies(folder)).toEqual(known)
  expect(readdirSync(folder)).toEqual(['known.json'])
  expect(modeOf('known.json')).toBe(0o600)
  writeFileSync(path.join(folder, 'known.json'), '{')
  expect(readKnownCopies(folder)).toEqual({})
})
