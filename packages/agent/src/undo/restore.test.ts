import {
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { ZeeError } from '@zee/core/errors'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChangeRecord } from './change-log.ts'
import { contentsReader } from './contents.ts'
import type { RecordedSession } from './recorded-session.fixtures.ts'
import { changeOf, makeRecordedSession } from './recorded-session.fixtures.ts'
import {
  applyEntries,
  applyError,
  checkContents,
  currentState,
  damagedCopy,
  foldersOf,
  planUndo,
  undoError,
} from './restore.ts'
import type { PathState } from './snapshots/snapshots.ts'
import { stateAt } from './snapshots/snapshots.ts'

let recorded: RecordedSession
beforeEach(() => {
  recorded = makeRecordedSession()
})
afterEach(() => recorded.remove())

const folder = (mode: number): PathState => ({ kind: 'folder', mode })
const modeOf = (name: string) => lstatSync(recorded.file(name)).mode & 0o7777
const text = (name: string) => readFileSync(recorded.file(name), 'utf8')
const state = (name: string) => stateAt(recorded.raw(name))
const change = (name: string, more: Partial<ChangeRecord>) => changeOf(recorded.raw(name), more)

/** Runs `work` and returns code and message of the error it throws. */
async function refusal(work: () => unknown): Promise<string | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    return error instanceof ZeeError ? `${error.code}: ${error.message}` : String(error)
  }
}
const refused = (name: string, reason: string) =>
  `cannot_undo: cannot undo ${recorded.file(name)}: ${reason}; nothing was changed`

