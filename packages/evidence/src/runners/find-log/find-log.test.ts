import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { zstdDecoder } from '../../zstd/zstd.ts'
import type { RunnerFormat } from '../log.ts'
import { findLog, promptExcerpt, readLog, type LogSearch } from './find-log.ts'

const unzstd = await zstdDecoder()
let home = ''
beforeEach(() => {
  home = mkdtempSync(path.join(os.tmpdir(), 'zee-find-log-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

/** Lines `{"id":…}` name the session, lines `{"say":…}` are texts of the user. */
const format: RunnerFormat = {
  name: 'test',
  roots: ({ HOME }) => (HOME === undefined ? [] : [path.join(HOME, 'logs')]),
  depth: 2,
  isLog: (name) => name.endsWith('.jsonl'),
  namedBy: 'file',
  newestBy: 'modified',
  collector() {
    let [usableLines, sessionId] = [0, '']
    const firstUserTexts: string[] = []
    return {
      addLine(line) {
        usableLines += 1
        if (typeof line.id === 'string') sessionId = line.id
        if (typeof line.say === 'string') firstUserTexts.push(line.say)
      },
      reading: () => ({ usableLines, sessionId, firstUserTexts, numbers: {} }),
    }
  },
}

/** Writes a log below `logs` that was modified at this second. */
function log(name: string, seconds: number, ...lines: unknown[]): void {
  const file = path.join(home, 'logs', name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  utimesSync(file, seconds, seconds)
}

/** The name of the found log below `logs`. */
function found(search: Partial<LogSearch>, more: Partial<RunnerFormat> = {}): string | undefined {
  const file = findLog(
    { ...format, ...more },
    {
      env: { HOME: home },
      agentId: undefined,
      prompt: undefined,
      isHomePrivate: false,
      unzstd,
      ...search,
    },
  )
  return file === undefined ? undefined : path.relative(path.join(home, 'logs'), file)
}

it('a log with the id in its name is found first, the newest of them', () => {
  log('p/x-a1-y.jsonl', 10)
  log('p/a1.jsonl', 30)
  log('p/old-a1.jsonl', 20)
  log('p/a12.jsonl', 90)
  log('p/ba1.jsonl', 90)
  log('p/other.jsonl', 99, { id: 'a1' })
  expect(found({ agentId: 'a1' })).toBe('p/a1.jsonl')
  expect(found({ agentId: 'y' })).toBe('p/x-a1-y.jsonl')
  expect(found({ agentId: 'x' })).toBe('p/x-a1-y.jsonl')
})

it('an id is found in a name that has it in a longer word before', () => {
  log('p/a12-a1.jsonl', 10)
  expect(found({ agentId: 'a1' })).toBe('p/a12-a1.jsonl')
  expect(found({ agentId: '2-a' })).toBeUndefined()
})

it('the folder names a log if its format says so', () => {
  log('s1/events.jsonl', 10)
  log('s2/s1.jsonl', 20)
  expect(found({ agentId: 's1' }, { namedBy: 'folder' })).toBe('s1/events.jsonl')
})

it('a log with the id in it is found before one with the prompt', () => {
  log('p/1.jsonl', 10, { id: 'a1' })
  log('p/2.jsonl', 20, { id: 'a2' }, { say: 'Please do it' })
  log('p/3.jsonl', 30, { id: 'a3' }, { say: 'Hello' })
  expect(found({ agentId: 'a1', prompt: 'do it' })).toBe('p/1.jsonl')
  expect(found({ agentId: 'none', prompt: '  do it\n' })).toBe('p/2.jsonl')
  expect(found({ prompt: 'Hello' })).toBe('p/3.jsonl')
  expect(found({ prompt: 'nothing' })).toBeUndefined()
  expect(found({ prompt: ' ' })).toBeUndefined()
  expect(found({})).toBeUndefined()
})

it('a thread id counts like a session id', () => {
  log('p/1.jsonl', 10, {})
  const collector = () => ({
    addLine: () => undefined,
    reading: () => ({ usableLines: 1, threadId: 't1', firstUserTexts: [], numbers: {} }),
  })
  expect(found({ agentId: 't1' }, { collector })).toBe('p/1.jsonl')
})

it('the newest log is taken only from a HOME of the attempt alone', () => {
  log('p/1.jsonl', 20, { say: 'a' })
  log('p/2.jsonl', 10, { say: 'a' })
  log('p/4.jsonl', 20, { say: 'a' })
  log('p/3.jsonl', 20, { say: 'a' })
  expect(found({ isHomePrivate: true })).toBe('p/4.jsonl')
  expect(found({ isHomePrivate: true, agentId: 'x', prompt: 'b' })).toBe('p/4.jsonl')
  expect(found({ prompt: 'a' })).toBe('p/4.jsonl')
  expect(found({ isHomePrivate: true }, { newestBy: 'path' })).toBe('p/4.jsonl')
  log('p/0.jsonl', 99)
  expect(found({ isHomePrivate: true })).toBe('p/0.jsonl')
  expect(found({ isHomePrivate: true }, { newestBy: 'path' })).toBe('p/4.jsonl')
})

it('logs lie in folders of the depth of the format, and are regular files', () => {
  log('p/q/deep.jsonl', 10)
  log('p/note.txt', 20)
  symlinkSync(path.join(home, 'logs/p/note.txt'), path.join(home, 'logs/p/link.jsonl'))
  mkdirSync(path.join(home, 'logs/p/folder.jsonl'))
  expect(found({ isHomePrivate: true })).toBeUndefined()
  expect(found({ isHomePrivate: true }, { depth: 3 })).toBe('p/q/deep.jsonl')
  log('top.jsonl', 5)
  expect(found({ isHomePrivate: true }, { depth: 1 })).toBe('top.jsonl')
  expect(found({ isHomePrivate: true, env: {} })).toBeUndefined()
})

it('only the first megabyte of a log is searched', () => {
  const long = { say: 'x'.repeat(1024 * 1024) }
  log('p/1.jsonl', 10, long, {}, { id: 'late' })
  log('p/2.jsonl', 10, { id: 'early' }, long)
  expect(found({ agentId: 'late' })).toBeUndefined()
  expect(found({ agentId: 'early' })).toBe('p/2.jsonl')
  const file = path.join(home, 'logs/p/1.jsonl')
  expect(readLog(format, file, { unzstd })).toMatchObject({ usableLines: 3, sessionId: 'late' })
})

it('the excerpt of a prompt has at most 200 characters', () => {
  expect(promptExcerpt(undefined)).toBe('')
  expect(promptExcerpt(' a \n')).toBe('a')
  expect(promptExcerpt(`  ${'x'.repeat(201)}`)).toBe('x'.repeat(200))
})

it('a damaged line is skipped, and a log that is gone throws', () => {
  log('p/1.jsonl', 10, { id: 'a' })
  const file = path.join(home, 'logs/p/1.jsonl')
  writeFileSync(file, '{"id":"a"}\n{damaged\n[1]\n{"say":"b"}\n{"torn":')
  expect(readLog(format, file, { unzstd })).toMatchObject({ usableLines: 2, firstUserTexts: ['b'] })
  expect(() => readLog(format, path.join(home, 'gone.jsonl'), { unzstd })).toThrow(
    /ENOENT|no such file/,
  )
})

it('a log that is compressed with zstd is found by its content and read', () => {
  log('p/other.zst', 20)
  const compressed = { isLog: (name: string) => name.endsWith('.zst') }
  const file = path.join(home, 'logs/p/a.zst')
  const frame = zstdFrame(Buffer.from('{"id":"a1"}\n{damaged\n{"say":"b"}\n'))
  writeFileSync(file, frame)
  expect(readLog(format, file, { unzstd })).toMatchObject({ usableLines: 2, sessionId: 'a1' })
  expect(found({ agentId: 'a1' }, compressed)).toBe('p/a.zst')
  const unreadable = expect.objectContaining({
    code: 'unreadable_log',
    message: `${file} is no complete zstd file, or its content is larger than 256 MiB`,
  }) as Error
  for (const bytes of [frame.subarray(0, frame.length - 3), Buffer.from('{"id":"a1"}\n')]) {
    writeFileSync(file, bytes)
    expect(() => readLog(format, file, { unzstd })).toThrow(unreadable)
  }
})

/** One raw block, as zstd writes what it cannot compress. */
function zstdFrame(bytes: Buffer): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xa0, 0, 0, 0, 0, 0, 0, 0])
  header.writeUInt32LE(bytes.length, 5)
  header.writeUIntLE(bytes.length * 8 + 1, 9, 3)
  return Buffer.concat([header, bytes])
}
