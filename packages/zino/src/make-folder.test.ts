import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { tempFolder } from '../test/temp-folder.ts'
import { makeFolder } from './make-folder.ts'

const modeOf = (file: string) => statSync(file).mode & 0o777

describe('makeFolder', () => {
  it.each([0o700, 0o750] as const)(
    'creates the folder and its parents with mode %o under umask 0',
    (mode) => {
      const folder = path.join(tempFolder(), 'a/b/c')
      const before = process.umask(0)
      try {
        makeFolder(folder, mode, 'it')
      } finally {
        process.umask(before)
      }
      expect([folder, path.dirname(folder)].map(modeOf)).toEqual([mode, mode])
    },
  )

  it('does not change an existing folder', () => {
    const folder = path.join(tempFolder(), 'a')
    mkdirSync(folder)
    chmodSync(folder, 0o711)
    makeFolder(folder, 0o700, 'it')
    expect(modeOf(folder)).toBe(0o711)
  })

  it.each(['file', 'file/below'])(
    'names the path in the error when %s cannot be created',
    (name) => {
      const folder = tempFolder()
      writeFileSync(path.join(folder, 'file'), '')
      expect(() => makeFolder(path.join(folder, name), 0o700, 'the place')).toThrow(
        /^cannot make the place .*file/,
      )
    },
  )

  it.runIf(process.platform === 'linux')('fails instead of looping below /proc', () => {
    expect(() => makeFolder('/proc/zino/a', 0o700, 'the place')).toThrow(/cannot make the place/)
  })
})
