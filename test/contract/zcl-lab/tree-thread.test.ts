// The thread that copies and removes workspaces, as the build made it.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { symlinkSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  receivedCopy,
  treeThreadRole,
} from '../../../packages/zcl/src/lab/workspace/tree-thread.ts'
import type { TreeAnswer, TreeTask } from '../../../packages/zcl/src/lab/workspace/tree-thread.ts'

const dist = path.resolve(import.meta.dirname, '../../../packages/zcl/dist')
const file = path.join(
  dist,
  readdirSync(dist).find((name) => /^tree-thread-.*\.cjs$/.test(name)) ?? '',
)

let place: string
let thread: Worker
beforeAll(async () => {
  place = mkdtempSync(path.join(tmpdir(), 'zee-trees-'))
  thread = new Worker(file, { workerData: treeThreadRole })
  await once(thread, 'message')
})
afterAll(async () => {
  await thread.terminate()
  rmSync(place, { recursive: true, force: true })
})

const at = (...names: string[]) => path.join(place, ...names)

async function answerTo(task: TreeTask): Promise<TreeAnswer> {
  thread.postMessage(task, [])
  const [answer] = (await once(thread, 'message')) as [TreeAnswer]
  return answer
}

test('the program of the thread loads built-in modules only', () => {
  const required = [...readFileSync(file, 'utf8').matchAll(/require\(["'`](.*?)["'`]\)/g)]
  expect(
    required.map(([, name]) => name).filter((name) => name?.startsWith('node:') !== true),
  ).toEqual([])
})

test('the thread copies a tree, answers with its files, and removes it', async () => {
  mkdirSync(at('source/inner'), { recursive: true })
  writeFileSync(at('source/inner/small'), 'small')
  writeFileSync(at('source/large'), Buffer.alloc(2 ** 20 + 1, 'x'))
  writeFileSync(at('source/hidden'), 'hidden')
  symlinkSync('inner/small', at('source/link'))
  const excluded = [at('source/hidden')]
  const { copy } = await answerTo({
    kind: 'copy',
    source: at('source'),
    target: at('copy'),
    excluded,
  })
  const { files, bytes } = copy === undefined ? expect.unreachable() : receivedCopy(copy)
  expect(Object.fromEntries(files)).toEqual({
    large: { size: 2 ** 20 + 1 },
    link: { size: 0, link: 'inner/small' },
    'inner/small': { size: 5 },
  })
  expect(bytes).toBe(2 ** 20 + 6)
  expect(readFileSync(at('copy/link'), 'utf8')).toBe('small')
  expect(readFileSync(at('copy/large')).equals(readFileSync(at('source/large')))).toBe(true)
  expect(existsSync(at('copy/hidden'))).toBe(false)
  expect(await answerTo({ kind: 'remove', folder: at('copy') })).toEqual({})
  expect(existsSync(at('copy'))).toBe(false)
})

test('the thread answers a failed copy with the error of the system, and goes on', async () => {
  const task = { kind: 'copy', source: at('missing'), target: at('other'), excluded: [] } as const
  expect(await answerTo(task)).toMatchObject({ error: { code: 'ENOENT', syscall: 'scandir' } })
  expect(await answerTo({ kind: 'remove', folder: at('other') })).toEqual({})
})
