import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { ZeeError } from '@zee/core/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { NewRecord, SessionWriter } from '../session/session.ts'
import { readLog } from './change-log.ts'
import type { RecordedSession } from './recorded-session.fixtures.ts'
import { makeRecordedSession } from './recorded-session.fixtures.ts'
import type { UndoOptions } from './undo.ts'
import { redoSession, undoSession } from './undo.ts'

let recorded: RecordedSession
let appended: NewRecord[]
let failure: Error | undefined
beforeEach(() => {
  recorded = makeRecordedSession()
  appended = []
  failure = undefined
})
afterEach(() => recorded.remove())

/** Appends to the session file, so that the next call sees it, unless it fails. */
const session: SessionWriter = {
  id: 'one',
  append: (record) => {
    if (failure !== undefined) throw failure
    appended.push(record)
    recorded.record(record)
  },
  sync: () => {},
  close: () => {},
}
const undo = (options: UndoOptions = {}) => undoSession(recorded.paths, options, session)
const redo = (force?: boolean) =>
  redoSession(recorded.paths, force === undefined ? {} : { force }, session)
const text = (name: string) => readFileSync(recorded.file(name), 'utf8')
const names = (...list: string[]) => list.map((name) => recorded.file(name))

async function refusal(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (error instanceof ZeeError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'no error'
}
const changedSince = (name: string) =>
  `cannot_undo: cannot undo ${recorded.file(name)}: it has changed since; nothing was changed`

/** Records an edit of each path with its prompt and call, and writes the contents after it. */
function edit(changes: Record<string, [string | null, string]>, more = {}) {
  recorded.record({ type: 'message', role: 'user', text: 'do it' })
  for (const [name, [before, after]] of Object.entries(changes)) {
    recorded.record({ type: 'tool_use', id: name, name: 'edit', input: {} })
    recorded.log({
      call_id: name,
      tool: 'edit',
      path: recorded.file(name),
      before: before === null ? null : recorded.keep(before).hash,
      after: recorded.keep(after).hash,
      kept: true,
      ...more,
    })
    recorded.put(name, after)
  }
}

describe('an undo', () => {
  it('is refused without changes', async () => {
    const nothing = 'nothing_to_undo: there are no changes to undo'
    expect(await refusal(undo())).toBe(nothing)
    edit({ a: ['old', 'new'] })
    expect(await refusal(undo({ to: 3 }))).toBe(nothing)
    expect(await undo({ to: 2 })).toEqual({ files: names('a'), removed: [] })
    expect(await refusal(undo())).toBe(nothing)
    expect(await refusal(undo({ to: 0 }))).toBe(nothing)
  })

  it('undoes the last turn, and records files, removed files and numbers', async () => {
    edit({ a: ['1', '2'] })
    edit({ a: ['2', '3'], b: [null, 'new'], c: ['x', 'y'] })
    expect(await undo()).toEqual({ files: names('a', 'b', 'c'), removed: names('b') })
    expect(appended).toEqual([{ type: 'undo', files: names('a', 'b', 'c'), undone: [2, 3, 4] }])
    expect([text('a'), existsSync(recorded.file('b')), text('c')]).toEqual(['2', false, 'x'])
    const { transactions } = readLog(recorded.paths.undo)
    expect(transactions).toMatchObject([{ direction: 'undo', numbers: [2, 3, 4], isDone: true }])
    expect(await undo()).toEqual({ files: names('a'), removed: [] })
    expect(text('a')).toBe('1')
    const saved = readdirSync(recorded.paths.undo).filter((name) => name.startsWith('saved-'))
    expect(saved.toSorted()).toEqual([`saved-1-${process.pid}`, `saved-2-${process.pid}`])
  })

  it('of a changed file needs force, and keeps the present contents for a redo', async () => {
    edit({ a: ['old', 'new'] })
    recorded.put('a', 'by hand')
    expect(await refusal(undo())).toBe(changedSince('a'))
    expect(await undo({ force: true })).toEqual({ files: names('a'), removed: [] })
    expect(text('a')).toBe('old')
    await redo()
    expect(text('a')).toBe('by hand')
  })

  it('leaves out paths that are already restored, and folders beside files', async () => {
    edit({ 'd/a': [null, 'new'], b: ['old', 'new'] }, { folders: [recorded.raw('d')] })
    recorded.put('b', 'old')
    expect(await undo()).toEqual({ files: names('d/a'), removed: names('d/a') })
    expect(existsSync(recorded.file('d'))).toBe(false)
    recorded.log(
      { type: 'snapshot', name: 's', call_id: 'b' },
      {
        type: 'shell_change',
        snapshot: readLog(recorded.paths.undo).transactions.length + 4,
        path: recorded.raw('e'),
        before: { kind: 'folder', mode: 0o755 },
      },
    )
    const { changes } = readLog(recorded.paths.undo)
    expect(changes.at(-1)?.path).toBe(recorded.file('e'))
    expect(await undo()).toEqual({ files: names('e'), removed: [] })
  })

  it('shows a folder in the place of a file, and a file in the place of a folder', async () => {
    const folder = { kind: 'folder', mode: 0o755 }
    const file = recorded.keep('text')
    recorded.record({ type: 'tool_use', id: 'c', name: 'bash', input: {} })
    const change = (name: string, before: unknown, after: unknown) => ({
      ...{ type: 'shell_change', snapshot: 1, path: recorded.raw(name), before, after },
    })
    recorded.log(
      { type: 'snapshot', name: 's', call_id: 'c' },
      change('file', file, folder),
      change('folder', folder, file),
      change('made', null, folder),
      { type: 'snapshot_closed', snapshot: 1 },
    )
    for (const name of ['file', 'made']) mkdirSync(recorded.file(name))
    recorded.put('folder', 'text')
    expect(await undo()).toEqual({ files: names('file', 'folder'), removed: [] })
    expect([text('file'), statSync(recorded.file('folder')).isDirectory()]).toEqual(['text', true])
    expect(await redo()).toEqual({ files: names('file', 'folder'), removed: [] })
    expect([statSync(recorded.file('file')).isDirectory(), text('folder')]).toEqual([true, 'text'])
  })

  it('says that it is not recorded if the session fails', async () => {
    edit({ a: ['old', 'new'], b: ['old', 'new'] })
    failure = new Error('the disk is full')
    expect(await refusal(undo())).toBe(
      'undo_not_recorded: restored 2 file(s), but: the disk is full',
    )
    expect([text('a'), appended]).toEqual(['old', []])
    failure = undefined
    expect(await undo()).toEqual({ files: names('a', 'b'), removed: [] })
    expect(appended).toEqual([{ type: 'undo', files: names('a', 'b'), undone: [1, 2] }])
  })

  it('that was interrupted is finished before a redo', async () => {
    edit({ a: ['old', 'new'] })
    failure = new Error('killed')
    await refusal(undo())
    failure = undefined
    recorded.put('a', 'new')
    expect(await redo()).toEqual({ files: names('a'), removed: [] })
    expect(appended.map(({ type }) => type)).toEqual(['undo', 'redo'])
    expect(text('a')).toBe('new')
  })

  it('that stops says how to finish it', async () => {
    edit({ 'd/a': ['old', 'new'] })
    rmSync(recorded.file('d'), { recursive: true })
    recorded.put('d', 'a file in the place of the folder')
    expect(await refusal(undo({ force: true }))).toBe(
      'cannot_undo: the undo stopped: it already exists; some files may be changed; run it again to finish it',
    )
  })

  it('restores a folder that a link has replaced', async () => {
    recorded.put('other/a', 'text')
    symlinkSync('other', recorded.file('d'))
    recorded.record({ type: 'tool_use', id: 'c', name: 'bash', input: {} })
    const change = (name: string, before: unknown, after: unknown) => ({
      ...{ type: 'shell_change', snapshot: 1, path: recorded.raw(name), before, after },
    })
    const link = { kind: 'link', target: 'other' }
    const mode = statSync(recorded.file('other/a')).mode & 0o7777
    recorded.log(
      { type: 'snapshot', name: 's', call_id: 'c' },
      change('d', { kind: 'folder', mode: 0o755 }, link),
      change('d/a', recorded.keep('text', mode), null),
      { type: 'snapshot_closed', snapshot: 1 },
    )
    await undo()
    expect([text('d/a'), text('other/a')]).toEqual(['text', 'text'])
    expect(readLog(recorded.paths.undo).transactions[0]?.entries).toMatchObject([
      { path: recorded.raw('d'), from: link },
      { path: recorded.raw('d/a'), from: null },
    ])
  })
})

describe('a redo', () => {
  it('takes back the undos, the last one first', async () => {
    const nothing = 'nothing_to_redo: there is no undo to take back'
    edit({ a: ['1', '2'] })
    edit({ a: ['2', '3'], b: [null, 'new'] })
    expect(await refusal(redo())).toBe(nothing)
    await undo()
    await undo()
    expect(await redo()).toEqual({ files: names('a'), removed: [] })
    expect(text('a')).toBe('2')
    expect(await redo()).toEqual({ files: names('a', 'b'), removed: [] })
    expect([text('a'), text('b')]).toEqual(['3', 'new'])
    expect(await refusal(redo())).toBe(nothing)
    expect(appended.slice(2)).toEqual([
      { type: 'redo', files: names('a'), redone: [1] },
      { type: 'redo', files: names('a', 'b'), redone: [2, 3] },
    ])
  })

  it('of a changed file needs force, unless it is already as before the undo', async () => {
    edit({ a: ['old', 'new'] })
    await undo()
    recorded.put('a', 'by hand')
    expect(await refusal(redo())).toBe(changedSince('a'))
    expect(await refusal(redo(false))).toBe(changedSince('a'))
    recorded.put('a', 'new')
    expect(await redo()).toEqual({ files: [], removed: [] })
    await undo()
    recorded.put('a', 'by hand')
    expect(await redo(true)).toEqual({ files: names('a'), removed: [] })
    expect(text('a')).toBe('new')
  })

  it('accepts a folder that the undo has left', async () => {
    edit({ 'd/a': [null, 'new'] }, { folders: [recorded.raw('d')] })
    writeFileSync(recorded.file('d/by hand'), '')
    await undo()
    expect(readdirSync(recorded.file('d'))).toEqual(['by hand'])
    await redo()
    expect(readdirSync(recorded.file('d')).toSorted()).toEqual(['a', 'by hand'])
  })

  it('refuses a folder in the place of a file, and a file where the undo left nothing', async () => {
    edit({ a: ['old', 'new'], b: [null, 'new'] })
    await undo()
    recorded.put('b', 'by hand')
    expect(await refusal(redo())).toBe(changedSince('b'))
    rmSync(recorded.file('b'))
    rmSync(recorded.file('a'))
    mkdirSync(recorded.file('a'))
    expect(await refusal(redo())).toBe(changedSince('a'))
  })
})
