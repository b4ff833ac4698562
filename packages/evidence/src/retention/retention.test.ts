import { existsSync, mkdirSync, readdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Lab, fileText } from '../../test/lab.ts'
import { collectGarbage, type CollectOptions } from './retention.ts'

let lab: Lab
beforeEach(() => (lab = new Lab()))
afterEach(() => lab.remove())

const day = 86_400_000
const now = new Date('2026-03-01T00:00:00Z')

function makeRun(runId: string, createdAt: string, over: object = {}, size = 100): string {
  const folder = path.join(lab.root, 'runs', runId)
  mkdirSync(path.join(folder, 'attempts'), { recursive: true })
  writeFileSync(
    path.join(folder, 'run.json'),
    fileText({ schemaVersion: 1, runId, suiteId: 's', createdAt, ...over }),
  )
  writeFileSync(path.join(folder, 'attempts', 'blob'), 'x'.repeat(size))
  return folder
}

function options(over: Partial<CollectOptions> = {}): CollectOptions {
  return { limits: { olderThanMs: 14 * day }, dryRun: false, now, isConfirmed: false, ...over }
}

const old = '20260101-000000Z-000001'
const young = '20260228-000000Z-000002'

test('collectGarbage deletes old runs with their scratch and queue folders', async () => {
  makeRun(old, '2026-01-01T00:00:00Z')
  makeRun(young, '2026-02-28T00:00:00Z')
  const scratch = path.join(lab.root, 'tmp', old, '001-m-r1')
  mkdirSync(scratch, { recursive: true })
  mkdirSync(path.join(lab.root, 'queue', old), { recursive: true })
  const result = await collectGarbage(lab.root, '.zcl', options())
  expect(result.deleted).toMatchObject([{ runId: old, path: `.zcl/runs/${old}`, pinned: false }])
  expect(Object.keys(result.deleted[0] ?? {})).toEqual([
    'runId',
    'path',
    'createdAt',
    'pinned',
    'bytes',
  ])
  expect(result.kept.map(({ runId }) => runId)).toEqual([young])
  expect(readdirSync(path.join(lab.root, 'runs'))).toEqual([young])
  expect(existsSync(path.join(lab.root, 'tmp', old))).toBe(false)
  expect(existsSync(path.join(lab.root, 'queue', old))).toBe(false)
  expect(result.totalAfterBytes).toBe(result.kept[0]?.bytes)
})

test('collectGarbage deletes nothing in a dry run', async () => {
  makeRun(old, '2026-01-01T00:00:00Z')
  const result = await collectGarbage(lab.root, '.zcl', options({ dryRun: true }))
  expect(result.deleted).toHaveLength(1)
  expect(readdirSync(path.join(lab.root, 'runs'))).toEqual([old])
})

test('collectGarbage keeps pinned runs and counts their size', async () => {
  makeRun(old, '2026-01-01T00:00:00Z', { pinned: true })
  makeRun(young, '2026-02-28T00:00:00Z')
  const result = await collectGarbage(lab.root, '.zcl', options({ limits: { maxBytes: 10 } }))
  expect(result.deleted.map(({ runId }) => runId)).toEqual([young])
  expect(existsSync(path.join(lab.root, 'runs', old))).toBe(true)
})

test.each(['{', '{}', undefined])(
  'collectGarbage keeps a run with an unusable run.json and reports it (%j)',
  async (text) => {
    const folder = makeRun(old, '2026-01-01T00:00:00Z')
    const file = path.join(folder, 'run.json')
    if (text === undefined) unlinkSync(file)
    else writeFileSync(file, text)
    const result = await collectGarbage(lab.root, '.zcl', options({ limits: { maxBytes: 0 } }))
    expect(result.errors).toMatchObject([{ runId: old }])
    expect(result.failed).toBe(false)
    expect(existsSync(folder)).toBe(true)
  },
)

test('collectGarbage neither follows nor removes symlinks', async () => {
  const outside = path.join(lab.root, 'outside')
  mkdirSync(outside)
  writeFileSync(path.join(outside, 'run.json'), fileText({ createdAt: '2020-01-01T00:00:00Z' }))
  mkdirSync(path.join(lab.root, 'runs'))
  symlinkSync(outside, path.join(lab.root, 'runs', old))
  const inner = makeRun(young, '2026-01-01T00:00:00Z')
  symlinkSync(outside, path.join(inner, 'attempts', 'link'))
  const result = await collectGarbage(lab.root, '.zcl', options({ limits: { maxBytes: 0 } }))
  expect(result.deleted.map(({ runId }) => runId)).toEqual([young])
  expect(readdirSync(outside)).toEqual(['run.json'])
  expect(readdirSync(path.join(lab.root, 'runs'))).toEqual([old])
})

test('collectGarbage accepts a missing output root', async () => {
  const result = await collectGarbage(path.join(lab.root, 'nowhere'), 'nowhere', options())
  expect(result).toMatchObject({ deleted: [], kept: [], errors: [], totalBeforeBytes: 0 })
})

test('collectGarbage finishes the removal that a killed process started', async () => {
  makeRun(young, '2026-02-28T00:00:00Z')
  mkdirSync(path.join(lab.root, 'runs', '.removing-x'))
  await collectGarbage(lab.root, '.zcl', options())
  expect(readdirSync(path.join(lab.root, 'runs'))).toEqual([young])
})
