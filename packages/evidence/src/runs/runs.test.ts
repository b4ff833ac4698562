import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { event, feedback, Lab, runId, fileText, writeTrace } from '../../test/lab.ts'
import { harnessTermsIn } from '../suite/blind.ts'
import { pinRun } from '../retention/pin.ts'
import { failingStreak } from '../attempt/repeat-guard.ts'
import { newestAttempt, runFolders, storedAttempts } from './runs.ts'
import { countRun } from '../statistics/statistics.ts'
import { readTraceTail } from '../events/tail.ts'

let lab: Lab
beforeEach(() => (lab = new Lab()))
afterEach(() => lab.remove())

const later = '20260216-180012Z-09c5a6'

test('storedAttempts lists attempts newest first, with status and tags', () => {
  const first = lab.complete()
  lab.attempt({}, '002-hello-r1')
  const third = lab.attempt({}, '010-hello-r1')
  third.write('feedback.json', feedback(third, { ok: false }))
  lab.attempt({}, '001-hello-r1', later)
  const suite = { suiteId: 'smoke', missions: [{ missionId: 'hello', tags: ['web'] }] }
  writeFileSync(path.join(first.runFolder, 'suite.json'), fileText(suite))
  const found = [...storedAttempts(lab.root)]
  expect(found.map(({ runId: run, attemptId, status }) => [run, attemptId, status])).toEqual([
    [later, '001-hello-r1', 'missing_feedback'],
    [runId, '010-hello-r1', 'fail'],
    [runId, '002-hello-r1', 'missing_feedback'],
    [runId, '001-hello-r1', 'ok'],
  ])
  expect(found.map(({ tags }) => tags)).toEqual([[], ['web'], ['web'], ['web']])
  expect(runFolders(lab.root).map(countRun)).toMatchObject([
    { runId: later, attempts: 1, missingFeedback: 1 },
    { runId, attempts: 3, passed: 1, failed: 1, missingFeedback: 1, pinned: false },
  ])
})

test('runFolders orders runs of one second by their creation', () => {
  const runs = ['20260216-180012Z-09c5a6', '20260216-180012Z-000001', '20260216-180012Z-ffffff']
  for (const [index, run] of [...runs, runId].entries()) {
    const { runFolder } = lab.attempt({}, '001-hello-r1', run)
    const createdAt = `2026-02-16T18:00:12.${String(900 - index)}Z`
    const file = {
      schemaVersion: 1,
      artifactLayoutVersion: 1,
      runId: run,
      suiteId: 'smoke',
      createdAt,
    }
    writeFileSync(path.join(runFolder, 'run.json'), fileText(file))
  }
  const found = runFolders(lab.root).map((run) => path.basename(run.path))
  expect(found).toEqual([...runs, runId])
})

test('newestAttempt is the attempt that started last, and of equal times the highest index', () => {
  const { runFolder } = lab.attempt()
  const newest = () => path.basename(newestAttempt({ path: runFolder, within: runFolder }) ?? '')
  lab.attempt({}, '002-hello-r1')
  expect(newest()).toBe('002-hello-r1')
  lab.attempt({ startedAt: '2026-02-15T18:00:20.000Z' }, '001-hello-r2')
  expect(newest()).toBe('001-hello-r2')
})

test('a claim without an action is unproven, and a run counts it as failed', () => {
  const proven = lab.complete()
  const claim = (id: string, attempt: Record<string, unknown>, mcpOps: readonly string[] = []) => {
    const claimed = lab.attempt(attempt, id)
    writeTrace(
      claimed,
      mcpOps.map((op) => event(claimed, { tool: 'mcp', op, input: { id: 1, method: op } })),
    )
    claimed.write('feedback.json', feedback(claimed))
  }
  claim('002-hello-r1', {})
  claim('003-hello-r1', {}, ['initialize', 'tools/list'])
  claim('004-hello-r1', {}, ['initialize', 'tools/call'])
  claim('005-hello-r1', { allowUnproven: true })
  const found = [...storedAttempts(lab.root)].reverse()
  expect(found.map(({ unproven }) => unproven)).toEqual([
    undefined,
    true,
    true,
    undefined,
    undefined,
  ])
  const run = { path: proven.runFolder, within: proven.runFolder }
  expect(countRun(run)).toMatchObject({ attempts: 5, passed: 3, failed: 2 })
})

