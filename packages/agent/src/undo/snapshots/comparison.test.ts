import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ShellChange } from './comparison.ts'
import { changesSince } from './comparison.ts'
import type { GitCall } from './git.ts'
import type { Manifest, SavedFile } from './manifest.ts'
import { signatureOf } from './manifest.ts'
import type { ProjectScan } from './project-scan.ts'
import { scanPlain } from './project-scan.ts'
import { rawPath } from './raw-path.ts'
import type { TestRepository } from './repository.fixtures.ts'
import { makeRepository } from './repository.fixtures.ts'
import type { FileState } from './state.ts'
import { blobId, stateAt, unknownSize } from './state.ts'

let repository: TestRepository
let top: string
beforeEach(() => {
  repository = makeRepository()
  top = repository.top
})
afterEach(() => repository.remove())

const at = (name: string) => rawPath(path.join(top, name))
const statsOf = (name: string) => lstatSync(path.join(top, name))
const blobOf = (text: string) => blobId(Buffer.from(text), '')
const call = (): GitCall => repository.call({ index: path.join(top, '.git/index') })

/** A file as a snapshot saves it now; without its state if git has it. */
function saved(name: string, isClean = false): SavedFile {
  const stats = statsOf(name)
  const state = stateAt(at(name)) as FileState
  const entry = { mode: stats.mode & 0o7777, signature: signatureOf(stats) }
  return isClean ? entry : { ...entry, state }
}

function manifestOf(more: Partial<Manifest> = {}): Manifest {
  const empty = { files: {}, absent: [], ignored: [], folders: {} }
  return { root: rawPath(top), startedMs: 0, isComplete: true, ...empty, ...more }
}

function scan(more: Partial<ProjectScan> = {}): ProjectScan {
  const limits = { files: Infinity, bytes: Infinity }
  const found = scanPlain(manifestOf().root, limits, (each) => each.startsWith('.git'))
  if ('tooLarge' in found) throw new Error(found.tooLarge)
  return { ...found, ...more }
}

