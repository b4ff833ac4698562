import { describe, expect, it } from 'vitest'
import { displayPath, foldersOf, joinRaw, parentOf, pathBuffer, rawPath } from './raw-path.ts'

describe('a raw path', () => {
  it('has one character per byte', () => {
    expect(rawPath('a/ü')).toBe('a/\xc3\xbc')
    expect(displayPath('a/\xc3\xbc')).toBe('a/ü')
    expect(displayPath('\xff')).toBe('\ufffd')
  })

  it.each<[string, Buffer | string]>([
    ['a/b', 'a/b'],
    ['', ''],
    ['\u007f', '\u007f'],
    ['\u0080', Buffer.from([0x80])],
    ['a\xff', Buffer.from([0x61, 0xff])],
  ])('%j is passed to the system as %j', (raw, expected) => {
    expect(pathBuffer(raw)).toEqual(expected)
  })

  it.each([
    ['/a/b', '/a'],
    ['a/b/c', 'a/b'],
    ['a', ''],
    ['/a', ''],
    ['', ''],
  ])('%j has the parent %j', (raw, parent) => {
    expect(parentOf(raw)).toBe(parent)
  })

  it('is joined to a folder, and the folder itself if it is empty', () => {
    expect(joinRaw('/root', 'a')).toBe('/root/a')
    expect(joinRaw('/root', '')).toBe('/root')
  })
})

describe('the folders of paths', () => {
  it.each<[string[], string[]]>([
    [[], []],
    [['a'], []],
    [['a/b'], ['a']],
    [
      ['a/b', 'a/c', 'd/e/f', 'g'],
      ['a', 'd/e', 'd'],
    ],
    [
      ['x/y/1', 'x/2', 'x/y/z/3'],
      ['x/y', 'x', 'x/y/z'],
    ],
  ])('of %j are %j', (paths, folders) => {
    expect([...foldersOf(paths)]).toEqual(folders)
  })
})