describe('the plan of an undo', () => {
  const plan = (changes: ChangeRecord[], force = false) =>
    planUndo(changes, force).map(({ path, to }) => [path.slice(recorded.root.length + 1), to])

  it('returns to the state before the earliest change, if the last one is in place', () => {
    recorded.put('a', 'now')
    const [first, second, third] = ['1', '2', '3'].map((each) => recorded.keep(each)) as [
      PathState,
      PathState,
      PathState,
    ]
    const changes = [
      change('a', { opened: 3, closed: 8, before: second, after: state('a') }),
      change('a', { opened: 2, closed: 7, before: first, after: second }),
      change('a', { opened: 2, closed: 8, before: third, after: third }),
    ]
    expect(plan(changes)).toEqual([['a', first]])
    expect(plan(changes.toReversed().slice(1))).toEqual([['a', first]])
  })

  it('takes the mode of an edited file from a snapshot', () => {
    recorded.put('a', 'now')
    const edited = recorded.keep('old', -1)
    const after = state('a')
    const edit = change('a', { before: edited, after })
    const seen = change('a', { opened: 2, before: recorded.keep('old', 0o640), after })
    const made = change('a', { opened: 3, before: null, after })
    expect(plan([edit, made, seen])).toEqual([['a', { ...edited, mode: 0o640 }]])
    expect(plan([edit, { ...seen, before: edited }])).toEqual([['a', edited]])
    const known = change('a', { before: recorded.keep('old', 0o600), after })
    expect(plan([known, seen])).toEqual([['a', recorded.keep('old', 0o600)]])
  })

  it('removes the folders that a tool made, once', () => {
    recorded.put('d/e/a', 'now')
    const folders = [recorded.raw('d/e'), recorded.raw('d')]
    const changes = [
      change('d/e/a', { after: state('d/e/a'), folders }),
      change('d/e', { opened: 2, before: folder(0o700), after: folder(0o755), tool: 'bash' }),
    ]
    expect(plan(changes)).toEqual([
      ['d/e/a', null],
      ['d/e', null],
      ['d', null],
    ])
    expect(plan(changes.toReversed())).toEqual([
      ['d/e', folder(0o700)],
      ['d/e/a', null],
      ['d', null],
    ])
  })

  it.each<[string, string | undefined, (old: PathState) => Partial<ChangeRecord>]>([
    ['a file', undefined, (before) => ({ before, after: state('file') })],
    ['a file', 'it has changed since', (before) => ({ before, after: null })],
    ['a file', 'it has changed since', (before) => ({ before, after: before })],
    ['a file', 'it has changed since', (before) => ({ before, after: null, tool: 'bash' })],
    ['a file', undefined, () => ({ before: state('file'), after: null })],
    [
      'a file',
      'it has changed since',
      (before) => ({ before, after: state('file'), isLater: true }),
    ],
    ['a folder', undefined, () => ({ after: folder(0o1) })],
    ['a folder', 'it is no longer a file', (before) => ({ before, after: before })],
    ['a folder', 'it has changed since', (before) => ({ after: before })],
    ['a folder', 'it has changed since', (before) => ({ before, after: null })],
    ['a folder', 'it has changed since', (after) => ({ before: folder(0o1), after })],
    ['a link', 'it is no longer a file', (before) => ({ before, after: before })],
    ['a link', 'it has changed since', (before) => ({ before, after: folder(0o755) })],
    ['nothing', 'it has changed since', (before) => ({ before, after: before })],
    ['nothing', undefined, (before) => ({ before, after: before, tool: 'bash' })],
    [
      'nothing',
      'its contents were too large to store',
      (before) => ({ before, after: before, tool: 'bash', kept: false }),
    ],
    [
      'nothing',
      'it was neither a file nor a folder',
      () => ({ before: { kind: 'other' }, tool: 'bash' }),
    ],
  ])('with %s in the place of the change has the error %s', async (kind, reason, more) => {
    const name = { 'a file': 'file', 'a folder': 'folder', 'a link': 'link' }[kind] ?? 'none'
    recorded.put('file', 'now')
    mkdirSync(recorded.file('folder'))
    symlinkSync('file', recorded.file('link'))
    const changes = [change(name, more(recorded.keep('old')))]
    const expected = reason === undefined ? undefined : refused(name, reason)
    expect(await refusal(() => planUndo(changes, false))).toBe(expected)
    if (reason?.startsWith('it has') === true || reason?.startsWith('it is') === true) {
      expect(await refusal(() => planUndo(changes, true))).toBeUndefined()
    }
  })

  it('does not compare files below a folder that became a link', async () => {
    mkdirSync(recorded.file('other'))
    recorded.put('other/a', 'by hand')
    symlinkSync('other', recorded.file('d'))
    const old = recorded.keep('old')
    const file = change('d/a', { before: old, after: null })
    const moved = change('d', { before: folder(0o755), after: state('d') })
    expect(plan([file, moved])).toEqual([
      ['d/a', old],
      ['d', folder(0o755)],
    ])
    expect(await refusal(() => planUndo([file], false))).toBe(
      refused('d/a', 'it has changed since'),
    )
  })
})

describe('the contents of a plan', () => {
  const check = (to: PathState, name = 'a') =>
    refusal(() => checkContents([{ path: recorded.raw(name), to }], contentsReader(recorded.paths)))

  it('must be readable, unless they are in place', async () => {
    const kept = recorded.keep('text')
    expect(await check(kept)).toBeUndefined()
    writeFileSync(recorded.file(`zdx/undo/one/${kept.hash}`), 'torn')
    expect(await check(kept)).toBe(
      `damaged_copy: the kept copy of ${recorded.file('a')} is damaged; nothing was changed`,
    )
    expect(await check({ ...kept, copy: { file: 'none', offset: 0 } })).toBe(
      refused('a', 'its stored contents are missing'),
    )
    recorded.put('b', 'text')
    chmodSync(recorded.file('b'), 0o644)
    expect(await check(kept, 'b')).toBeUndefined()
    for (const to of [null, folder(0o755), { kind: 'link', target: 'x' } as const]) {
      expect(await check(to)).toBeUndefined()
    }
  })
})

