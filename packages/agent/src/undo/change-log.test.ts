import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileChange } from '../tools/tools.ts'
import {
  appendToLog,
  logChange,
  maxImageBytes,
  readChanges,
  readImage,
  readLog,
} from './change-log.ts'
import type { RecordedSession } from './recorded-session.fixtures.ts'
import { makeRecordedSession, sha256, testClock } from './recorded-session.fixtures.ts'

let recorded: RecordedSession
let folder: string
beforeEach(() => {
  recorded = makeRecordedSession()
  folder = recorded.paths.undo
})
afterEach(() => recorded.remove())

const log = () => readFileSync(path.join(folder, 'changes.jsonl'), 'utf8')
const records = () =>
  log()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object)
const modeOf = (file: string) => statSync(file).mode & 0o777

const write = (name: string, after: string | Buffer, more: Partial<FileChange> = {}) =>
  logChange(
    folder,
    {
      callId: 'c',
      tool: 'write',
      path: recorded.file(name),
      exists: false,
      after: Buffer.from(after),
      ...more,
    },
    testClock,
  )
const ok = { ok: true }

describe('a logged change', () => {
  it('holds the contents before and after, and the folders that the tool made', async () => {
    recorded.put('a', 'old')
    expect(await write('a', 'new', { exists: true })).toEqual(ok)
    expect(await write('d/ü', 'old', { folders: [recorded.file('d'), '/ü'] })).toEqual(ok)
    const common = { call_id: 'c', tool: 'write', kept: true, ts: '2026-01-01T00:00:00Z' }
    expect(records()).toEqual([
      { ...common, path: recorded.file('a'), before: sha256('old'), after: sha256('new') },
      {
        ...common,
        path: recorded.file('d/ü'),
        before: null,
        after: sha256('old'),
        folders: [recorded.raw('d'), '/\xc3\xbc'],
      },
    ])
    expect(readFileSync(path.join(folder, sha256('old')), 'utf8')).toBe('old')
    const names = [sha256('old'), sha256('new'), 'changes.jsonl']
    expect(readdirSync(folder).toSorted()).toEqual(names.toSorted())
    expect(names.map((name) => modeOf(path.join(folder, name)))).toEqual([0o600, 0o600, 0o600])
    expect(modeOf(folder)).toBe(0o700)
  })

  it('does not write stored contents again, unless they are damaged', async () => {
    await write('a', 'text')
    const copy = path.join(folder, sha256('text'))
    const { ino } = statSync(copy)
    await write('b', 'text')
    expect(statSync(copy).ino).toBe(ino)
    writeFileSync(copy, 'damaged')
    await write('c', 'text')
    expect(readFileSync(copy, 'utf8')).toBe('text')
  })

  it.each([
    [0, true],
    [1, false],
  ])('of 16 MiB and %i bytes is kept: %s', async (more, kept) => {
    expect(maxImageBytes).toBe(16_777_216)
    const large = Buffer.alloc(maxImageBytes + more, 'x')
    expect(await write('new', large)).toEqual(ok)
    recorded.put('old', large)
    expect(await write('old', 'small', { exists: true })).toEqual(ok)
    expect(records()).toMatchObject([
      { before: null, after: sha256(large), kept },
      { before: kept ? sha256(large) : '', after: sha256('small'), kept },
    ])
    const expected = kept ? [sha256(large), sha256('small'), 'changes.jsonl'] : ['changes.jsonl']
    expect(readdirSync(folder).toSorted()).toEqual(expected.toSorted())
  })

  it.each([
    [0, true],
    [1, false],
  ])('is kept while the folder has at most 256 MiB and %i bytes: %s', async (more, kept) => {
    mkdirSync(folder, { recursive: true })
    for (const name of ['filler', 'other']) writeFileSync(path.join(folder, name), '')
    truncateSync(path.join(folder, 'filler'), 256 * 1024 * 1024 - 1000 - 'oldlonger'.length + more)
    truncateSync(path.join(folder, 'other'), 1000)
    recorded.put('a', 'old')
    await write('a', 'longer', { exists: true })
    expect(readChanges(folder)).toMatchObject([{ kept }])
  })

  it('without contents before fits into the room that is left', async () => {
    mkdirSync(folder, { recursive: true })
    writeFileSync(path.join(folder, 'filler'), '')
    truncateSync(path.join(folder, 'filler'), 256 * 1024 * 1024 - 3)
    await write('a', 'new')
    expect(readChanges(folder)).toMatchObject([{ kept: true }])
  })

  it('is refused with the reason if it cannot be logged', async () => {
    recorded.put('zdx/undo', 'a file in the place of the folder')
    expect(await write('a', 'new')).toEqual({
      ok: false,
      reason: expect.stringMatching(/a part of the path is not a folder$/) as string,
    })
  })
})

