import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { recordedTranscript } from '../../test/recorded-transcript.ts'
import { contentText, countAt, parsedObject, timeAt } from './log-values.ts'
import { readLogs, type LogPlace } from './read-logs.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'zee-logs-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, ...lines: unknown[]): string {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)))
  writeFileSync(file, texts.join('\n'))
  return file
}

/** File, id, unread lines and texts of the user, or the failure, of each log. */
function readAll(
  program: LogPlace['program'],
  more: Partial<LogPlace> = {},
): [file: string, ...rest: unknown[]][] {
  const place: LogPlace = { program, named: folder, env: {}, ...more }
  return [...readLogs(place, recordedTranscript)].map(({ file, session, builder, failure }) => {
    const shown = path.relative(folder, file)
    if (session === undefined) return [shown, failure]
    const texts = builder.said.map(([kind, text]) => (kind === 'user' ? text : kind))
    return [shown, session.id, session.unread, texts]
  })
}

const said = (content: string) => ({ type: 'user', message: { content } })

describe('the logs of an agent', () => {
  it('are read in the order of their names, up to six folders deep, damaged lines counted', () => {
    write('b/2.jsonl', said('two'), 'damaged', {}, '')
    write('b/1.jsonl', said('one'))
    write('a/3.jsonl', said('three'))
    write('a/note.txt', said('no'))
    write('1/2/3/4/5/6/deep.jsonl', said('deep'))
    write('1/2/3/4/5/6/7/deeper.jsonl', said('deeper'))
    expect(readAll('claude')).toEqual([
      ['1/2/3/4/5/6/deep.jsonl', 'deep', 0, ['deep']],
      ['a/3.jsonl', '3', 0, ['three']],
      ['b/1.jsonl', '1', 0, ['one']],
      ['b/2.jsonl', '2', 2, ['two']],
    ])
  })

  it('may be one named file of any name', () => {
    const named = write('note.txt', said('one'))
    expect(readAll('claude', { named })).toEqual([['note.txt', 'note.txt', 0, ['one']]])
  })

  it('are looked for where the program stores them', () => {
    write('projects/x/1.jsonl', said('one'))
    const env = { CLAUDE_CONFIG_DIR: folder }
    expect(readAll('claude', { named: undefined, env })).toEqual([
      ['projects/x/1.jsonl', '1', 0, ['one']],
    ])
    const gone = path.join(folder, 'gone')
    const find = (more: Partial<LogPlace>) => () => readAll('claude', more)
    expect(find({ named: gone })).toThrow(`no logs of claude found (looked in ${gone})`)
    expect(find({ named: undefined })).toThrow('no logs of claude found (HOME is not set)')
  })

  it('of Gemini may be JSON documents', () => {
    const message = { type: 'user', id: 'u', content: 'one' }
    write('session-a.json', { sessionId: 's', messages: [message] })
    write('session-b.jsonl', message)
    write('session-c.json', 'no JSON')
    write('other.json', { messages: [message] })
    expect(readAll('gemini')).toEqual([
      ['session-a.json', 's', 0, ['one']],
      ['session-b.jsonl', 'session-b', 0, ['one']],
      ['session-c.json', 'a character is out of place'],
    ])
  })

  it('that are compressed need a function that decompresses them', () => {
    const payload = { type: 'message', role: 'user', content: 'one' }
    const line = { type: 'response_item', payload }
    write('rollout-a.jsonl.zst', line, 'damaged', ' ', line)
    expect(readAll('codex')).toEqual([
      ['rollout-a.jsonl.zst', 'it is compressed: decompress it with zstd -d'],
    ])
    expect(readAll('codex', { unzstd: (bytes) => bytes })).toEqual([
      ['rollout-a.jsonl.zst', 'rollout-a', 1, ['one', 'one']],
    ])
  })
})

describe('the logs of OpenCode', () => {
  it('are read from the files of older versions, in the order of their names', () => {
    write('storage/session/p/s.json', { id: 's' })
    write('storage/session/p/bad.json', 'no JSON')
    write('storage/session/p/no-id.json', {})
    write('storage/message/s/m2.json', { id: 'm2', role: 'user' })
    write('storage/message/s/m1.json', { id: 'm1', role: 'user' })
    write('storage/message/s/m3.json', 'no JSON')
    write('storage/part/m1/p2.json', { type: 'text', text: 'b' })
    write('storage/part/m1/p1.json', { type: 'text', text: 'a' })
    write('storage/part/m2/p1.json', { type: 'text', text: 'c' })
    write('storage/part/m2/p2.json', 'no JSON')
    const expected = [['storage', 's', 2, ['a\nb', 'c']]]
    expect(readAll('opencode')).toEqual(expected)
    expect(readAll('opencode', { named: path.join(folder, 'storage') })).toEqual(expected)
    const home = path.join(folder, 'opencode')
    mkdirSync(home)
    const env = { XDG_DATA_HOME: folder }
    const find = () => readAll('opencode', { named: undefined, env })
    expect(find).toThrow(
      `no logs of opencode found (looked in ${home}/storage, ${home}/opencode.db, ${home}/opencode.db/opencode.db)`,
    )
    write('opencode/storage/session/p/t.json', { id: 't' })
    expect(find()).toEqual([['opencode/storage', 't', 0, []]])
  })

  it('may be an exported file', () => {
    const parts = [{ type: 'text', text: 'one' }]
    const messages = [{ info: { role: 'user' }, parts }, 'no object']
    const named = write('session.json', { info: { id: 's' }, messages })
    expect(readAll('opencode', { named })).toEqual([['session.json', 's', 0, ['one']]])
    const other = write('other.json', { info: {} })
    expect(readAll('opencode', { named: other })).toEqual([['other.json', expect.any(String)]])
  })
})

describe('the values of a log', () => {
  it.each([
    ['2026-01-02T03:04:05.999Z', '2026-01-02T03:04:05.999Z'],
    [1_767_323_045_000, '2026-01-02T03:04:05.000Z'],
    [0, '1970-01-01T00:00:00.000Z'],
    [8.1e15, ''],
    [Number.NaN, ''],
    ['', ''],
    ['soon', ''],
    [undefined, ''],
  ])('the time %j is %j', (value, time) => {
    expect(timeAt(value)).toEqual(time)
  })

  it.each([
    [2.5, 3],
    [0.4, 0],
    [0, 0],
    [-1, 0],
    ['2', 0],
    [Infinity, 0],
  ])('the count %j is %d', (value, count) => {
    expect(countAt(value)).toBe(count)
  })

  it('a content is a text, or a list of texts and parts with a text', () => {
    expect(contentText('a')).toBe('a')
    expect(contentText(['a', { text: 'b' }, { text: '' }, '', 5, { text: 6 }])).toBe('a\nb')
    expect(contentText({ text: 'a' })).toBe('')
  })

  it('an object may be JSON text', () => {
    expect(parsedObject('{"a":1}')).toEqual({ a: 1 })
    expect(parsedObject({ a: 1 })).toEqual({ a: 1 })
    for (const value of ['[1]', '{', 5, undefined]) expect(parsedObject(value)).toEqual({})
  })
})