describe('restoring', () => {
  const apply = (...states: [string, PathState][]) =>
    applyEntries(
      states.map(([name, to]) => ({ path: recorded.raw(name), from: null, to })),
      contentsReader(recorded.paths),
    )

  it.each([false, true])(
    'makes and removes nested paths in any order (reversed: %s)',
    async (isReversed) => {
      for (const name of ['gone/in/a', 'gone/b', 'kept/in/c']) recorded.put(name, 'x')
      const states: [string, PathState][] = [
        ['gone', null],
        ['gone/in', null],
        ['gone/in/a', null],
        ['gone/b', null],
        ['kept', null],
        ['kept/in', null],
        ['new', folder(0o1700)],
        ['new/in', folder(0o750)],
        ['new/in/file', recorded.keep('text', 0o640)],
        ['other/deep/link', { kind: 'link', target: recorded.raw('ü') }],
        ['third/deep/file', recorded.keep('more', -1)],
      ]
      await apply(...(isReversed ? states.toReversed() : states))
      expect(existsSync(recorded.file('gone'))).toBe(false)
      expect(text('kept/in/c')).toBe('x')
      expect(['new', 'new/in', 'new/in/file'].map(modeOf)).toEqual([0o1700, 0o750, 0o640])
      expect([text('new/in/file'), text('third/deep/file')]).toEqual(['text', 'more'])
      expect(readlinkSync(recorded.file('other/deep/link'))).toBe(recorded.file('ü'))
      const plain = 0o777 & ~process.umask()
      expect(['other', 'other/deep', 'third/deep'].map(modeOf)).toEqual([plain, plain, plain])
      expect(modeOf('third/deep/file')).toBe(0o666 & ~process.umask())
    },
  )

  it('replaces a path of another kind', async () => {
    for (const name of ['file', 'file2']) recorded.put(name, 'x')
    recorded.put('target', 'untouched')
    for (const name of ['link', 'link2', 'link3']) symlinkSync('target', recorded.file(name))
    for (const name of ['folder', 'folder2']) mkdirSync(recorded.file(name))
    await apply(
      ['file', folder(0o755)],
      ['file2', { kind: 'link', target: 'x' }],
      ['link', recorded.keep('text')],
      ['link2', folder(0o755)],
      ['link3', { kind: 'link', target: 'x' }],
      ['folder', recorded.keep('text')],
      ['folder2', { kind: 'link', target: 'x' }],
    )
    expect([state('file')?.kind, state('link2')?.kind]).toEqual(['folder', 'folder'])
    expect(['file2', 'link3', 'folder2'].map((name) => state(name))).toEqual(
      Array.from({ length: 3 }, () => ({ kind: 'link', target: 'x' })),
    )
    expect([text('link'), text('folder'), text('target')]).toEqual(['text', 'text', 'untouched'])
  })

  it('replaces contents atomically, and changes only the mode of right contents', async () => {
    for (const name of ['same', 'other', 'linked', 'mode']) recorded.put(name, 'old')
    linkSync(recorded.file('linked'), recorded.file('second'))
    for (const name of ['same', 'other', 'mode']) chmodSync(recorded.file(name), 0o604)
    const inodes = ['same', 'other', 'linked'].map((name) => statSync(recorded.file(name)).ino)
    await apply(
      ['same', recorded.keep('old', 0o640)],
      ['other', recorded.keep('new', 0o640)],
      ['linked', recorded.keep('new', 0o640)],
      ['mode', recorded.keep('new', -1)],
    )
    const now = ['same', 'other', 'linked'].map((name) => statSync(recorded.file(name)).ino)
    expect(now.map((ino, index) => ino === inodes[index])).toEqual([true, false, true])
    expect(['same', 'other', 'second', 'mode'].map(text)).toEqual(['old', 'new', 'new', 'new'])
    expect(['same', 'other', 'mode'].map(modeOf)).toEqual([0o640, 0o640, 0o604])
  })

  it('writes files whose names are not UTF-8', async () => {
    const name = `${recorded.raw('')}/r\xff`
    const entry = { path: name, from: null, to: recorded.keep('text', 0o640) }
    await applyEntries([entry], contentsReader(recorded.paths))
    expect(readFileSync(Buffer.from(name, 'latin1'), 'utf8')).toBe('text')
    await applyEntries([{ ...entry, to: null }], contentsReader(recorded.paths))
    expect(existsSync(Buffer.from(name, 'latin1'))).toBe(false)
  })

  it('replaces a link by the folder and its files, also if files with the same contents are below the link', async () => {
    recorded.put('other/a', 'text')
    chmodSync(recorded.file('other/a'), 0o644)
    symlinkSync('other', recorded.file('d'))
    await apply(['d', folder(0o755)], ['d/a', recorded.keep('text')], ['d/b', null])
    expect([text('d/a'), text('other/a')]).toEqual(['text', 'text'])
    expect(lstatSync(recorded.file('d')).isDirectory()).toBe(true)
  })

  it('stops at a folder with entries in the place of a file, and at other errors', async () => {
    recorded.put('d/a', 'x')
    expect(await refusal(() => apply(['d', recorded.keep('text')]))).toBe(
      `cannot_undo: cannot undo ${recorded.file('d')}: the folder in its place is not empty`,
    )
    const here = { path: `${recorded.raw('d')}/.`, from: null, to: null }
    expect(await refusal(() => applyEntries([here], contentsReader(recorded.paths)))).toMatch(
      /^Error: EINVAL: /,
    )
    const damaged = { ...recorded.keep('text'), hash: 'x' }
    expect(await refusal(() => apply(['new', damaged]))).toBe(
      `damaged_copy: the kept copy of ${recorded.file('new')} is damaged; nothing was changed`,
    )
  })

  it('does nothing for paths that are as they should be', async () => {
    recorded.put('a', 'text')
    chmodSync(recorded.file('a'), 0o644)
    const { ino, ctimeMs } = statSync(recorded.file('a'))
    await apply(['a', recorded.keep('text')], ['none', null])
    expect(statSync(recorded.file('a'))).toMatchObject({ ino, ctimeMs })
  })
})