/** Changes by name, sorted. */
async function changes(manifest: Manifest, found = scan(), git?: GitCall, endedMs = Infinity) {
  const all = (await changesSince(manifest, found, git, endedMs)) ?? []
  const named = all.map(({ path: raw, ...rest }): [string, Omit<ShellChange, 'path'>] => [
    raw.slice(top.length + 1),
    rest,
  ])
  return Object.fromEntries(named.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

describe('the changes of a folder', () => {
  it('are those of files whose signature and state differ', async () => {
    for (const name of ['same', 'touched', 'changed', 'gone']) repository.put(name)
    const names = ['same', 'touched', 'changed', 'gone']
    const files = Object.fromEntries(names.map((name) => [name, saved(name)]))
    files.same = { ...saved('same'), state: { kind: 'link', target: 'x' } }
    utimesSync(path.join(top, 'touched'), 1000, 1000)
    repository.put('changed', 'other contents')
    rmSync(path.join(top, 'gone'))
    repository.put('new')
    expect(await changes(manifestOf({ files }))).toEqual({
      changed: { before: files.changed?.state, after: stateAt(at('changed')), isLater: false },
      gone: { before: files.gone?.state, after: null, isLater: false },
      new: { before: null, after: stateAt(at('new')), isLater: false },
    })
  })

  it('leave out new files that were ignored', async () => {
    const ignored = ['x.o', 'build/', 'a/b/', 'dir']
    const hidden = ['x.o', 'build/out', 'build/in/deep', 'a/b/c', 'a/b/c.d/e']
    const found = ['x.oo', 'a/c', 'a/bb/d', 'builds/out', 'z/x.o', 'z/build/y', 'dir/in']
    for (const name of [...hidden, ...found]) repository.put(name)
    const folders = Object.fromEntries([...scan().folders].map(([name, mode]) => [name, mode]))
    const seen = await changes(manifestOf({ ignored, folders }))
    expect(Object.keys(seen)).toEqual(found.toSorted())
  })

  it('are reported for an ignored file that was saved', async () => {
    repository.put('x.o')
    const files = { 'x.o': saved('x.o') }
    rmSync(path.join(top, 'x.o'))
    expect(Object.keys(await changes(manifestOf({ files, ignored: ['x.o'] })))).toEqual(['x.o'])
  })

  it('are those of folders and their modes', async () => {
    for (const name of ['same', 'mode', 'new']) mkdirSync(path.join(top, name))
    chmodSync(path.join(top, 'mode'), 0o1700)
    chmodSync(path.join(top, 'new'), 0o750)
    const folders = { same: statsOf('same').mode & 0o7777, mode: 0o755, gone: 0o711 }
    const folder = (mode: number) => ({ kind: 'folder', mode })
    expect(await changes(manifestOf({ folders }))).toEqual({
      gone: { before: folder(0o711), after: null, isLater: false },
      mode: { before: folder(0o755), after: folder(0o1700), isLater: false },
      new: { before: null, after: folder(0o750), isLater: false },
    })
  })

  it('are one change for a file and a folder in the place of each other', async () => {
    repository.put('file')
    const files = { file: saved('file') }
    rmSync(path.join(top, 'file'))
    mkdirSync(path.join(top, 'file'))
    chmodSync(path.join(top, 'file'), 0o755)
    repository.put('folder')
    const found = await changes(manifestOf({ files, folders: { folder: 0o700 } }))
    expect(found).toEqual({
      file: { before: files.file.state, after: { kind: 'folder', mode: 0o755 }, isLater: false },
      folder: {
        before: { kind: 'folder', mode: 0o700 },
        after: stateAt(at('folder')),
        isLater: false,
      },
    })
  })

  it('include files below a folder that became a link to an equal folder', async () => {
    repository.put('d/f', 'same')
    const files = { 'd/f': saved('d/f') }
    const folders = { d: statsOf('d').mode & 0o7777, d2: 0o755, 'd2/in': 0o755 }
    repository.put('copy/f', 'same')
    mkdirSync(path.join(top, 'copy/in'))
    rmSync(path.join(top, 'd'), { recursive: true })
    for (const name of ['d', 'd2']) symlinkSync('copy', path.join(top, name))
    const found = await changes(manifestOf({ files, folders }))
    const link = { kind: 'link', target: 'copy' }
    expect(found).toMatchObject({
      d: { before: { kind: 'folder', mode: folders.d }, after: link },
      'd/f': { before: files['d/f'].state, after: null },
      d2: { before: { kind: 'folder', mode: 0o755 }, after: link },
      'd2/in': { before: { kind: 'folder', mode: 0o755 }, after: null },
    })
  })

  it('are later if they were made after the end, and none if the path was created after it', async () => {
    repository.put('old')
    const files = { old: { ...saved('old'), signature: [0, 0, 0, 0] as const } }
    files.old.state = { ...(files.old.state as FileState), size: 1 }
    mkdirSync(path.join(top, 'folder'))
    repository.put('new')
    const { ctimeMs } = statsOf('old')
    const { birthtimeMs: born, ctimeMs: lastMs } = statsOf('new')
    const manifest = manifestOf({ files, folders: { folder: 0o1777, gone: 0o700 } })
    const seen = async (endedMs: number) => {
      const found = await changes(manifest, scan(), undefined, endedMs)
      return Object.entries(found).map(([name, { isLater }]) => `${name} ${isLater}`)
    }
    const folders = ['folder false', 'gone false']
    expect(await seen(Math.max(ctimeMs, lastMs))).toEqual([...folders, 'new false', 'old false'])
    expect(await seen(ctimeMs - 1)).toContain('old true')
    expect(await seen(ctimeMs)).toContain('old false')
    expect((await seen(born)).filter((each) => each.startsWith('new'))).toHaveLength(1)
    expect(await seen(Math.min(ctimeMs, born) - 1)).toEqual([...folders, 'old true'])
  })
})

describe('the changes of a repository', () => {
  const clean = (name: string, mode: number, more: Partial<FileState> = {}) => ({
    kind: 'file',
    mode,
    size: name.length,
    blob: blobOf(name),
    top: manifestOf().root,
    ...more,
  })

  it('name the blobs of clean files, with the mode and size of the signature', async () => {
    const { git, put } = repository
    for (const name of ['same', 'changed', 'longer', 'mode', 'gone', 'run']) put(name)
    symlinkSync('target', path.join(top, 'link'))
    chmodSync(path.join(top, 'run'), 0o700)
    git('add', '.')
    const names = ['same', 'changed', 'longer', 'mode', 'gone', 'run', 'link']
    const files = Object.fromEntries(names.map((name) => [name, saved(name, true)]))
    const mode = statsOf('same').mode & 0o7777
    utimesSync(path.join(top, 'same'), 1000, 1000)
    put('changed', 'CHANGED')
    put('longer', 'longer than before')
    chmodSync(path.join(top, 'mode'), 0o604)
    for (const name of ['gone', 'run', 'link']) rmSync(path.join(top, name))
    put('new')
    const found = await changes(manifestOf({ files }), scan(), call())
    expect(found).toEqual({
      changed: { before: clean('changed', mode), after: stateAt(at('changed')), isLater: false },
      gone: { before: clean('gone', mode), after: null, isLater: false },
      link: { before: { kind: 'link', target: 'target' }, after: null, isLater: false },
      longer: { before: clean('longer', mode), after: stateAt(at('longer')), isLater: false },
      mode: { before: clean('mode', mode), after: stateAt(at('mode')), isLater: false },
      new: { before: null, after: stateAt(at('new')), isLater: false },
      run: { before: clean('run', 0o700), after: null, isLater: false },
    })
  })

  it('are unknown if git cannot read the index, and need no git for saved files', async () => {
    repository.put('a')
    const files = { a: saved('a') }
    repository.put('a', 'other')
    const none = { ...call(), index: path.join(top, 'none') }
    rmSync(path.join(top, '.git'), { recursive: true })
    const manifest = manifestOf({ files })
    expect(Object.keys(await changes(manifest, scan(), none))).toEqual(['a'])
    expect(await changesSince(manifestOf(), scan(), none, Infinity)).toBeUndefined()
  })

  it('of a large one have no sizes, and git knows two modes of a changed file', async () => {
    const { git, put } = repository
    for (const name of ['old', 'changed', 'run', 'gone', 'gone.sh', 'absent']) put(name)
    for (const name of ['run', 'gone.sh']) chmodSync(path.join(top, name), 0o755)
    git('add', '.')
    const umask = process.umask()
    for (const name of ['gone', 'gone.sh', 'absent']) rmSync(path.join(top, name))
    chmodSync(path.join(top, 'run'), 0o711)
    put('changed', 'CHANGED')
    put('new')
    const startedMs = statsOf('changed').ctimeMs
    const unsaved = new Set(['gone', 'gone.sh', 'absent', 'new'])
    const manifest = manifestOf({ isComplete: false, startedMs, absent: ['absent'] })
    const large = { size: unknownSize }
    const found = await changes(manifest, scan({ isComplete: false, unsaved }), call())
    expect(found).toMatchObject({
      changed: { before: clean('changed', 0o666 & ~umask, large), after: stateAt(at('changed')) },
      gone: { before: clean('gone', 0o666 & ~umask, large), after: null },
      'gone.sh': { before: clean('gone.sh', 0o777 & ~umask, large), after: null },
      new: { before: null, after: stateAt(at('new')) },
    })
    expect(Object.keys(found)).not.toContain('absent')
    expect(Object.keys(found)).not.toContain('old')
  })

  it('of a large one know the mode of a file that was not touched since', async () => {
    repository.put('f')
    repository.git('add', 'f')
    repository.put('f', 'F')
    chmodSync(path.join(top, 'f'), 0o640)
    const { ctimeMs } = statsOf('f')
    const found = async (startedMs: number, unsaved: string[]) => {
      const manifest = manifestOf({ isComplete: false, startedMs })
      return changes(manifest, scan({ isComplete: false, unsaved: new Set(unsaved) }), call())
    }
    const after = stateAt(at('f'))
    const [known, guessed] = [0o640, 0o666 & ~process.umask()].map((mode) => ({
      f: { before: clean('f', mode, { size: unknownSize }), after, isLater: false },
    }))
    expect(await found(ctimeMs + 1, ['f'])).toEqual(known)
    expect(await found(ctimeMs, ['f'])).toEqual(guessed)
    expect(await found(ctimeMs, [])).toEqual(guessed)
    expect(await found(ctimeMs + 1, [])).toEqual({})
  })

  it('of a large one include the files of folders that are gone', async () => {
    const { git, put } = repository
    for (const name of ['d/one', 'd/in/two', 'kept']) put(name)
    git('add', '.')
    const folders = Object.fromEntries(scan().folders)
    const manifest = manifestOf({ isComplete: false, startedMs: Infinity, folders })
    expect(await changes(manifest, scan({ unsaved: new Set() }), call())).toEqual({})
    rmSync(path.join(top, 'd/in'), { recursive: true })
    const without = scan({ unsaved: new Set() })
    expect(Object.keys(await changes(manifest, without, call()))).toEqual(['d/in', 'd/in/two'])
    expect(Object.keys(await changes(manifest, without))).toEqual(['d/in'])
    const complete = { ...manifest, isComplete: true, startedMs: 0 }
    expect(Object.keys(await changes(complete, without, call()))).toEqual(['d/in', 'd/one', 'kept'])
  })

  it('of a large one leave out a folder in the place of a file that did not exist', async () => {
    mkdirSync(path.join(top, 'x'))
    chmodSync(path.join(top, 'x'), 0o755)
    const manifest = manifestOf({ isComplete: false, folders: { x: 0o755 }, absent: ['x'] })
    expect(await changes(manifest, scan({ unsaved: new Set(['x']) }), call())).toEqual({})
  })
})