describe('the log', () => {
  it('returns the line of the last appended record, in a private folder', () => {
    expect(appendToLog(folder, [{ type: 'x' }, { type: 'y' }])).toBe(2)
    expect(appendToLog(folder, [{ type: 'z' }])).toBe(3)
    expect([modeOf(folder), modeOf(path.join(folder, 'changes.jsonl'))]).toEqual([0o700, 0o600])
  })

  it('is empty if it does not exist', () => {
    expect(readLog(folder)).toEqual({ changes: [], snapshots: [], transactions: [] })
  })

  it('is read record by record', () => {
    const entries = [{ path: '/t', from: null, to: null }]
    const [before, after] = [
      { kind: 'folder', mode: 0o755 },
      { kind: 'link', target: 'x' },
    ]
    const edit = { call_id: 'c', tool: 'edit', path: '/ü', before: 'h1', after: 'h2', ts: 't' }
    recorded.log(
      { ...edit, kept: true, folders: ['/d'] },
      { ...edit, kept: 1, before: null, after: 'h3', path: '/new' },
      { ...edit, path: 7 },
      { ...edit, after: null },
      { type: 'snapshot', name: 's1', call_id: 'b1' },
      { type: 'snapshot', name: 's2', call_id: 'b2' },
      { type: 'shell_change', snapshot: 6, path: '/\xc3\xbc', before, after, is_later: true },
      { type: 'shell_change', snapshot: 5, path: '/gone', is_later: 1 },
      { type: 'shell_change', snapshot: 99, path: '/unknown' },
      { type: 'shell_change', snapshot: 5, path: 7 },
      { type: 'snapshot_ended', snapshot: 6, ended_ms: 12.5 },
      { type: 'snapshot_ended', snapshot: 5, ended_ms: 'x' },
      { type: 'snapshot_closed', snapshot: 5, ended_ms: 9 },
      { type: 'snapshot_closed', snapshot: 99 },
      { type: 'transaction', direction: 'undo', numbers: [1, '2'], entries },
      { type: 'transaction', direction: 'redo' },
      { type: 'transaction', direction: 'x', numbers: 1, entries: 1 },
      { type: 'transaction_done', transaction: 16 },
      { type: 'transaction_done', transaction: 99 },
      { type: 'from_the_future' },
    )
    const stored = (hash: string) => ({
      kind: 'file',
      mode: -1,
      size: -1,
      hash,
      copy: { file: hash, offset: 0 },
    })
    const common = { callId: 'c', tool: 'edit', isLater: false, folders: [], ts: 't' }
    const shell = { tool: 'bash', kept: true, folders: [], ts: '' }
    expect(readLog(folder)).toEqual({
      changes: [
        {
          ...common,
          ...{ number: 1, path: '/ü', raw: '/\xc3\xbc', folders: ['/d'], kept: true },
          ...{ before: stored('h1'), after: stored('h2'), opened: 1, closed: 1 },
        },
        {
          ...common,
          ...{ number: 2, path: '/new', raw: '/new', kept: false },
          ...{ before: null, after: stored('h3'), opened: 2, closed: 2 },
        },
        {
          ...shell,
          ...{ number: 3, callId: 'b2', path: '/ü', raw: '/\xc3\xbc', isLater: true },
          ...{ before, after, opened: 6, closed: 7 },
        },
        {
          ...shell,
          ...{ number: 4, callId: 'b1', path: '/gone', raw: '/gone', isLater: false },
          ...{ before: null, after: null, opened: 5, closed: 8 },
        },
      ],
      snapshots: [
        { line: 5, name: 's1', callId: 'b1', isClosed: true },
        { line: 6, name: 's2', callId: 'b2', isClosed: false, endedMs: 12.5 },
      ],
      transactions: [
        { line: 15, direction: 'undo', numbers: [1, 2], entries, isDone: false },
        { line: 16, direction: 'redo', numbers: [], entries: [], isDone: true },
        { line: 17, direction: 'undo', numbers: [], entries: [], isDone: false },
      ],
    })
  })
})

describe('stored contents', () => {
  it('are missing, damaged or whole', async () => {
    recorded.keep('text')
    expect(String(await readImage(folder, sha256('text')))).toBe('text')
    expect(await readImage(folder, sha256('other'))).toBe('missing')
    writeFileSync(path.join(folder, sha256('text')), 'tex')
    expect(await readImage(folder, sha256('text'))).toBe('damaged')
    mkdirSync(path.join(folder, 'f'))
    await expect(readImage(folder, 'f')).rejects.toThrow(/^EISDIR: /)
  })
})
