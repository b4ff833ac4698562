import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { contentsReader } from './contents.ts'
import type { TestRepository } from './snapshots/repository.fixtures.ts'
import { makeRepository } from './snapshots/repository.fixtures.ts'
import type { FileState } from './snapshots/snapshots.ts'
import { keepObjects, rawPath, unknownSize } from './snapshots/snapshots.ts'
import { makeRecordedSession } from './recorded-session.fixtures.ts'

let repository: TestRepository
beforeEach(() => {
  repository = makeRepository()
})
afterEach(() => repository.remove())

const read = async (state: Partial<FileState>, undo = repository.base) => {
  const file: FileState = { kind: 'file', mode: 0o644, size: unknownSize, ...state }
  return String(await contentsReader({ undo, env: process.env })(file))
}

it('contents without a blob are read from the copies of the session', async () => {
  const { paths, keep, remove } = makeRecordedSession()
  expect(await read(keep('text'), paths.undo)).toBe('text')
  expect(await read({ hash: 'x' }, paths.undo)).toBe('missing')
  remove()
})

it('a blob is read from the repository, or from kept objects if that is gone', async () => {
  const { base, top, git, put, call } = repository
  put('a', 'line\n')
  const state = { blob: git('hash-object', '-w', 'a'), top: rawPath(top) }
  expect(await read(state)).toBe('line\n')
  expect(await read({ ...state, size: 5 })).toBe('line\n')
  expect(await read({ ...state, blob: 'f'.repeat(40) })).toBe('missing')
  await keepObjects(base, call().repository)
  rmSync(path.join(top, '.git'), { recursive: true })
  expect(await read(state)).toBe('line\n')
  rmSync(top, { recursive: true })
  expect(await read(state)).toBe('line\n')
  expect(await read(state, path.join(base, 'none'))).toBe('missing')
})

it('a blob of a file with CRLF line ends has the size of that file', async () => {
  const { top, git, put } = repository
  put('a', 'one\ntwo\r\n\xfc\n')
  const state = { blob: git('hash-object', '-w', 'a'), top: rawPath(top) }
  expect(await read({ ...state, size: 12 })).toBe('one\ntwo\r\n\xfc\n')
  expect(await read({ ...state, size: 14 })).toBe('one\r\ntwo\r\n\xfc\r\n')
  expect(await read({ ...state, size: 13 })).toBe('missing')
})

it('a blob with other contents is damaged', async () => {
  const { top, git, put } = repository
  for (const name of ['a', 'b']) put(name)
  const [a, b] = ['a', 'b'].map((name) => git('hash-object', '-w', name)) as [string, string]
  const fileOf = (id: string) => path.join(top, '.git/objects', id.slice(0, 2), id.slice(2))
  const other = readFileSync(fileOf(b))
  rmSync(fileOf(a))
  writeFileSync(fileOf(a), other)
  expect(['missing', 'damaged']).toContain(await read({ blob: a, top: rawPath(top) }))
})
