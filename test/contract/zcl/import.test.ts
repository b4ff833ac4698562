// `zcl import` on the command line: the words of its list, and runs whose import was interrupted.
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Project } from './project.ts'

const project = new Project()
afterAll(() => project.remove())

const sample = (id: number, more: object) => ({ id, epoch: 1, input: 'x', messages: [], ...more })

function importLog() {
  const log = {
    version: 2,
    eval: { task: 'demo', model: 'openai/gpt', created: '2026-04-01T10:00:00Z' },
    samples: [
      sample(1, { scores: { match: { value: 'C' } } }),
      sample(2, { scores: { match: { value: 'I' } } }),
      sample(3, { error: { message: 'no model' } }),
      sample(4, {}),
    ],
  }
  writeFileSync(path.join(project.folder, 'log.json'), JSON.stringify(log))
  return project.zcl(['import', 'inspect', 'log.json'])
}

test('zcl import and zcl runs list name the outcomes of attempts by the words of the judgement', async () => {
  const imported = await importLog()
  expect(imported.err).toBe('')
  const words = imported.out
    .split('\n')
    .slice(1, 5)
    .map((line) => line.split(/ {2,}/)[2])
  expect(words).toEqual(['passed', 'failed', 'infra', 'missing'])
  const listed = await project.zcl(['runs', 'list'])
  expect(listed.out).toContain('4 attempts  1 passed  1 failed  1 infra  1 missing')
})

test('zcl import refuses a suite name without a usable character and writes nothing', async () => {
  const other = new Project()
  const ran = await other.zcl(['import', 'inspect', import.meta.filename, '--suite', '!!!'])
  const hasRoot = existsSync(path.join(other.folder, '.zcl'))
  other.remove()
  expect(ran).toMatchObject({
    code: 2,
    err: "ZCL_E_USAGE: --suite '!!!' has no usable character\n",
  })
  expect(hasRoot).toBe(false)
})

test('a run whose import was interrupted is in no list, is refused by name, and the import completes it', async () => {
  const runFolder = path.join(project.folder, (await importLog()).out.split(' ')[0] ?? '')
  const runId = path.basename(runFolder)
  const attemptId = '004-4-r1'
  rmSync(path.join(runFolder, 'attempts', attemptId), { recursive: true })
  writeFileSync(path.join(runFolder, '.importing'), '')
  expect((await project.zcl(['runs', 'list'])).out).toBe('No runs found.\n')
  expect((await project.zcl(['attempt', 'list'])).out).toBe('No attempts found.\n')
  const inner = path.join(runFolder, 'attempts/001-1-r1')
  for (const [command, name] of [
    ['report', runId],
    ['validate', runId],
    ['view', runFolder],
    ['show', inner],
    ['report', inner],
  ] as const) {
    const ran = await project.zcl([command, name])
    expect([command, ran.code, ran.err]).toEqual([
      command,
      2,
      `ZCL_E_MISSING_ARTIFACT: ${name} is an import that has not ended: run the import again\n`,
    ])
  }
  await importLog()
  expect(existsSync(path.join(runFolder, 'attempts', attemptId))).toBe(true)
  expect((await project.zcl(['runs', 'list'])).out).toContain(runId)
})
