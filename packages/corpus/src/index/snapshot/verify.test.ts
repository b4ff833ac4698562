import { lstatSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { tree } from '../../../test/support/trees.ts'
import { accessKey } from '../folder.ts'
import { FileFlag, FileKind } from '../file-table.ts'
import { columnsBytes, columnsIn, FolderState, packTexts } from './columns.ts'
import type { ColumnLengths, Columns } from './columns.ts'
import { createVerifyJob, Verdict, Verifier, verdictsOf } from './verify.ts'

interface Recorded {
  root: string
  memory: SharedArrayBuffer
  lengths: ColumnLengths
  columns: Columns
}

/** Records folders with their files as they are on the disk. */
function record(root: string, folders: readonly { path: string; files: string[] }[]): Recorded {
  const files = folders.flatMap((folder) =>
    folder.files.map((name) => ({ folder: folder.path, name })),
  )
  const stats = folders.map((folder) => lstatSync(path.join(root, folder.path), { bigint: true }))
  const inner = (at: number): number[] =>
    folders.flatMap(({ path: own }, index) =>
      index > 0 && path.dirname(own) === (folders[at] as { path: string }).path ? [-1 - index] : [],
    )
  const entries = folders.map(({ path: own }, at) => [
    ...files.flatMap((file, index) => (file.folder === own ? [index] : [])),
    ...inner(at),
  ])
  const texts = {
    names: packTexts(files.map(({ name }) => name)),
    folderNames: packTexts(
      folders.map(({ path: own }, at) => (at === 0 ? '' : path.basename(own))),
    ),
    folderAccess: packTexts(stats.map((each) => accessKey(each))),
  }
  const perFile = { modified: 0, changed: 0, inodes: 0, sizes: 0, chars: 0, lengths: 0, blocks: 0 }
  const counts = Object.keys({ ...perFile, places: 0, kinds: 0, flags: 0 })
  const lengths = {
    ...Object.fromEntries(counts.map((name) => [name, files.length])),
    ...{ folderMarks: folders.length * 3, entries: entries.flat().length },
    ...{ firstEntries: folders.length + 1, folderStates: folders.length, blockSizes: 0 },
    ...Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, text.length])),
  } as ColumnLengths
  const memory = new SharedArrayBuffer(columnsBytes(lengths))
  const columns = columnsIn(memory, lengths)
  for (const [name, text] of Object.entries(texts)) columns[name as 'names'].set(text)
  columns.entries.set(entries.flat())
  columns.firstEntries.set(folders.map((_, at) => entries.slice(0, at).flat().length))
  columns.firstEntries[folders.length] = entries.flat().length
  columns.folderStates.fill(FolderState.read)
  for (const [at, each] of stats.entries()) {
    columns.folderMarks.set([each.ino, each.dev, each.ctimeNs], at * 3)
  }
  for (const [at, { folder, name }] of files.entries()) {
    const each = lstatSync(path.join(root, folder, name), { bigint: true })
    columns.kinds[at] = FileKind.file
    columns.flags[at] = FileFlag.known
    columns.modified[at] = each.mtimeNs
    columns.changed[at] = each.ctimeNs
    columns.inodes[at] = each.ino
    columns.sizes[at] = Number(each.size)
  }
  return { root, memory, lengths, columns }
}

const [same, other] = [Verdict.same, Verdict.other]

function verdicts({ root, memory, lengths }: Recorded): { folders: number[]; files: number[] } {
  const job = createVerifyJob(`${root}/`, memory, lengths)
  const verifier = new Verifier(job)
  while (verifier.verifyNext());
  const { folders, files } = verdictsOf(job)
  return { folders: [...folders], files: [...files] }
}

const folders = [
  { path: '.', files: ['a', 'b'] },
  { path: 'd', files: ['c'] },
  { path: 'd/e', files: ['f', 'g'] },
]

function recorded(): Recorded {
  return record(tree({ a: '1', b: '22', 'd/c': '333', 'd/e/f': '4444', 'd/e/g': '' }), folders)
}

test('everything that is as it was is the same', () => {
  expect(verdicts(recorded())).toEqual({
    folders: [same, same, same],
    files: [same, same, same, same, same],
  })
})

test('changed and removed files and their folders are others', () => {
  const state = recorded()
  writeFileSync(path.join(state.root, 'b'), '23')
  writeFileSync(path.join(state.root, 'd/e/new'), '')
  rmSync(path.join(state.root, 'd/c'))
  expect(verdicts(state)).toEqual({
    folders: [same, other, other],
    files: [same, other, other, same, same],
  })
})

test.each(['modified', 'changed', 'inodes', 'sizes'] as const)(
  'another value of %s is a change',
  (name) => {
    const state = recorded()
    const column = state.columns[name]
    if (column instanceof Float64Array) column[3] = 5
    else column[3] = (column[3] as bigint) + 1n
    expect(verdicts(state).files).toEqual([same, same, same, other, same])
  },
)

test.each([0, 1, 2])('another mark %i of a folder is a change of it', (mark) => {
  const state = recorded()
  const { folderMarks } = state.columns
  folderMarks[3 + mark] = (folderMarks[3 + mark] as bigint) + 1n
  expect(verdicts(state)).toEqual({
    folders: [same, other, same],
    files: [same, same, same, same, same],
  })
})

test('another access key of a folder is a change of it', () => {
  const state = recorded()
  const { folderAccess } = state.columns
  folderAccess[0] = (folderAccess[0] as number) + 1
  expect(verdicts(state).folders).toEqual([other, same, same])
})

test('unread folders are not checked, and racy ones must be read again', () => {
  const state = recorded()
  state.columns.folderStates[1] = FolderState.unread
  state.columns.folderStates[2] = FolderState.racy
  expect(verdicts(state)).toEqual({ folders: [same, 0, other], files: [same, same, 0, same, same] })
})

test('only files with a known state are checked', () => {
  const state = recorded()
  state.columns.kinds[0] = FileKind.link
  state.columns.flags[2] = FileFlag.ascii
  state.columns.flags[3] = FileFlag.known | FileFlag.large
  expect(verdicts(state).files).toEqual([0, same, 0, same, same])
})

test('threads share the folders in batches of 16', () => {
  const names = Array.from({ length: 40 }, (_, at) => `d${at + 10}`)
  const root = tree(Object.fromEntries(names.map((name) => [`${name}/x`, 'x'])))
  for (const name of names) utimesSync(path.join(root, name), 1, 1)
  const state = record(root, [
    { path: '.', files: [] },
    ...names.map((name) => ({ path: name, files: ['x'] })),
  ])
  const job = createVerifyJob(`${root}/`, state.memory, state.lengths)
  const [one, two] = [
    new Verifier(job),
    new Verifier(
      job,
      names.map(() => 'x'),
    ),
  ]
  const checked = (): number => verdictsOf(job).folders.filter((each) => each !== 0).length
  const steps = [one, two, one, two].map((each) => [each.verifyNext(), checked()])
  expect(steps).toEqual([
    [true, 16],
    [true, 32],
    [false, 41],
    [false, 41],
  ])
  expect([...verdictsOf(job).files]).toEqual(names.map(() => same))
  expect(readFileSync(path.join(root, 'd10/x'), 'utf8')).toBe('x')
})