test('storedAttempts skips symlinks, unrelated folders and damaged attempts', () => {
  const attempt = lab.complete()
  symlinkSync(attempt.runFolder, path.join(lab.root, 'runs', later))
  mkdirSync(path.join(lab.root, 'runs', 'stranger'))
  lab.attempt({}, '002-hello-r1').write('attempt.json', '{')
  expect([...storedAttempts(lab.root)].map(({ attemptId }) => attemptId)).toEqual(['001-hello-r1'])
  expect([...storedAttempts(path.join(lab.root, 'nowhere'))]).toEqual([])
})

test('readTraceTail returns the last readable events with their line numbers', () => {
  const attempt = lab.attempt()
  writeTrace(
    attempt,
    [1, 2, 3].map((n) => event(attempt, { n })),
  )
  attempt.write('tool.calls.jsonl', `${attempt.read('tool.calls.jsonl')}{"torn`)
  const from = { path: attempt.folder, within: attempt.folder }
  expect(readTraceTail(from, 3).map(({ line, event: each }) => [line, each.n])).toEqual([
    [2, 2],
    [3, 3],
  ])
  expect(readTraceTail(from, 0)).toEqual([])
})

test('pinRun preserves all other fields of run.json', async () => {
  const { runFolder } = lab.attempt()
  const file = path.join(runFolder, 'run.json')
  const run = { schemaVersion: 1, runId, own: [1] }
  writeFileSync(file, fileText(run))
  await pinRun(runFolder, true)
  expect(readFileSync(file, 'utf8')).toBe(fileText({ ...run, pinned: true }))
  expect(countRun({ path: runFolder, within: runFolder }).pinned).toBe(true)
  await pinRun(runFolder, false)
  expect(readFileSync(file, 'utf8')).toBe(fileText(run))
  await expect(pinRun(path.join(lab.root, 'runs', later), true)).rejects.toMatchObject({
    code: 'ZCL_E_USAGE',
  })
})

test('failingStreak counts consecutive failures of a call at the end of a trace', async () => {
  const attempt = lab.attempt()
  const failed = { result: { ok: false, code: 'ZCL_E_TOOL_FAILED', durationMs: 1 } }
  const call = { tool: 'cli', op: 'exec', input: '{"argv":["echo","x"]}' }
  expect(await failingStreak(attempt.folder, call)).toBe(0)
  writeTrace(attempt, [event(attempt, failed), event(attempt), event(attempt, failed)])
  expect(await failingStreak(attempt.folder, call)).toBe(1)
  writeTrace(attempt, [event(attempt, failed), event(attempt, failed), event(attempt, failed)])
  expect(await failingStreak(attempt.folder, call)).toBe(3)
  expect(await failingStreak(attempt.folder, { ...call, input: '{"argv":["y"]}' })).toBe(0)
  writeTrace(attempt, [event(attempt, failed), event(attempt)])
  expect(await failingStreak(attempt.folder, call)).toBe(0)
})

test.each([
  ['Use ZCL feedback now', ['zcl', 'zcl feedback']],
  ['write feedback.json', ['feedback.json']],
  ['retrace the traceback', []],
  ['a trace, please', ['trace']],
  ['', []],
])('harnessTermsIn finds the terms in %j', (prompt, terms) => {
  expect(harnessTermsIn(prompt)).toEqual(terms)
})

test('harnessTermsIn searches for the given terms instead of the default terms', () => {
  expect(harnessTermsIn('zcl and Sauce', [' sauce ', ''])).toEqual(['sauce'])
})
