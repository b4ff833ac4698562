import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fixedClock } from '@zee/core/clock'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  deleteSession,
  forkSession,
  readTitles,
  renameSession,
  uncountedReceipts,
} from './sessions.ts'

let base: string
let folder: string
beforeEach(() => {
  base = mkdtempSync(path.join(os.tmpdir(), 'zee-sessions-'))
  folder = path.join(base, 'sessions')
  mkdirSync(folder)
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

const clock = fixedClock('2026-01-02T03:04:05Z')
const fileOf = (id: string) => path.join(folder, `${id}.jsonl`)
const textOf = (id: string) => readFileSync(fileOf(id), 'utf8')
const writeLines = (id: string, records: object[]) =>
  writeFileSync(fileOf(id), records.map((record) => `${JSON.stringify(record)}\n`).join(''))
const answer = (text: string, model?: string) => ({
  type: 'message',
  role: 'assistant',
  text,
  ts: text,
  ...(model === undefined ? {} : { provider: 'p', model }),
})

describe('forkSession', () => {
  it('copies all lines, or those up to an event', async () => {
    writeLines('a', [answer('1'), { type: 'future', b: 1, a: 2 }, answer('3')])
    await forkSession(folder, 'a', 'all', undefined)
    expect(textOf('all')).toBe(textOf('a'))
    expect(statSync(fileOf('all')).mode & 0o777).toBe(0o600)
    await forkSession(folder, 'a', 'two', 2)
    expect(textOf('two')).toBe(textOf('a').split('\n').slice(0, 2).join('\n') + '\n')
  })

  it('drops the numbers of undone and redone changes, which belong to the source', async () => {
    writeLines('a', [
      { type: 'undo', files: ['a'], undone: [1, 2], ts: 't' },
      { type: 'redo', files: ['a'], redone: [1], ts: 't' },
    ])
    await forkSession(folder, 'a', 'b', undefined)
    expect(textOf('b')).toBe(
      '{"type":"undo","files":["a"],"undone":[],"ts":"t"}\n' +
        '{"type":"redo","files":["a"],"redone":[],"ts":"t"}\n',
    )
  })

  it('fails without a source and for a taken id', async () => {
    writeLines('a', [answer('1')])
    writeLines('b', [])
    await expect(forkSession(folder, 'gone', 'c', undefined)).rejects.toMatchObject({
      code: 'no_session',
      message: "there is no session 'gone'",
    })
    await expect(forkSession(folder, 'a', 'b', undefined)).rejects.toMatchObject({
      code: 'eexist',
      message: "session 'b' already exists",
    })
    expect(textOf('b')).toBe('')
  })
})

describe('uncountedReceipts', () => {
  const models = async (id: string, counted: Set<string>) => {
    const found: string[] = []
    for await (const { receipt, ts } of uncountedReceipts(folder, id, counted)) {
      found.push(`${receipt.model} ${ts}`)
    }
    return found
  }

  it('counts the receipts that a fork repeats once', async () => {
    writeLines('a', [
      answer('1', 'x'),
      { type: 'undo', files: [], undone: [7] },
      { type: 'future' },
      answer('2'),
      answer('3', 'y'),
    ])
    await forkSession(folder, 'a', 'b', undefined)
    await forkSession(folder, 'b', 'c', 1)
    for (const id of ['b', 'c']) appendFileSync(fileOf(id), `${JSON.stringify(answer('4', id))}\n`)
    const counted = new Set<string>()
    expect(await models('c', counted)).toEqual(['x 1', 'c 4'])
    expect(await models('b', counted)).toEqual(['y 3', 'b 4'])
    expect(await models('a', counted)).toEqual([])
    expect(await models('a', new Set())).toEqual(['x 1', 'y 3'])
    expect(await models('gone', counted)).toEqual([])
  })

  it('counts equal receipts of one session each', async () => {
    writeLines('a', [answer('1', 'x'), answer('1', 'x')])
    expect(await models('a', new Set())).toEqual(['x 1', 'x 1'])
  })
})

describe('titles', () => {
  it('are those of the latest records; an empty title removes one', () => {
    writeLines('a', [])
    writeLines('b', [])
    expect(readTitles(base)).toEqual(new Map())
    renameSession(base, folder, 'a', 'one', clock)
    renameSession(base, folder, 'b', 'two', clock)
    renameSession(base, folder, 'a', 'three', clock)
    renameSession(base, folder, 'b', '', clock)
    const titles = path.join(base, 'titles.jsonl')
    expect(readFileSync(titles, 'utf8').split('\n')[0]).toBe(
      '{"id":"a","title":"one","ts":"2026-01-02T03:04:05Z"}',
    )
    appendFileSync(titles, '{"id":"a","title":1}\n{"id":1,"title":"x"}\n')
    expect(readTitles(base)).toEqual(new Map([['a', 'three']]))
  })

  it('are written to a folder that only the user can read', () => {
    writeLines('a', [])
    const ownBase = path.join(base, 'private')
    renameSession(ownBase, folder, 'a', 'one', clock)
    expect(statSync(ownBase).mode & 0o777).toBe(0o700)
  })

  it('are refused for a session that does not exist', () => {
    expect(() => renameSession(base, folder, 'gone', 'x', clock)).toThrow("no session 'gone'")
    expect(readTitles(base)).toEqual(new Map())
  })
})

describe('deleteSession', () => {
  it('removes the session, its title, page and undo data', async () => {
    const undo = path.join(base, 'undo')
    const page = path.join(base, 'page.html')
    mkdirSync(undo)
    writeFileSync(path.join(undo, 'x'), '')
    writeFileSync(page, '')
    writeLines('a', [answer('1')])
    writeLines('b', [])
    renameSession(base, folder, 'a', 'one', clock)
    renameSession(base, folder, 'b', 'two', clock)
    await deleteSession({ base, folder, undo, page }, 'a', clock)
    expect([fileOf('a'), undo, page].filter((file) => existsSync(file))).toEqual([])
    expect(readTitles(base)).toEqual(new Map([['b', 'two']]))
    await expect(deleteSession({ base, folder, undo, page }, 'a', clock)).rejects.toThrow(
      "there is no session 'a'",
    )
  })

  it('writes no title for a session without one', async () => {
    writeLines('a', [answer('1')])
    const gone = path.join(base, 'gone')
    await deleteSession({ base, folder, undo: gone, page: gone }, 'a', clock)
    expect(existsSync(path.join(base, 'titles.jsonl'))).toBe(false)
  })
})
