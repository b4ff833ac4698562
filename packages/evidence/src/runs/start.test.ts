import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Lab, runId } from '../../test/lab.ts'
import { anchorName } from '../attempt/deadline-anchor.ts'
import { startAttempt, type StartRequest } from './start.ts'
import { normaliseSuite } from '../suite/suite.ts'
import { validate } from '../validate/validate.ts'

let lab: Lab
beforeEach(() => (lab = new Lab()))
afterEach(() => lab.remove())

function request(over: Partial<StartRequest> = {}): StartRequest {
  return {
    outRoot: lab.root,
    suiteId: 'smoke',
    missionId: 'hello',
    retry: 1,
    mode: 'discovery',
    settings: {},
    now: new Date('2026-02-15T18:00:12.345Z'),
    ...over,
  }
}

const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>

test('startAttempt creates run.json and attempt.json in the documented form', async () => {
  const started = await startAttempt(request({ agentId: 'a', prompt: 'x\n' }))
  expect(started.runId).toMatch(/^20260215-180012Z-[0-9a-f]{6}$/)
  const folder = path.join(lab.root, 'runs', started.runId)
  expect(Object.entries(read(path.join(folder, 'run.json')))).toEqual([
    ['schemaVersion', 1],
    ['artifactLayoutVersion', 1],
    ['runId', started.runId],
    ['suiteId', 'smoke'],
    ['createdAt', '2026-02-15T18:00:12.345Z'],
  ])
  expect(Object.entries(read(path.join(started.folder, 'attempt.json')))).toEqual([
    ['schemaVersion', 1],
    ['runId', started.runId],
    ['suiteId', 'smoke'],
    ['missionId', 'hello'],
    ['attemptId', '001-hello-r1'],
    ['agentId', 'a'],
    ['mode', 'discovery'],
    ['startedAt', '2026-02-15T18:00:12.345Z'],
  ])
  expect(readFileSync(path.join(started.folder, 'prompt.txt'), 'utf8')).toBe('x\n')
  expect(readdirSync(folder).sort()).toEqual(['attempts', 'run.json'])
  expect(validate('x', folder, { strict: false }).errors).toEqual([])
})

test('startAttempt continues after the highest index, also after a gap', async () => {
  const first = await startAttempt(request({ runId }))
  await startAttempt(request({ runId, missionId: 'other', retry: 3 }))
  rmSync(first.folder, { recursive: true })
  expect((await startAttempt(request({ runId }))).attemptId).toBe('003-hello-r1')
  mkdirSync(path.join(path.dirname(first.folder), '999-x-r1'))
  expect((await startAttempt(request({ runId }))).attemptId).toBe('1000-hello-r1')
})

test('concurrent calls of startAttempt get distinct, consecutive indices', async () => {
  const starts = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      startAttempt(request({ runId, missionId: `m${index % 3}` })),
    ),
  )
  const indices = starts.map(({ attemptId }) => Number(attemptId.split('-')[0]))
  expect(indices.sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1))
})

test('startAttempt removes the leftovers of a killed start', async () => {
  const { folder } = await startAttempt(request({ runId }))
  const runFolder = path.dirname(path.dirname(folder))
  mkdirSync(path.join(runFolder, '.starting-dead'))
  mkdirSync(path.join(lab.root, 'runs', '.creating-dead'))
  await startAttempt(request({ runId }))
  await startAttempt(request())
  expect(readdirSync(runFolder).filter((name) => name.startsWith('.'))).toEqual([])
  expect(readdirSync(path.join(lab.root, 'runs')).filter((name) => name.startsWith('.'))).toEqual(
    [],
  )
})

test('startAttempt refuses to join a run of another suite', async () => {
  const { folder } = await startAttempt(request({ runId }))
  await expect(startAttempt(request({ runId, suiteId: 'other' }))).rejects.toMatchObject({
    code: 'ZCL_E_USAGE',
    exitCode: 2,
  })
  expect(readdirSync(path.dirname(folder))).toEqual(['001-hello-r1'])
})

test('startAttempt stores the suite with the run and refuses a different one', async () => {
  const suite = (tag: string) =>
    normaliseSuite({ suiteId: 'smoke', missions: [{ missionId: 'hello', tags: [tag] }] }, 'x')
  const { folder } = await startAttempt(request({ runId, suite: suite('a') }))
  const file = path.join(path.dirname(path.dirname(folder)), 'suite.json')
  const before = readFileSync(file, 'utf8')
  expect(Object.keys(read(file))).toEqual(['missions', 'suiteId', 'version'])
  await startAttempt(request({ runId, suite: suite('a') }))
  await expect(startAttempt(request({ runId, suite: suite('b') }))).rejects.toMatchObject({
    exitCode: 2,
  })
  expect(readFileSync(file, 'utf8')).toBe(before)
})

test('startAttempt adds a suite to a run that was started without one', async () => {
  const suite = normaliseSuite({ suiteId: 'smoke', missions: [{ missionId: 'hello' }] }, 'x')
  const { folder } = await startAttempt(request({ runId }))
  await startAttempt(request({ runId, suite }))
  const file = path.join(path.dirname(path.dirname(folder)), 'suite.json')
  expect(read(file)).toMatchObject({ suiteId: 'smoke' })
})

test.each([
  ['ZCL_E_INVALID_JSON', '{'],
  ['ZCL_E_SCHEMA_UNSUPPORTED', '{"schemaVersion":9,"suiteId":"smoke"}'],
  ['ZCL_E_CONTRACT', '{"schemaVersion":1}'],
  ['ZCL_E_CONTRACT', '{"schemaVersion":1,"suiteId":{"toString":1}}'],
])('startAttempt reports a damaged run.json as %s', async (code, text) => {
  const { folder } = await startAttempt(request({ runId }))
  writeFileSync(path.join(path.dirname(path.dirname(folder)), 'run.json'), text)
  await expect(startAttempt(request({ runId }))).rejects.toMatchObject({ code })
})

test('startAttempt refuses a blind prompt that names the harness before any write', async () => {
  const blind = { settings: { blind: true }, prompt: 'finish with ZCL feedback, please' }
  await expect(startAttempt(request(blind))).rejects.toMatchObject({
    code: 'ZCL_E_CONTAMINATED_PROMPT',
  })
  expect(readdirSync(lab.root)).toEqual([])
  const own = { settings: { blind: true, blindTerms: ['secret sauce'] }, prompt: 'use zcl' }
  await startAttempt(request(own))
})

test('startAttempt does not write through a symlink', async () => {
  const outside = path.join(lab.root, 'outside')
  mkdirSync(outside)
  mkdirSync(path.join(lab.root, 'root', 'runs'), { recursive: true })
  symlinkSync(outside, path.join(lab.root, 'root', 'runs', runId))
  const outRoot = path.join(lab.root, 'root')
  await expect(startAttempt(request({ outRoot, runId }))).rejects.toMatchObject({
    code: 'ZCL_E_CONTAINMENT',
  })
  expect(readdirSync(outside)).toEqual([])
})

test.each([
  [{}, false],
  [{ timeoutMs: 1000 }, false],
  [{ timeoutMs: 1000, timeoutStart: 'first_tool_call' }, false],
  [{ timeoutStart: 'attempt_start' }, false],
  [{ timeoutMs: 1000, timeoutStart: 'attempt_start' }, true],
] as const)('startAttempt with %j starts the deadline: %s', async (settings, expected) => {
  const { folder } = await startAttempt(request({ settings, now: new Date() }))
  expect(readdirSync(folder).includes(anchorName)).toBe(expected)
})
