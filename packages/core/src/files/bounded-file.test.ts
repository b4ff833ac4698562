// Files that others name, and that may never end.
import { execFileSync } from 'node:child_process'
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import { readBoundedFile, readBoundedText, tryBoundedFile } from './bounded-file.ts'

let file: string

beforeEach(() => {
  file = path.join(tempFolder(), 'file')
})

describe('a file read up to a bound', () => {
  it.each([0, 1, 4095, 4096, 4097, 100_000])('has all of its %i bytes', (bytes) => {
    const text = 'x'.repeat(bytes)
    writeFileSync(file, text)
    expect(readBoundedFile(file).toString()).toBe(text)
    expect(readBoundedText(file, { maxBytes: bytes })).toBe(text)
    if (bytes === 0) return
    const refusal = { code: 'too_large', reason: `it is larger than ${bytes - 1} bytes` }
    expect(tryBoundedFile(file, { maxBytes: bytes - 1 })).toEqual(refusal)
  })

  it('reports no size, as in /proc', () => {
    expect(readBoundedText('/proc/self/stat')).toMatch(/^\d+ \(/)
    expect(readBoundedFile('/proc/self/environ', { maxBytes: 1 << 24 }).length).toBeGreaterThan(0)
    const few = () => readBoundedFile('/proc/self/stat', { maxBytes: 9 })
    expect(few).toThrow('cannot read /proc/self/stat: it is larger than 9 bytes')
  })

  it('is refused if it is a pipe, a folder, endless or sparse', () => {
    const folder = path.dirname(file)
    execFileSync('mkfifo', [file])
    expect(() => readBoundedFile(file)).toThrow(
      expect.objectContaining({
        code: 'not_a_file',
        message: `cannot read ${file}: it is not a regular file`,
      }),
    )
    expect(() => readBoundedText(folder)).toThrow(`cannot read ${folder}: it is a folder`)
    const endless = path.join(folder, 'endless')
    symlinkSync('/dev/zero', endless)
    expect(() => readBoundedText(endless)).toThrow(
      `cannot read ${endless}: it is larger than 16 MiB`,
    )
    const sparse = path.join(folder, 'sparse')
    writeFileSync(sparse, '')
    truncateSync(sparse, 1024 ** 4)
    expect(tryBoundedFile(sparse)).toEqual({
      code: 'too_large',
      reason: 'it is larger than 16 MiB',
    })
  })

  it('may be the null device', () => {
    expect(readBoundedText('/dev/null')).toBe('')
  })

  it('is not followed through a link on request', () => {
    writeFileSync(file, 'text')
    const link = `${file}-link`
    symlinkSync(file, link)
    expect(readBoundedText(link)).toBe('text')
    expect(() => readBoundedFile(link, { noFollow: true })).toThrow('ELOOP')
  })

  it('fails with the error of the system, or with one that names the file', () => {
    expect(() => readBoundedFile(file)).toThrow(expect.objectContaining({ code: 'ENOENT' }))
    expect(() => readBoundedText(file)).toThrow(
      expect.objectContaining({
        code: 'enoent',
        message: `cannot read ${file}: no such file or folder`,
      }),
    )
  })
})
