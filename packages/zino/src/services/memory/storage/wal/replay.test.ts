import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { crc32 } from 'node:zlib'
import { keptLog } from '../../../../../test/log.ts'
import { tempFolder } from '../../../../../test/temp-folder.ts'
import type { JournalRecord } from './record.ts'
import { barrier, decodeRecords, encodeRecord, journalHead } from './record.ts'
import { replayJournal } from './replay.ts'

class Folder {
  readonly path = tempFolder()
  readonly journal = path.join(this.path, 'mem.journal')
  readonly log = keptLog()

  constructor() {
    mkdirSync(path.join(this.path, 'channels'))
  }

  put(file: string, content: string | Buffer): this {
    writeFileSync(path.join(this.path, file), content)
    return this
  }

  text(file: string): string {
    return readFileSync(path.join(this.path, file), 'utf8')
  }

  async replay(...records: JournalRecord[]): Promise<void> {
    this.put(
      'mem.journal',
      Buffer.concat([journalHead, ...records.map((one) => encodeRecord(one))]),
    )
    await replayJournal(this.path, this.journal, this.log)
  }
}

function write(
  kind: 'append' | 'patch',
  offset: number,
  text: string,
  before: string,
  file = 'list.json',
): JournalRecord {
  return { kind, file, offset, bytes: Buffer.from(text), before: crc32(before.slice(-64)) }
}

describe('replaying a journal', () => {
  it('finishes appends that a crash left anywhere, also twice', async () => {
    const old = '[\n  {"n": 1}\n]'
    const records = [
      write('append', 12, ',\n  {"n": 2}\n]', '[\n  {"n": 1}'),
      write('append', 24, ',\n  {"n": 3}\n]', '[\n  {"n": 1},\n  {"n": 2}'),
    ]
    const whole = '[\n  {"n": 1},\n  {"n": 2},\n  {"n": 3}\n]'
    const states = [
      old,
      whole,
      ...[13, 17, 20, 26, 30].map((end) => whole.slice(0, end).padEnd(28, '\0')),
    ]
    for (const state of states) {
      const folder = new Folder().put('list.json', state)
      await folder.replay(...records)
      expect(folder.text('list.json')).toBe(whole)
      await folder.replay(...records)
      expect(folder.text('list.json')).toBe(whole)
      expect(decodeRecords(readFileSync(folder.journal)).records).toEqual([])
    }
  })

  it('makes a file that was only promised', async () => {
    const folder = new Folder()
    await folder.replay(write('append', 0, '[\n  {}\n]', '', 'channels/new.json'))
    expect(folder.text('channels/new.json')).toBe('[\n  {}\n]')
  })

  it('patches the middle and leaves the rest', async () => {
    const folder = new Folder().put('list.json', '[\n  {"n": 1}\n]')
    await folder.replay(write('patch', 4, '{"n": 9}', '[\n  '))
    expect(folder.text('list.json')).toBe('[\n  {"n": 9}\n]')
  })

  it('ignores what came before a file was replaced', async () => {
    const folder = new Folder().put('list.json', 'something new and whole')
    await folder.replay(write('append', 0, 'old', ''), barrier('replaced', 'list.json'))
    expect(folder.text('list.json')).toBe('something new and whole')
  })

  it('removes what was removed, and makes anew what came after', async () => {
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

  it('leaves a file alone that others have changed or removed since', async () => {
    const folder = new Folder().put('list.json', 'edited by hand, something else entirely')
    await folder.replay(
      write('append', 12, ',\n  {"n": 2}\n]', '[\n  {"n": 1}'),
      write('append', 24, ',\n  {"n": 3}\n]', 'whatever'),
      write('append', 12, 'x', 'y', 'missing.json'),
    )
    expect(folder.text('list.json')).toBe('edited by hand, something else entirely')
    expect(existsSync(path.join(folder.path, 'missing.json'))).toBe(false)
    expect(folder.log.lines.filter((line) => line.startsWith('ERROR')).length).toBe(2)
  })

  it('keeps a copy of a damaged journal and applies what can be read', async () => {
    const folder = new Folder()
    const [one, two] = [write('append', 0, 'one', '', 'a'), write('append', 0, 'two', '', 'b')]
    const broken = encodeRecord(two)
    broken[12] = 0xff
    const bytes = Buffer.concat([journalHead, encodeRecord(one), broken, encodeRecord(one)])
    folder.put('mem.journal', bytes)
    await replayJournal(folder.path, folder.journal, folder.log)
    expect(folder.text('a')).toBe('one')
    expect(readFileSync(`${folder.journal}.damaged-1`).equals(bytes)).toBe(true)
  })

  it('does nothing without a journal', async () => {
    const folder = new Folder()
    await replayJournal(folder.path, folder.journal, folder.log)
    expect(readdirSync(folder.path)).toEqual(['channels'])
  })
})
