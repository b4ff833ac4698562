// Begin lines of `zcl run`, calls inside calls, attempts named by a flag, and the version floor.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Project } from './project.ts'

const project = new Project()
afterAll(() => project.remove())

test('a command that kills its recorder leaves an open call, which report counts and validate names', async () => {
  const attempt = await project.start([])
  const killed = await project.run(attempt, ['sh', '-c', 'kill -9 $PPID'])
  expect(killed.code).not.toBe(0)
  await project.run(attempt, ['true'])
  const env = attempt.env
  await project.zcl(['feedback', '--ok', '--result', 'x'], { env })
  const report = await project.json(['report'], { env })
  expect(report.json.metrics).toMatchObject({ toolCallsTotal: 1, openCallsTotal: 1 })
  const strict = await project.json(['validate', '--strict'], { env })
  expect(strict.code).toBe(2)
  expect(JSON.stringify(strict.json.errors)).toContain('ZCL_E_OPEN_CALL')
  expect((await project.json(['validate'], { env })).code).toBe(0)
})

test('a call inside a call names its parent, and --attempt needs no environment', async () => {
  const attempt = await project.start([])
  const folder = attempt.env.ZCL_OUT_DIR ?? ''
  const zcl = path.resolve('node_modules/.bin/zcl')
  const script = `"${zcl}" run --attempt "${folder}" -- echo inner`
  expect((await project.zcl(['run', '--attempt', folder, '--', 'sh', '-c', script])).code).toBe(0)
  const lines = readFileSync(path.join(folder, 'tool.calls.jsonl'), 'utf8').trim().split('\n')
  const [inner, outer] = lines.map((line) => JSON.parse(line) as { id: string; parentId?: string })
  expect(inner?.parentId).toBe(outer?.id)
  expect(outer?.parentId).toBeUndefined()
})

test('a call that names an ended or a killed call as its parent counts as a call', async () => {
  const attempt = await project.start([])
  await project.run(attempt, ['true'])
  await project.run(attempt, ['sh', '-c', 'kill -9 $PPID'])
  const begins = path.join(attempt.env.ZCL_OUT_DIR ?? '', 'tool.begins.jsonl')
  for (const line of readFileSync(begins, 'utf8').trim().split('\n')) {
    const { id } = JSON.parse(line) as { id: string }
    const env = { ...attempt.env, ZCL_PARENT_ID: id }
    await project.run({ ...attempt, env }, ['echo', id])
  }
  await project.zcl(['feedback', '--ok', '--result', 'x'], { env: attempt.env })
  const report = await project.json(['report'], { env: attempt.env })
  expect(report.json.metrics).toMatchObject({ toolCallsTotal: 3, nestedCallsTotal: 0 })
})

test('ZCL_MIN_VERSION above this version refuses every command before anything happens', async () => {
  for (const args of [
    ['runs', 'list'],
    ['run', '--', 'true'],
  ]) {
    const ran = await project.zcl(args, { env: { ZCL_MIN_VERSION: '99.0.0' } })
    expect(ran.code).toBe(2)
    expect(ran.err).toMatch(/^ZCL_E_VERSION_FLOOR: /)
  }
})
