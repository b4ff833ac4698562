import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scanFolder, tooLargeText } from './folder-scan.ts'
import { rawPath } from './raw-path.ts'

let root: string
beforeAll(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-scan-')))
  mkdirSync(path.join(root, 'a/b'), { recursive: true })
  mkdirSync(path.join(root, 'out'))
  chmodSync(path.join(root, 'a'), 0o1751)
  writeFileSync(path.join(root, 'one'), '1')
  writeFileSync(path.join(root, 'a/zü'), '22')
  writeFileSync(path.join(root, 'a/b/three'), '333')
  writeFileSync(path.join(root, 'out/four'), '4444')
  symlinkSync('a', path.join(root, 'link'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const scan = (files: number, bytes: number) =>
  scanFolder(rawPath(root), { files, bytes }, (each) => each === 'out')

describe('the scan of a folder', () => {
  it('lists files, links and folders that are not excluded', () => {
    const found = scan(Infinity, Infinity)
    if ('tooLarge' in found) throw new Error(found.tooLarge)
    expect([...found.files].map(([name, stats]) => [name, stats.size]).toSorted()).toEqual([
      ['a/b/three', 3],
      [rawPath('a/zü'), 2],
      ['link', 1],
      ['one', 1],
    ])
    expect([...found.folders.keys()].toSorted()).toEqual(['a', 'a/b'])
    expect(found.folders.get('a')).toBe(0o1751)
  })

  it('counts links as files, and only the bytes of files', () => {
    expect(scan(4, 6)).toHaveProperty('files')
    expect(scan(3, 6)).toEqual({ tooLarge: 'the project has more than 3 files' })
    expect(scan(4, 5)).toEqual({ tooLarge: 'the files of the project need more than 0 MiB' })
  })

  it('is empty for a folder that cannot be read', () => {
    const none = scanFolder(rawPath(path.join(root, 'none')), { files: 1, bytes: 1 }, () => false)
    expect(none).toEqual({ files: new Map(), folders: new Map() })
  })
})

it.each([
  [6, 0, 'the project has more than 5 things'],
  [5, 1, 'the things of the project need more than 10240 MiB'],
])('%i files and %i bytes exceed the limit: %s', (files, bytes, text) => {
  expect(tooLargeText(files, bytes, { files: 5, bytes: 10 * 1024 ** 3 }, 'things')).toBe(text)
})
