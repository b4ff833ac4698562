import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { SessionTree } from './rebuild.ts'
import { openSessionTree } from './rebuild.ts'
import type { RecordedSession } from './recorded-session.fixtures.ts'
import { makeRecordedSession } from './recorded-session.fixtures.ts'

let recorded: RecordedSession
beforeEach(() => {
  recorded = makeRecordedSession()
  mkdirSync(recorded.file('to'))
})
afterEach(() => recorded.remove())

const open = (): Promise<SessionTree> =>
  openSessionTree(recorded.paths, { from: '/from', to: recorded.file('to') })
const text = (name: string) => {
  const file = recorded.file(`to/${name}`)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
/** An edit of `/from/<name>`. */
const edit = (name: string, before: string | null, after: string, more = {}) => ({
  call_id: 'c',
  tool: 'edit',
  path: `/from/${name}`,
  before: before === null ? null : recorded.keep(before).hash,
  after: recorded.keep(after).hash,
  kept: true,
  ...more,
})

it('the start is the state before the first change of each path', async () => {
  recorded.put('to/made', 'by hand')
  recorded.put('to/d/in/new', 'made')
  recorded.log(
    edit('a', 'first', 'second'),
    edit('a', 'second', 'third'),
    edit('made', null, 'x'),
    edit('d/in/new', null, 'x', { folders: ['/from/d/in', '/from/d'] }),
    { ...edit('a', 'outside', 'x'), path: '/fromage/a' },
  )
  const tree = await open()
  await tree.restoreStart()
  expect([text('a'), text('made'), existsSync(recorded.file('to/d'))]).toEqual([
    'first',
    undefined,
    false,
  ])
  expect(existsSync(recorded.file('toage'))).toBe(false)
})

it('the start of a path with a snapshot is the state when the snapshot was opened', async () => {
  recorded.log(
    { type: 'snapshot', name: 's', call_id: 'c' },
    edit('a', 'edited', 'x'),
    { type: 'shell_change', snapshot: 1, path: '/from/a', before: recorded.keep('opened') },
    { type: 'shell_change', snapshot: 1, path: '/from/a', before: recorded.keep('again') },
    { type: 'snapshot_closed', snapshot: 1 },
  )
  await (await open()).restoreStart()
  expect(text('a')).toBe('opened')
})

it('undos and redos are applied by their number', async () => {
  const transaction = (name: string, contents: string) => ({
    type: 'transaction',
    direction: 'undo',
    numbers: [],
    entries: [{ path: `/from/${name}`, from: null, to: recorded.keep(contents) }],
  })
  recorded.log(transaction('a', 'zero'), transaction('a', 'one'))
  const tree = await open()
  await tree.applyTransaction(1)
  expect(text('a')).toBe('one')
  await tree.applyTransaction(0)
  expect(text('a')).toBe('zero')
  await tree.applyTransaction(2)
  expect(text('a')).toBe('zero')
})

it('the first difference is the first path whose last state differs, whatever its mode', async () => {
  const transaction = (to: unknown) => ({
    type: 'transaction',
    entries: [{ path: '/from/b', from: null, to }],
  })
  recorded.log(
    edit('c', null, 'c'),
    edit('b', null, 'b1'),
    transaction(recorded.keep('b2', 0o700)),
    edit('a', null, 'a1'),
    edit('a', 'a1', 'a2'),
    { ...edit('a', null, 'outside'), path: '/elsewhere' },
  )
  const tree = await open()
  expect(tree.firstDifference()).toBe('/from/a')
  recorded.put('to/a', 'a2')
  expect(tree.firstDifference()).toBe('/from/b')
  recorded.put('to/b', 'b2')
  expect(tree.firstDifference()).toBe('/from/c')
  recorded.put('to/c', 'c')
  expect(tree.firstDifference()).toBeUndefined()
  recorded.put('to/a', 'a1')
  expect(tree.firstDifference()).toBe('/from/a')
})

it('the project folder itself is moved', async () => {
  recorded.log({
    type: 'transaction',
    entries: [{ path: '/from', from: null, to: { kind: 'folder', mode: 0o700 } }],
  })
  const tree = await open()
  rmSync(recorded.file('to'), { recursive: true })
  expect(tree.firstDifference()).toBe('/from')
  await tree.applyTransaction(0)
  expect(existsSync(recorded.file('to'))).toBe(true)
  expect(tree.firstDifference()).toBeUndefined()
})
