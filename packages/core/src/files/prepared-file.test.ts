import { mkdtempSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { renameSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readJournalSync } from '../journal/journal.ts'
import { PreparedFile } from './prepared-file.ts'

let folder: string
let file: string

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'zee-prepared-'))
  file = path.join(folder, 'p.jsonl')
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

function recordsOf(name: string) {
  const records: unknown[] = []
  const { skippedLines } = readJournalSync(name, ({ record }) => void records.push(record))
  expect(skippedLines).toBe(0)
  return records
}

it('lines replace blanks without changing the size of the file, and a reader of journals finds them', async () => {
  const prepared = await PreparedFile.create(file, { mode: 0o600 })
  const { size, mode, blocks } = statSync(file)
  expect(mode & 0o777).toBe(0o600)
  expect(recordsOf(file)).toEqual([])
  expect([prepared.write('{"n":1}'), prepared.write('{"t":"ä☃"}')]).toEqual([true, true])
  expect(recordsOf(file)).toEqual([{ n: 1 }, { t: 'ä☃' }])
  expect(statSync(file)).toMatchObject({ size, blocks })
  prepared.close()
})

it('a line that fills the rest exactly is taken; after one that does not fit, no other is taken', async () => {
  const prepared = await PreparedFile.create(file, { mode: 0o600 })
  const { size } = statSync(file)
  const lineOf = (bytes: number) => JSON.stringify({ t: 'x'.repeat(bytes - 9) })
  expect(prepared.write(lineOf(size / 2))).toBe(true)
  expect(prepared.write(lineOf(size / 2))).toBe(true)
  expect(recordsOf(file)).toHaveLength(2)
  expect(prepared.isReusable).toBe(true)
  expect(prepared.write('{}')).toBe(false)
  expect(prepared.isReusable).toBe(false)
  expect(statSync(file).size).toBe(size)
  prepared.close()

  const other = await PreparedFile.create(path.join(folder, 'q.jsonl'), { mode: 0o600 })
  expect(other.write(lineOf(size + 1))).toBe(false)
  expect(other.write('{}')).toBe(false)
  other.close()
})

it('a blanked file holds nothing of its lines and takes new ones under its new name', async () => {
  const prepared = await PreparedFile.create(file, { mode: 0o600 })
  const blank = readFileSync(file)
  prepared.write('{"secret":"pomegranate"}')
  prepared.blank()
  prepared.rename(path.join(folder, 'next.jsonl'))
  await prepared.flush()
  expect(readFileSync(path.join(folder, 'next.jsonl')).equals(blank)).toBe(true)
  expect(prepared.write('{"n":2}')).toBe(true)
  expect(recordsOf(prepared.path)).toEqual([{ n: 2 }])
  prepared.close()
})

it('a closed file takes no line, whatever its descriptor number means by then', async () => {
  const prepared = await PreparedFile.create(file, { mode: 0o600 })
  prepared.close()
  prepared.close()
  expect(prepared.write('{}')).toBe(false)
  expect(prepared.isReusable).toBe(false)
  expect(recordsOf(file)).toEqual([])
})

it('a rename that fails names the file', async () => {
  const prepared = await PreparedFile.create(file, { mode: 0o600 })
  renameSync(file, path.join(folder, 'away'))
  expect(() => prepared.rename(path.join(folder, 'b'))).toThrow(/cannot rename .*p\.jsonl/)
  prepared.close()
})

it('an unflushed line is readable at once and counts towards the size', async () => {
  const prepared = await PreparedFile.create(file, { mode: 0o600 })
  expect(prepared.writeUnflushed('{"n":1}')).toBe(true)
  expect(recordsOf(file)).toEqual([{ n: 1 }])
  await prepared.flush()
  expect(prepared.write('{"n":2}')).toBe(true)
  expect(recordsOf(file)).toEqual([{ n: 1 }, { n: 2 }])
  expect(prepared.writeUnflushed('x'.repeat(statSync(file).size))).toBe(false)
  prepared.close()
})

it('a file that is closed during a flush closes its descriptor after the flush', async () => {
  const openDescriptors = () =>
    readdirSync('/proc/self/fd').filter((name) => {
      try {
        return readlinkSync(`/proc/self/fd/${name}`) === file
      } catch {
        return false
      }
    })
  const prepared = await PreparedFile.create(file, { mode: 0o600 })
  prepared.writeUnflushed('{"n":1}')
  const flushed = prepared.flush()
  prepared.close()
  expect(openDescriptors()).toHaveLength(1)
  await flushed
  expect(openDescriptors()).toHaveLength(0)
})
