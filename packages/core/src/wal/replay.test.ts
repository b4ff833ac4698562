import { existsSync, mkdirSync, promises, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { tempFolder } from '../../test/temp-folder.ts'
import { createLogger } from '../log/log.ts'
import type { WalRecord } from './record.ts'
import { barrier, decodeRecords, encodeRecord } from './record.ts'
import { applyRecords, replayWal } from './replay.ts'

const header = 'test log 1\n'

class Folder {
  readonly path = tempFolder()
  readonly wal = path.join(this.path, 'test.wal')
  readonly logLines: string[] = []

  constructor() {
    mkdirSync(path.join(this.path, 'sub'))
  }

  put(file: string, content: string | Buffer): this {
    writeFileSync(path.join(this.path, file), content)
    return this
  }

  text(file: string): string {
    return readFileSync(path.join(this.path, file), 'utf8')
  }

  async replay(...records: WalRecord[]): Promise<void> {
    await this.replayBytes(...records.map((record) => encodeRecord(record)))
  }

  async replayBytes(...records: Buffer[]): Promise<void> {
    this.put('test.wal', Buffer.concat([Buffer.from(header), ...records]))
    await this.replayFile()
  }

  async replayFile(): Promise<void> {
    const write = (line: string) => void this.logLines.push(line)
    const log = createLogger({ name: 'wal', level: 'DEBUG', write })
    await replayWal({ path: this.wal, header, folder: this.path, log })
  }
}

function write(
  kind: 'append' | 'patch',
  offset: number,
  text: string,
  before: string,
  file = 'list.json',
): WalRecord {
  return { kind, file, offset, bytes: Buffer.from(text), checksum: crc32(before.slice(-64)) }
}

describe('replayWal', () => {
  it('finishes appends that a crash interrupted anywhere, and changes nothing when repeated', async () => {
    const old = '[\n  {"n": 1}\n]'
    const records = [
      write('append', 12, ',\n  {"n": 2}\n]', '[\n  {"n": 1}'),
      write('append', 24, ',\n  {"n": 3}\n]', '[\n  {"n": 1},\n  {"n": 2}'),
    ]
    const complete = '[\n  {"n": 1},\n  {"n": 2},\n  {"n": 3}\n]'
    const states = [
      old,
      complete,
      ...[13, 17, 20, 26, 30].map((end) => complete.slice(0, end).padEnd(28, '\0')),
    ]
    for (const state of states) {
      const folder = new Folder().put('list.json', state)
      await folder.replay(...records)
      expect(folder.text('list.json')).toBe(complete)
      await folder.replay(...records)
      expect(folder.text('list.json')).toBe(complete)
      expect(decodeRecords(readFileSync(folder.wal), header).records).toEqual([])
    }
  })

  it('finishes its writes on a disk without room for a copy of the log', async () => {
    const folder = new Folder().put('list.json', '[1]')
    const open = promises.open.bind(promises)
    let refused = 0
    const opening = vi.spyOn(promises, 'open').mockImplementation((file, ...rest) => {
      const isCopy = refused === 0 && path.basename(String(file)).startsWith('.test.wal')
      if (!isCopy) return open(file, ...rest)
      refused += 1
      return Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
    })
    onTestFinished(() => opening.mockRestore())
    await folder.replay(write('append', 2, ',2]', '[1'))
    expect(refused).toBe(1)
    expect(folder.text('list.json')).toBe('[1,2]')
  })

  it('creates a file whose first append was only logged', async () => {
    const folder = new Folder()
    await folder.replay(write('append', 0, '[\n  {}\n]', '', 'sub/new.json'))
    expect(folder.text('sub/new.json')).toBe('[\n  {}\n]')
  })

  it('applies a patch to the middle of a file and leaves the rest', async () => {
    const folder = new Folder().put('list.json', '[\n  {"n": 1}\n]')
    await folder.replay(write('patch', 4, '{"n": 9}', '[\n  '))
    expect(folder.text('list.json')).toBe('[\n  {"n": 9}\n]')
  })

  it('ignores records from before a file was replaced', async () => {
    const folder = new Folder().put('list.json', 'something new and whole')
    await folder.replay(write('append', 0, 'old', ''), barrier('replaced', 'list.json'))
    expect(folder.text('list.json')).toBe('something new and whole')
  })

  it('removes a removed file, and creates it again from later records', async () => {
    const folder = new Folder().put('list.json', 'old').put('gone.json', 'old')
    await folder.replay(
      write('append', 0, 'older', ''),
      barrier('removed', 'gone.json'),
      barrier('removed', 'list.json'),
      write('append', 0, 'new', ''),
    )
    expect(existsSync(path.join(folder.path, 'gone.json'))).toBe(false)
    expect(folder.text('list.json')).toBe('new')
  })

  it('leaves a file alone that another program has changed or removed since, and logs it', async () => {
    const folder = new Folder().put('list.json', 'edited by hand, something else entirely')
    await folder.replay(
      write('append', 12, ',\n  {"n": 2}\n]', '[\n  {"n": 1}'),
      write('append', 24, ',\n  {"n": 3}\n]', 'whatever'),
      write('append', 12, 'x', 'y', 'missing.json'),
    )
    expect(folder.text('list.json')).toBe('edited by hand, something else entirely')
    expect(existsSync(path.join(folder.path, 'missing.json'))).toBe(false)
    const errors = folder.logLines.filter((line) => line.startsWith('wal ERROR'))
    expect(errors).toEqual([
      expect.stringContaining('another program changed the file'),
      expect.stringContaining('the file no longer exists'),
    ])
  })

  it('copies a damaged log aside and applies its readable records', async () => {
    const folder = new Folder()
    const [one, two] = [write('append', 0, 'one', '', 'a'), write('append', 0, 'two', '', 'b')]
    const broken = encodeRecord(two)
    broken[12] = 0xff
    const records = [encodeRecord(one), broken, encodeRecord(one)]
    await folder.replayBytes(...records)
    expect(folder.text('a')).toBe('one')
    const bytes = Buffer.concat([Buffer.from(header), ...records])
    expect(readFileSync(`${folder.wal}.damaged-1`).equals(bytes)).toBe(true)
  })

  it('cuts off what follows an append, and keeps what follows a patch', async () => {
    const folder = new Folder().put('list.json', '[1,2]old')
    await folder.replay(write('append', 1, '3]', '['))
    expect(folder.text('list.json')).toBe('[3]')
    expect(folder.logLines.join()).toContain('replayed 1 writes into 1 files')
    const patched = new Folder().put('list.json', '[1,2]')
    await patched.replay(write('patch', 1, '3', '['))
    expect(patched.text('list.json')).toBe('[3,2]')
  })

  it('logs nothing when the log has no records', async () => {
    const folder = new Folder()
    await folder.replay()
    expect(folder.logLines).toEqual([])
  })

  it('does nothing without a log', async () => {
    const folder = new Folder()
    await folder.replayFile()
    expect(readdirSync(folder.path)).toEqual(['sub'])
  })
})

it('applyRecords ends the content after an append, and keeps what follows a patch', () => {
  const content = Buffer.from('abcdef')
  const apply = (...records: WalRecord[]) => applyRecords(content, records).toString()
  expect(apply(write('append', 2, 'X', ''))).toBe('abX')
  expect(apply(write('patch', 2, 'X', ''))).toBe('abXdef')
  expect(apply(write('append', 2, 'X', ''), write('patch', 0, 'Y', ''))).toBe('YbX')
})
