import { createHash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { fixedClock } from '@zee/core/clock'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openSession } from '../session/file.ts'
import { defaultTools, runTool } from '../tools/tools.ts'
import { logChange, maxImageBytes, readChanges } from './change-log.ts'
import { liveChanges } from './live-changes.ts'
import { sessionDiff } from './session-diff.ts'
import { redoSession, undoSession } from './undo.ts'

const clock = fixedClock('2026-01-01T00:00:00Z')
let root: string
beforeEach(() => {
  root = realpathSync(mkdtempSync(path.join(os.tmpdir(), 'zee-undo-')))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const paths = () => ({
  sessions: path.join(root, 's'),
  undo: path.join(root, 'u'),
  id: 'one',
  env: process.env,
})
const file = (name: string) => path.join(root, name)
const text = (name: string) => readFileSync(file(name), 'utf8')

const copyOf = (contents: string) =>
  path.join(paths().undo, createHash('sha256').update(contents).digest('hex'))

function prompt(text: string) {
  const session = openSession(paths().sessions, 'one', clock)
  session.append({ type: 'message', role: 'user', text })
  session.close()
}

/** Makes a tool call like a turn: records it in the session, then runs it. */
async function call(id: string, name: string, input: Record<string, unknown>) {
  const session = openSession(paths().sessions, 'one', clock)
  session.append({ type: 'tool_use', id, name, input })
  const result = await runTool(defaultTools, name, input, {
    root,
    timeoutMs: undefined,
    signal: new AbortController().signal,
    env: {},
    callId: id,
    beforeChange: (change) => logChange(paths().undo, change, clock),
  })
  session.append({ type: 'tool_result', tool_use_id: id, output: result, ok: result.ok })
  session.close()
  return result
}

async function undo(to?: number) {
  const session = openSession(paths().sessions, 'one', clock)
  try {
    return await undoSession(paths(), { to }, session)
  } finally {
    session.close()
  }
}

async function redo() {
  const session = openSession(paths().sessions, 'one', clock)
  try {
    return await redoSession(paths(), {}, session)
  } finally {
    session.close()
  }
}

describe('undo', () => {
  it('is taken back by a second redo when the first one was interrupted', async () => {
    writeFileSync(file('a'), 'one')
    await call('1', 'write', { path: 'a', content: 'two' })
    await undo()
    const log = path.join(paths().undo, 'changes.jsonl')
    await redo()
    // As after a crash in the redo: its record is there, the files are not changed and it has no end.
    writeFileSync(
      log,
      `${readFileSync(log, 'utf8').trimEnd().split('\n').slice(0, -1).join('\n')}\n`,
    )
    writeFileSync(file('a'), 'one')
    expect((await redo()).files).toEqual([file('a')])
    expect(text('a')).toBe('two')
    await expect(redo()).rejects.toThrow('there is no undo to take back')
  })

  it('restores the contents and mode of every file and removes new files', async () => {
    writeFileSync(file('a'), 'one')
    chmodSync(file('a'), 0o751)
    await call('1', 'write', { path: 'a', content: 'two' })
    await call('2', 'edit', { path: 'a', old: 'two', new: 'three' })
    await call('3', 'write', { path: 'b', content: 'new' })
    expect((await undo(0)).files).toEqual([file('a'), file('b')])
    expect(text('a')).toBe('one')
    expect(statSync(file('a')).mode & 0o777).toBe(0o751)
    expect(existsSync(file('b'))).toBe(false)
    expect(liveChanges(paths())).toEqual([])
  })

  it('distinguishes calls that share an id', async () => {
    await call('same', 'write', { path: 'a', content: '1' })
    await call('same', 'write', { path: 'a', content: '2' })
    expect(liveChanges(paths()).map(({ event }) => event)).toEqual([2, 4])
    await undo(2)
    expect(text('a')).toBe('1')
  })

  it('undoes only the last turn, even if an earlier call had the same id', async () => {
    prompt('first')
    await call('0', 'write', { path: 'a', content: 'kept' })
    await call('1', 'read', { path: 'a' })
    await call('2', 'edit', { path: 'a', old: 'not there', new: 'x' })
    prompt('second')
    await call('1', 'write', { path: 'b', content: 'new' })
    await call('2', 'edit', { path: 'b', old: 'new', new: 'newer' })
    expect(liveChanges(paths()).map(({ event }) => event)).toEqual([3, 10, 12])
    expect((await undo()).files).toEqual([file('b')])
    expect(text('a')).toBe('kept')
    expect(existsSync(file('b'))).toBe(false)
  })

  it('restores through links, so that all names of a file have the old contents', async () => {
    writeFileSync(file('real'), 'old')
    symlinkSync('real', file('link'))
    linkSync(file('real'), file('second'))
    await call('1', 'write', { path: 'link', content: 'new' })
    expect(text('second')).toBe('new')
    await undo()
    expect(text('real')).toBe('old')
    expect(text('second')).toBe('old')
  })

  it('changes nothing if one of several files was modified afterwards', async () => {
    await call('1', 'write', { path: 'a', content: '1' })
    await call('2', 'write', { path: 'b', content: '1' })
    writeFileSync(file('b'), 'by hand')
    await expect(undo(0)).rejects.toThrow(/b: it has changed since; nothing was changed$/)
    expect(text('a')).toBe('1')
  })

  it.each([
    ['empty', () => ''],
    ['torn', (text: string) => text.slice(0, 3)],
    ['altered', (text: string) => text.replace('o', '0')],
  ])('changes nothing if the kept copy of one file is %s', async (_, damage) => {
    writeFileSync(file('a'), 'old a')
    writeFileSync(file('b'), 'old b')
    await call('1', 'write', { path: 'a', content: 'new a' })
    await call('2', 'write', { path: 'b', content: 'new b' })
    writeFileSync(copyOf('old b'), damage('old b'))
    await expect(undo(0)).rejects.toThrow(
      `the kept copy of ${file('b')} is damaged; nothing was changed`,
    )
    expect([text('a'), text('b')]).toEqual(['new a', 'new b'])
    expect(await sessionDiff(paths(), root)).toContain(
      'diff b (event 4)\nThe kept copy is damaged.',
    )
  })

  it('works again after a later change has rewritten a damaged copy', async () => {
    writeFileSync(file('a'), 'old')
    await call('1', 'write', { path: 'a', content: 'new' })
    writeFileSync(copyOf('old'), '')
    writeFileSync(file('b'), 'old')
    await call('2', 'write', { path: 'b', content: 'new' })
    await undo(0)
    expect([text('a'), text('b')]).toEqual(['old', 'old'])
  })

  it('makes the tool refuse to write if the session cannot be flushed', async () => {
    const session = {
      sync: () => {
        throw new Error('the disk reported an error')
      },
    }
    const change = {
      callId: '1',
      tool: 'write',
      path: file('a'),
      exists: false,
      after: Buffer.from(''),
    }
    expect(await logChange(paths().undo, change, clock, session)).toEqual({
      ok: false,
      reason: 'the disk reported an error',
    })
    expect(existsSync(paths().undo)).toBe(false)
  })

  it('accepts a file that already has its old contents', async () => {
    writeFileSync(file('a'), 'old')
    await call('1', 'write', { path: 'a', content: 'new' })
    writeFileSync(file('a'), 'old')
    await undo()
    expect(text('a')).toBe('old')
  })

  it('refuses a file whose contents were too large to store', async () => {
    writeFileSync(file('big'), Buffer.alloc(maxImageBytes + 1, 'x'))
    await call('1', 'write', { path: 'big', content: 'small' })
    expect(readChanges(paths().undo)).toMatchObject([{ kept: false }])
    await expect(undo()).rejects.toThrow('too large')
  })

  it('makes the tool refuse to write if the old contents cannot be stored', async () => {
    writeFileSync(file('u'), 'a file where the folder should be')
    writeFileSync(file('a'), 'old')
    expect(await call('1', 'write', { path: 'a', content: 'new' })).toMatchObject({
      ok: false,
      error: { code: 'write_error' },
    })
    expect(text('a')).toBe('old')
  })
})
