import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { isSessionId } from './file.ts'
import { latestSession, listSessions, sessionsNamed } from './list.ts'
import { metaOf, readMeta } from './meta.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'zee-sessions-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const metaLine = (root?: string) => `${JSON.stringify({ type: 'meta', schema_version: 1, root })}\n`

function write(name: string, modified: number, text = metaLine()): void {
  writeFileSync(path.join(folder, name), text)
  utimesSync(path.join(folder, name), modified, modified)
}

describe('listSessions', () => {
  it('lists the newest session first, and sessions of the same time by id', () => {
    write('b.jsonl', 2, '12345')
    write('a.jsonl', 2, '')
    write('old.jsonl', 1, '1')
    write('new.jsonl', 3, '1')
    expect(listSessions(folder)).toEqual([
      { id: 'new', modifiedMs: 3000, bytes: 1 },
      { id: 'a', modifiedMs: 2000, bytes: 0 },
      { id: 'b', modifiedMs: 2000, bytes: 5 },
      { id: 'old', modifiedMs: 1000, bytes: 1 },
    ])
  })

  it('skips what is not a session file', () => {
    write('a.jsonl', 1)
    write('a.json', 1)
    write('a\nb.jsonl', 1)
    write('.jsonl', 1)
    mkdirSync(path.join(folder, 'folder.jsonl'))
    symlinkSync('gone', path.join(folder, 'link.jsonl'))
    expect(listSessions(folder).map(({ id }) => id)).toEqual(['a'])
  })

  it('is empty for a missing folder and fails for a file', () => {
    expect(listSessions(path.join(folder, 'gone'))).toEqual([])
    write('a.jsonl', 1)
    expect(() => listSessions(path.join(folder, 'a.jsonl'))).toThrow(/cannot list/)
  })
})

describe('latestSession', () => {
  it('is the newest session of the project, or one without a project', () => {
    write('none.jsonl', 1, metaLine())
    write('one.jsonl', 2, metaLine('/one'))
    write('two.jsonl', 3, metaLine('/two'))
    expect(latestSession(folder)).toBe('two')
    expect(latestSession(folder, '/two')).toBe('two')
    expect(latestSession(folder, '/one')).toBe('one')
    expect(latestSession(folder, '/three')).toBe('none')
    rmSync(path.join(folder, 'none.jsonl'))
    expect(latestSession(folder, '/three')).toBeUndefined()
  })
})

describe('sessionsNamed', () => {
  it('finds the session with this id, else those whose id starts with it', () => {
    write('abcd.jsonl', 1)
    write('abcdef.jsonl', 2)
    write('abcdeg.jsonl', 3)
    expect(sessionsNamed(folder, 'abcd')).toEqual(['abcd'])
    expect(sessionsNamed(folder, 'abcde')).toEqual(['abcdeg', 'abcdef'])
    expect(sessionsNamed(folder, 'bcde')).toEqual([])
  })

  it('needs four characters of an id', () => {
    write('abcdef.jsonl', 1)
    expect(sessionsNamed(folder, 'abcd')).toEqual(['abcdef'])
    expect(sessionsNamed(folder, 'abc')).toEqual([])
  })
})

describe('the meta line', () => {
  it('is read from the first 16 KiB of a session', () => {
    const root = (length: number) => `/${'x'.repeat(length)}`
    const line = (length: number) => metaLine(root(length)).trimEnd()
    const rest = 16 * 1024 - line(0).length
    write('fits.jsonl', 1, line(rest))
    write('long.jsonl', 1, line(rest + 1))
    write('two.jsonl', 1, metaLine('/one') + metaLine('/two'))
    expect(readMeta(folder, 'fits')?.root).toBe(root(rest))
    expect(readMeta(folder, 'long')).toBeUndefined()
    expect(readMeta(folder, 'two')?.root).toBe('/one')
    expect(readMeta(folder, 'gone')).toBeUndefined()
  })

  it('is absent if the first line is another record', () => {
    expect(metaOf(metaLine('/a'))?.root).toBe('/a')
    expect(metaOf(metaLine('/a').trimEnd())?.root).toBe('/a')
    expect(metaOf('{"type":"elided"}\n')).toBeUndefined()
    expect(metaOf(`\n${metaLine('/a')}`)).toBeUndefined()
    expect(metaOf('')).toBeUndefined()
  })
})

it.each([
  ['a', true],
  ['a b', true],
  ['...', true],
  ['x'.repeat(200), true],
  ['', false],
  ['.', false],
  ['..', false],
  ['a/b', false],
  ['a\\b', false],
  ['a\nb', false],
  ['a\u007fb', false],
  ['x'.repeat(201), false],
  ['ü'.repeat(101), false],
])('whether %j is a session id: %s', (id, isId) => {
  expect(isSessionId(id)).toBe(isId)
})
