import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LabProject } from './lab-project.ts'

let lab: LabProject
beforeEach(() => {
  lab = new LabProject()
})
afterEach(() => lab.remove())

test('`zcl suite plan` allocates one attempt per mission and prints its ids and environment', async () => {
  lab.write(
    'suite.yaml',
    'suiteId: My Suite\ndefaults: {timeoutMs: 5000, mode: ci}\nmissions:\n  - missionId: A b\n    prompt: go\n  - missionId: c\n',
  )
  const { code, json } = await lab.json(['suite', 'plan', '--file', 'suite.yaml'])
  expect(code).toBe(0)
  expect(Object.keys(json)).toEqual([
    ...['ok', 'runId', 'suiteId', 'mode', 'outRoot', 'missions', 'createdAt'],
  ])
  expect(json).toMatchObject({ ok: true, suiteId: 'my-suite', mode: 'ci', outRoot: '.zcl' })
  const missions = json.missions as Record<string, unknown>[]
  expect(Object.keys(missions[0] ?? {})).toEqual([
    ...['missionId', 'prompt', 'attemptId', 'outDir', 'outDirAbs', 'env'],
  ])
  expect(missions.map(({ attemptId }) => attemptId)).toEqual(['001-a-b-r1', '002-c-r1'])
  const folder = String(missions[0]?.outDirAbs)
  expect(readFileSync(path.join(folder, 'prompt.txt'), 'utf8')).toBe('go')
  const env = missions[0]?.env as Record<string, string>
  expect(Object.keys(env)).toEqual([
    ...['ZCL_ATTEMPT_ID', 'ZCL_MISSION_ID', 'ZCL_OUT_DIR', 'ZCL_RUN_ID', 'ZCL_SUITE_ID'],
  ])
  await lab.zcl(['run', '--', 'true'], { env })
  expect((await lab.zcl(['feedback', '--ok', '--result', 'x'], { env })).code).toBe(0)
})

test('`zcl suite plan` prefers flags to suite defaults, and --total cycles through the missions', async () => {
  lab.suite([{ missionId: 'a' }, { missionId: 'b' }], { defaults: { mode: 'ci' } })
  const flags = ['--mode', 'discovery', '--timeout-ms', '77', '--total', '3']
  const { json } = await lab.json(['suite', 'plan', '--file', 'suite.json', ...flags])
  const missions = json.missions as { attemptId: string; outDirAbs: string }[]
  expect(missions.map(({ attemptId }) => attemptId)).toEqual(['001-a-r1', '002-b-r1', '003-a-r1'])
  const file = readFileSync(path.join(missions[0]?.outDirAbs ?? '', 'attempt.json'), 'utf8')
  expect(JSON.parse(file)).toMatchObject({ mode: 'discovery', timeoutMs: 77 })
})

test('`zcl suite plan` gives an attempt the shorter timeout of its mission and the suite', async () => {
  const missions = [
    { missionId: 'a', timeoutMs: 500 },
    { missionId: 'b', timeoutMs: 9000 },
  ]
  lab.suite([...missions, { missionId: 'c' }], { defaults: { timeoutMs: 2000 } })
  const { json } = await lab.json(['suite', 'plan', '--file', 'suite.json'])
  const planned = json.missions as { outDirAbs: string }[]
  const files = planned.map(({ outDirAbs }) => readFileSync(path.join(outDirAbs, 'attempt.json')))
  const attempts = files.map((file) => JSON.parse(file.toString()) as Record<string, unknown>)
  expect(attempts).toMatchObject([{ timeoutMs: 500 }, { timeoutMs: 2000 }, { timeoutMs: 2000 }])
})

test('`zcl suite run` refuses a pattern of --ignore-argv that is no regular expression before it starts', async () => {
  lab.suite([{ missionId: 'a' }])
  const words = ['suite', 'run', '--file', 'suite.json', '--shim', 'ls', '--ignore-argv', '(']
  const ran = await lab.zcl([...words, '--', 'true'])
  expect([ran.code, ran.err]).toMatchObject([2, /--ignore-argv.*not a regular expression/])
  expect(existsSync(lab.outRoot)).toBe(false)
})

test.each([
  ['no missions', { missions: [] }],
  ['the same mission twice', { missions: [{ missionId: 'A' }, { missionId: 'a' }] }],
  ['an unknown version', { version: 2, missions: [{ missionId: 'a' }] }],
  ['an unknown policy', { defaults: { feedbackPolicy: 'x' }, missions: [{ missionId: 'a' }] }],
])('`zcl suite plan` refuses a suite with %s and writes nothing', async (_what, extra) => {
  lab.write('s.json', { suiteId: 'x', ...extra })
  const ran = await lab.zcl(['suite', 'plan', '--file', 's.json', '--json'])
  expect([ran.code, ran.err]).toMatchObject([2, /^ZCL_E_(CONTRACT|SCHEMA_UNSUPPORTED): s.json/])
  expect(ran.out).toBe('')
  expect(existsSync(lab.outRoot)).toBe(false)
})
