import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { failFolderFlushes } from '../../../../test/support/replace-write.ts'
import { AtomicBatch } from './atomic-batch.ts'
import { tempPathFor } from './temp-file.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'zee-batch-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const fileAt = (index: number) => path.join(folder, String(index), 'report.json')

describe('AtomicBatch', () => {
  it('has written every file when it finishes, and leaves no temporary files', async () => {
    const batch = new AtomicBatch()
    for (let index = 0; index < 300; index++) {
      mkdirSync(path.join(folder, String(index)))
      await batch.write(fileAt(index), `report ${index}\n`)
    }
    await batch.finish()
    for (let index = 0; index < 300; index++) {
      expect(readFileSync(fileAt(index), 'utf8')).toBe(`report ${index}\n`)
      expect(readdirSync(path.join(folder, String(index)))).toEqual(['report.json'])
    }
  })

  it('keeps the mode of replaced files', async () => {
    const file = path.join(folder, 'old')
    writeFileSync(file, 'old')
    chmodSync(file, 0o640)
    const batch = new AtomicBatch()
    await batch.write(file, 'new')
    await batch.finish()
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(statSync(file).mode & 0o7777).toBe(0o640)
  })

  it.runIf(process.getuid?.() === 0)(
    'keeps the owner when the superuser replaces a file',
    async () => {
      const file = path.join(folder, 'old')
      writeFileSync(file, 'old')
      chownSync(file, 1234, 2345)
      const batch = new AtomicBatch()
      await batch.write(file, 'new')
      await batch.finish()
      expect(statSync(file)).toMatchObject({ uid: 1234, gid: 2345 })
    },
  )

  it('keeps the temporary file of a private file private', async () => {
    const files = Array.from({ length: 40 }, (_, index) => path.join(folder, `private-${index}`))
    const batch = new AtomicBatch()
    for (const file of files) {
      writeFileSync(file, 'old', { mode: 0o600 })
      await batch.write(file, 'new'.repeat(100_000))
    }
    const over = new AbortController()
    const finished = batch.finish().finally(() => over.abort())
    const modes = new Set<number>()
    while (!over.signal.aborted) {
      for (const name of readdirSync(folder)) {
        const stats = statSync(path.join(folder, name), { throwIfNoEntry: false })
        if (stats !== undefined) modes.add(stats.mode & 0o777)
      }
      await new Promise(setImmediate)
    }
    await finished
    expect([...modes]).toEqual([0o600])
  })

  it('does nothing without files', async () => {
    await new AtomicBatch().finish()
    expect(readdirSync(folder)).toEqual([])
  })

  it('rejects links and folders', async () => {
    const link = path.join(folder, 'link')
    symlinkSync(path.join(folder, 'elsewhere'), link)
    const batch = new AtomicBatch()
    await expect(batch.write(link, 'x')).rejects.toMatchObject({ code: 'not_a_file' })
    await expect(batch.write(folder, 'x')).rejects.toMatchObject({ code: 'eisdir' })
    await batch.finish()
    expect(readdirSync(folder)).toEqual(['link'])
  })

  it('reports a file that could not be written and writes the others', async () => {
    const batch = new AtomicBatch()
    await batch.write(path.join(folder, 'a'), 'a')
    await batch.write(path.join(folder, 'missing', 'b'), 'b')
    await batch.write(path.join(folder, 'c'), 'c')
    await expect(batch.finish()).rejects.toMatchObject({
      code: 'enoent',
      message: `cannot write ${folder}/missing/b: no such file or folder`,
    })
    expect(readdirSync(folder).sort()).toEqual(['a', 'c'])
  })

  it('reports a folder whose new entries may not survive a power cut', async () => {
    failFolderFlushes()
    const batch = new AtomicBatch()
    await batch.write(path.join(folder, 'a'), 'a')
    await expect(batch.finish()).rejects.toMatchObject({
      code: 'eio',
      message: `cannot write ${folder}: the disk reported an error`,
    })
  })

  it('has ended all writes when it reports a failure', async () => {
    const batch = new AtomicBatch()
    await batch.write(path.join(folder, 'missing', 'first'), '')
    for (let index = 0; index < 120; index++) await batch.write(path.join(folder, `${index}`), 'x')
    await expect(batch.finish()).rejects.toMatchObject({ code: 'enoent' })
    const names = readdirSync(folder)
    expect([names.length, names.filter((name) => name.startsWith('.'))]).toEqual([120, []])
  })

  it('removes the temporary file of a dead writer', async () => {
    const batch = new AtomicBatch()
    await batch.write(path.join(folder, 'a'), 'a')
    await batch.finish()
    const left = tempPathFor(path.join(folder, 'a')).replace(`-${process.pid}-`, '-4194303-')
    writeFileSync(left, 'half')
    const next = new AtomicBatch()
    await next.write(path.join(folder, 'a'), 'b')
    await next.finish()
    expect(readdirSync(folder)).toEqual(['a'])
  })
})
