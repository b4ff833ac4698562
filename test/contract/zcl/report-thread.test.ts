// The thread that reports attempts of a large run, as the build made it.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import path from 'node:path'
import { Worker } from 'node:worker_threads'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readRun } from '@zee/evidence/report'
import type { ReportThreadData } from '../../../packages/zcl/src/attempts/report/report-thread.ts'
import { Project, type StartedAttempt } from './project.ts'

const dist = path.resolve(import.meta.dirname, '../../../packages/zcl/dist')
const settings = {
  strictness: 'by_mode',
  level: 'action',
  computedAt: '2026-01-01T00:00:00Z',
} as const

let project: Project
let attempts: StartedAttempt[]
beforeEach(async () => {
  project = new Project()
  const first = await project.start()
  attempts = [first]
  for (let count = 1; count < 6; count++) {
    attempts.push(await project.start(['--run-id', first.runId]))
  }
  await project.run(first, ['echo', 'x'.repeat(4000)])
  const call = readFileSync(first.file('tool.calls.jsonl'), 'utf8')
  for (const attempt of attempts) {
    const own = call.replaceAll(first.attemptId, attempt.attemptId)
    writeFileSync(attempt.file('tool.calls.jsonl'), own.repeat(400))
    await project.zcl(['feedback', '--ok', '--result', 'done'], { env: attempt.env })
  }
})
afterEach(() => project.remove())

test('zcl report prints the report that one thread makes', async () => {
  const { runFolder } = attempts[0] as StartedAttempt
  const { code, out, err } = await project.program(['report', runFolder, '--json'])
  const { report } = await readRun(runFolder, settings)
  expect([code, err, JSON.parse(out)]).toEqual([0, '', JSON.parse(JSON.stringify(report))])
})

test.each([true, false])(
  'the thread reports the attempts of the queue from its next one on (written: %s)',
  async (isStored) => {
    const names = attempts.map(({ attemptId }) => attemptId)
    const next = new Int32Array(new SharedArrayBuffer(4))
    next[0] = 2
    const { runFolder } = attempts[0] as StartedAttempt
    const queue = { runFolder, names, superseded: new Set<string>(), next }
    const workerData: ReportThreadData = { role: 'zcl-report', queue, settings, isStored }
    const file = readdirSync(dist).find((name) => /^report-thread-.*\.cjs$/.test(name)) ?? ''
    const [results] = (await once(
      new Worker(path.join(dist, file), { workerData }),
      'message',
    )) as [Map<string, unknown>]
    expect([...results.keys()]).toEqual(names.slice(2))
    expect(results.get(names[2] ?? '')).toMatchObject({ line: { ok: true } })
    const written = attempts.map(({ folder }) =>
      readdirSync(folder).includes('attempt.report.json'),
    )
    expect(written).toEqual(names.map((_, index) => isStored && index >= 2))
  },
)