it('the folders of a plan are the paths that must become folders', () => {
  const plan = [
    { path: 'a', to: folder(0o755) },
    { path: 'b', to: null },
    { path: 'c', to: { kind: 'link', target: 'a' } as const },
  ]
  expect(foldersOf(plan)).toEqual(['a'])
})

it('the present state of a file is a copy of it, if one can be made', () => {
  recorded.put('a', 'text')
  chmodSync(recorded.file('a'), 0o1640)
  mkdirSync(recorded.file('d'))
  const copied = { hash: 'h', size: 4, copy: { file: 'p', offset: 1 } }
  const now = (name: string, copy: typeof copied | undefined) =>
    currentState(recorded.raw(name), () => copy)
  expect(now('a', copied)).toEqual({ kind: 'file', mode: 0o1640, ...copied })
  expect(now('a', undefined)).toEqual(state('a'))
  expect([now('d', copied), now('none', copied)]).toEqual([state('d'), null])
})

describe('an error of an undo', () => {
  it('names the path without secrets, and says what was changed', () => {
    const name = '/p/a\nb sk-ant-api03-0123456789abcdefghijklmnopqrstuvwxyz'
    const shown = /^cannot undo \/p\/a b \S+: why; nothing was changed$/
    expect(undoError(name, 'why').message).toMatch(shown)
    expect(undoError(name, 'why').message).not.toContain('0123456789')
    expect(undoError('/a', 'why', false)).toMatchObject({
      code: 'cannot_undo',
      message: 'cannot undo /a: why',
    })
    expect(damagedCopy('/a\xc3\xbc')).toMatchObject({
      code: 'damaged_copy',
      message: 'the kept copy of /aü is damaged; nothing was changed',
    })
  })

  it('of the system says how to finish', () => {
    const error = Object.assign(new Error('x'), { code: 'ENOSPC' })
    expect(applyError(error, 'redo')).toMatchObject({
      code: 'cannot_undo',
      message:
        'the redo stopped: the disk is full; some files may be changed; run it again to finish it',
      cause: error,
    })
    const own = new ZeeError('damaged_copy', 'x')
    expect(applyError(own, 'undo')).toBe(own)
  })
})
